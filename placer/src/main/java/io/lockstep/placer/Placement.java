package io.lockstep.placer;

import io.lockstep.placer.profile.Cover;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.placer.space.OverlapIndex;
import io.lockstep.placer.space.TernaryMatch;
import io.lockstep.store.Bytes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The logical table, and the known entries of each layer of the switch. Only steps change it, and
 * each of them can be undone. Owned by one thread.
 */
final class Placement {
  final String switchName;
  final SwitchProfile profile;
  final List<LayerTable> layers = new ArrayList<>();
  private final Map<RuleKey, PlacedRule> rules = new HashMap<>();
  private final OverlapIndex<PlacedRule> index = new OverlapIndex<>();

  /** The priorities of all rules, live or not. */
  final Priorities priorities = new Priorities();

  final Aggregates aggregates;
  private final ToIntFunction<Bytes> rewrites;
  private final Booking booking = new Booking();
  private long arrivals;

  /**
   * An empty placement.
   *
   * @param rewrites the fields that a treatment sets, a bit each
   */
  Placement(String switchName, SwitchProfile profile, ToIntFunction<Bytes> rewrites) {
    this.switchName = switchName;
    this.profile = profile;
    this.rewrites = rewrites;
    profile.layers().forEach(layer -> layers.add(new LayerTable(layer)));
    this.aggregates = new Aggregates(this, profile.controller());
  }

  int controller() {
    return layers.size();
  }

  Collection<PlacedRule> rules() {
    return rules.values();
  }

  @Nullable PlacedRule rule(RuleKey key) {
    return rules.get(key);
  }

  PlacedRule known(RuleKey key) {
    PlacedRule rule = key.equals(Aggregates.OWNER) ? aggregates.owner : rules.get(key);
    if (rule == null) {
      throw new IllegalStateException(switchName + ": no rule of " + key);
    }
    return rule;
  }

  /** Visits the rules that overlap a match, live or not, until the visitor stops. */
  boolean forEachOverlapping(TernaryMatch match, Predicate<PlacedRule> visitor) {
    return index.forEachOverlapping(match, visitor);
  }

  /** Visits the live rules above a priority that overlap a match. */
  void forEachLiveAbove(int priority, TernaryMatch match, Consumer<PlacedRule> visitor) {
    index.forEachOverlapping(
        match,
        rule -> {
          if (rule.live && rule.priority() > priority) {
            visitor.accept(rule);
          }
          return true;
        });
  }

  /** The live rules that win over a key where they overlap. */
  List<PlacedRule> above(RuleKey key) {
    List<PlacedRule> above = new ArrayList<>();
    forEachLiveAbove(key.priority(), key.match(), above::add);
    return above;
  }

  /** The terminal entries of a layer over which a key wins. */
  List<PlacedRule> terminalsBelow(RuleKey key, int layer) {
    List<PlacedRule> below = new ArrayList<>();
    LayerTable table = layers.get(layer);
    if (table.priorities.anyBelow(key.priority())) {
      table.index.forEachOverlapping(
          key.match(),
          entry -> {
            if (entry.terminal() && entry.key.priority() < key.priority()) {
              below.add(entry.owner);
            }
            return true;
          });
    }
    return below;
  }

  /** The fields that a treatment sets, a bit each; none for that of a cover. */
  int rewrites(@Nullable Bytes treatment) {
    return treatment == null ? 0 : rewrites.applyAsInt(treatment);
  }

  /** Whether a layer can hold a rule. */
  boolean holds(int layer, PlacedRule rule) {
    return holds(layer, rule.key, rule.rewrites);
  }

  /** Whether a layer can hold the match of a rule that sets such fields. */
  boolean holds(int layer, RuleKey key, int sets) {
    return profile.holds(layer, key.match(), sets) && !layers.get(layer).refused(key, false);
  }

  /**
   * The key of the cover that sends the packets of {@code above} on, to the extent that {@code
   * below} matches them. The cover has the match of the whole rule if the layer can hold it, else
   * the intersection of both.
   *
   * @return null if no cover is possible
   */
  @Nullable RuleKey coverKey(RuleKey above, RuleKey below, int layer) {
    LayerTable table = layers.get(layer);
    if (table.profile.cover() == Cover.NONE) {
      return null;
    }
    RuleKey key = above;
    if (!profile.holds(layer, above.match(), 0)) {
      TernaryMatch part = above.match().intersection(below.match());
      if (part == null || !profile.holds(layer, part, 0)) {
        return null;
      }
      key = new RuleKey(above.priority(), part);
    }
    return table.refused(key, true) ? null : key;
  }

  /** Whether a layer has a rule as a terminal entry. */
  boolean terminal(PlacedRule rule, int layer) {
    Entry entry = layer < controller() ? layers.get(layer).entry(rule.key) : null;
    return entry != null && entry.terminal();
  }

  /** Whether a rule hides packets of a rule that is served behind a layer. */
  boolean anyHiddenBehind(PlacedRule hiding, int layer) {
    return !forEachOverlapping(
        hiding.match(),
        rule ->
            !rule.live
                || rule.equals(hiding)
                || hiding.priority() < rule.priority()
                || !rule.servedBehind(layer));
  }

  /** Whether a rule of an entry's priority shares packets with it, and is served behind it. */
  boolean anyEqualBehind(Entry entry) {
    int priority = entry.key.priority();
    return priorities.count(priority) > 1
        && !forEachOverlapping(
            entry.match(),
            rule ->
                !rule.live
                    || rule.priority() != priority
                    || rule.equals(entry.owner)
                    || !rule.servedBehind(entry.layer));
  }

  /** Whether an entry is what its rule keeps in a layer without bound; see {@link Moves}. */
  boolean isCopy(Entry entry) {
    return Objects.equals(entry.treatment, entry.owner.treatment)
        && !layers.get(entry.layer).bounded();
  }

  /** Whether some terminal entry needs a cover, for the packets of its owner or of another rule. */
  boolean needed(Entry cover) {
    LayerTable table = layers.get(cover.layer);
    return table.priorities.anyBelow(cover.key.priority())
        && !table.index.forEachOverlapping(
            cover.match(),
            entry ->
                !entry.terminal()
                    || entry.key.priority() >= cover.key.priority()
                    || met(entry, cover));
  }

  private boolean met(Entry terminal, Entry without) {
    TernaryMatch part = Dependencies.part(without.match(), terminal.match());
    return Dependencies.of(this, terminal.key, part, terminal.layer, null, without, null).met();
  }

  /**
   * Applies a step.
   *
   * @return undoes the step; only the last step can be undone
   * @throws IllegalStateException if the step does not fit; nothing has changed then
   */
  Runnable apply(Step step, long nowMillis) {
    LogicalChange logical = step.logical();
    boolean first = !(logical instanceof LogicalChange.Drop);
    Runnable books = logical != null && first ? book(logical, nowMillis) : () -> {};
    Runnable entry;
    try {
      entry = step.flowMod() ? write(step, nowMillis) : () -> {};
    } catch (RuntimeException wrong) {
      books.run(); // nothing of the step remains
      throw wrong;
    }
    Runnable dropped;
    try {
      dropped = logical != null && !first ? book(logical, nowMillis) : () -> {};
    } catch (RuntimeException wrong) {
      entry.run();
      throw wrong;
    }
    return () -> {
      dropped.run();
      entry.run();
      books.run();
    };
  }

  private Runnable write(Step step, long nowMillis) {
    LayerTable table = layers.get(step.layer());
    Entry old = table.entry(step.entry());
    PlacedRule owner = known(step.rule());
    int home = owner.home;
    long since = owner.sinceMillis;
    Runnable undo;
    if (step.kind() == Step.Kind.ADD) {
      if (old != null) {
        throw new IllegalStateException(switchName + ": the layer has this entry already: " + step);
      }
      Entry entry =
          new Entry(
              step.layer(),
              step.entry(),
              owner,
              table.unitsOf(step.entry().match()),
              step.treatment());
      put(table, entry);
      undo = () -> remove(table, entry);
    } else if (old == null || !old.owner.equals(owner)) {
      throw new IllegalStateException(
          switchName + ": the layer has no such entry of this rule: " + step);
    } else if (step.kind() == Step.Kind.DELETE) {
      remove(table, old);
      undo = () -> put(table, old);
    } else {
      Bytes before = old.treatment;
      old.treatment = step.treatment();
      undo = () -> old.treatment = before;
    }
    rehome(owner);
    if (owner.home != home) {
      owner.sinceMillis = nowMillis;
    }
    return () -> {
      undo.run();
      owner.home = home;
      owner.sinceMillis = since;
    };
  }

  private static void put(LayerTable table, Entry entry) {
    table.put(entry);
    entry.owner.entries.add(entry);
  }

  private static void remove(LayerTable table, Entry entry) {
    table.remove(entry);
    entry.owner.entries.remove(entry);
  }

  private void rehome(PlacedRule rule) {
    rule.home = controller();
    for (Entry entry : rule.entries) {
      if (entry.terminal()) {
        rule.home = Math.min(rule.home, entry.layer);
      }
    }
  }

  private Runnable book(LogicalChange logical, long nowMillis) {
    booking.nowMillis = nowMillis;
    return logical.match(booking);
  }

  /**
   * Applies each kind of change, and returns what undoes it. One object for all kinds, with the
   * time of the step.
   */
  private final class Booking implements LogicalChange.Cases<Runnable> {
    private long nowMillis;

    @Override
    public Runnable put(LogicalChange.Put put) {
      PlacedRule there = rules.get(put.rule().key());
      if (there == null) {
        PlacedRule made = come(put.rule(), put.weight(), put.live(), nowMillis);
        return () -> forget(made);
      }
      Bytes before = there.treatment;
      int setBefore = there.rewrites;
      there.treatment = put.rule().treatment();
      there.rewrites = rewrites(there.treatment);
      return () -> {
        there.treatment = before;
        there.rewrites = setBefore;
      };
    }

    @Override
    public Runnable drop(LogicalChange.Drop drop) {
      PlacedRule gone = known(drop.key());
      forget(gone);
      return () -> remember(gone);
    }

    @Override
    public Runnable live(LogicalChange.Live live) {
      PlacedRule rule = known(live.key());
      boolean before = rule.live;
      rule.live = live.live();
      return () -> rule.live = before;
    }

    @Override
    public Runnable fill(LogicalChange.Fill fill) {
      List<PlacedRule> all = new ArrayList<>();
      for (WeightedRule wanted : fill.rules()) {
        boolean live = !fill.shadowed().containsKey(wanted.rule().key());
        all.add(come(wanted.rule(), wanted.weight(), live, nowMillis));
      }
      fill.shadowed()
          .forEach((rule, by) -> known(rule).shadower = rule.equals(by) ? null : rules.get(by));
      return () -> {
        for (int i = all.size() - 1; i >= 0; i--) {
          forget(all.get(i)); // in reverse order, as every undo; arrivals stay counted
        }
      };
    }

    @Override
    public Runnable resize(LogicalChange.Resize resize) {
      LayerTable table = layers.get(resize.layer());
      long configured = table.configured();
      long before = table.capacity;
      table.resize(resize.units());
      return () -> {
        table.resize(configured);
        table.capacity = before;
      };
    }
  }

  private PlacedRule come(Rule rule, double weight, boolean live, long nowMillis) {
    PlacedRule made =
        new PlacedRule(
            rule, rewrites(rule.treatment()), weight, live, arrivals++, controller(), nowMillis);
    remember(made);
    return made;
  }

  private void remember(PlacedRule rule) {
    rules.put(rule.key, rule);
    index.add(rule);
    priorities.add(rule.priority());
  }

  private void forget(PlacedRule rule) {
    if (!rule.entries.isEmpty()) {
      throw new IllegalStateException(switchName + ": this rule still has entries: " + rule.key);
    }
    rules.remove(rule.key);
    index.remove(rule);
    priorities.remove(rule.priority());
  }
}
