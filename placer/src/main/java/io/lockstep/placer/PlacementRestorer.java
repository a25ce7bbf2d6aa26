package io.lockstep.placer;

import io.lockstep.placer.PlacementImage.InLayer;
import io.lockstep.placer.PlacementImage.Known;
import io.lockstep.placer.profile.SwitchProfile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes a placement from the image that was read from a switch and the store. */
final class PlacementRestorer {
  private final Placement placement;
  private final List<InLayer> foreign = new ArrayList<>();

  private PlacementRestorer(Placement placement) {
    this.placement = placement;
  }

  /**
   * Reads the rules and the layers of the image.
   *
   * @throws PlacementRefusedException if rules contradict each other
   */
  static RestoredPlacer restore(
      String switchName,
      SwitchProfile profile,
      PlacerOptions options,
      PlacementImage image,
      int changesDone)
      throws PlacementRefusedException {
    Placement placement = new Placement(switchName, profile, options.rewrites());
    PlacementRestorer restorer = new PlacementRestorer(placement);
    restorer.rules(image, options);
    image.entries().forEach(restorer::entry);
    restorer.dropMisplaced();
    for (Known known : image.rules()) {
      placement.known(known.rule().key()).sinceMillis = known.sinceMillis();
    }
    return new RestoredPlacer(new Placer(placement, options), changesDone, restorer.foreign);
  }

  private void rules(PlacementImage image, PlacerOptions options) throws PlacementRefusedException {
    List<WeightedRule> wanted = new ArrayList<>();
    for (Known known : image.rules()) {
      wanted.add(new WeightedRule(known.rule(), known.weight()));
    }
    Map<RuleKey, RuleKey> shadowed = RuleSet.shadowed(placement, wanted, options.shadowSplits());
    for (Known known : image.rules()) {
      if (!known.live()) {
        shadowed.putIfAbsent(
            known.rule().key(),
            known.rule().key()); // proven earlier, even if not within the present bound
      }
    }
    if (!wanted.isEmpty()) {
      RuleKey any = wanted.get(0).rule().key();
      placement.apply(Step.note(any, true, new LogicalChange.Fill(wanted, shadowed)), 0);
    }
    for (int layer = 0; layer < image.capacities().size(); layer++) {
      placement.layers.get(layer).resize(image.capacities().get(layer));
    }
  }

  private void entry(InLayer entry) {
    RuleKey owner = owner(entry);
    if (owner == null
        || entry.layer() < 0
        || placement.layers.get(entry.layer()).entry(entry.key()) != null) {
      foreign.add(entry);
      return;
    }
    placement.apply(
        new Step(Step.Kind.ADD, entry.layer(), entry.key(), owner, entry.treatment(), false, null),
        0);
  }

  private @Nullable RuleKey owner(InLayer entry) {
    PlacedRule same = placement.rule(entry.key());
    if (same != null) {
      boolean right = entry.treatment() == null || entry.treatment().equals(same.treatment);
      return right ? same.key : null;
    }
    if (entry.treatment() != null) {
      return null;
    }
    RuleKey[] owner = new RuleKey[1];
    placement.forEachOverlapping(
        entry.key().match(),
        rule -> {
          boolean part =
              rule.priority() == entry.key().priority() && rule.match().covers(entry.key().match());
          owner[0] = part ? rule.key : owner[0];
          return !part;
        });
    return owner[0] == null && placement.aggregates.possible(entry.layer())
        ? Aggregates.OWNER
        : owner[0];
  }

  /**
   * Removes entries from the placement that must not be in their layer, from the highest priority
   * down, and of each rule from the last layer on, where the copies are.
   */
  private void dropMisplaced() {
    for (PlacedRule rule : placement.rules().stream().sorted(FillPlanner.BY_PRIORITY).toList()) {
      List<Entry> lastFirst = new ArrayList<>(rule.entries);
      lastFirst.sort(Comparator.comparingInt(entry -> -entry.layer));
      for (Entry entry : lastFirst) {
        if (entry.terminal() && !Invariant.holds(placement, entry)) {
          foreign.add(new InLayer(entry.layer, entry.key, entry.treatment));
          placement.apply(
              new Step(Step.Kind.DELETE, entry.layer, entry.key, rule.key, null, false, null), 0);
        }
      }
    }
  }

  /** The rules of an image after some changes. */
  static List<Known> after(List<Known> rules, List<LogicalChange> changes) {
    KnownTable table = new KnownTable();
    rules.forEach(table::put);
    changes.forEach(change -> change.match(table));
    return List.copyOf(table.rules.values());
  }

  /**
   * Applies changes to the rules of an image one by one; each change returns the resulting table.
   */
  private static final class KnownTable implements LogicalChange.Cases<KnownTable> {
    private final Map<RuleKey, Known> rules = new LinkedHashMap<>();

    private void put(Known known) {
      rules.put(known.rule().key(), known);
    }

    @Override
    public KnownTable put(LogicalChange.Put put) {
      Known before = rules.get(put.rule().key());
      put(
          before == null
              ? new Known(put.rule(), put.weight(), 0, put.live())
              : new Known(put.rule(), before.weight(), before.sinceMillis(), before.live()));
      return this;
    }

    @Override
    public KnownTable drop(LogicalChange.Drop drop) {
      rules.remove(drop.key());
      return this;
    }

    @Override
    public KnownTable live(LogicalChange.Live live) {
      rules.computeIfPresent(
          live.key(),
          (key, known) ->
              new Known(known.rule(), known.weight(), known.sinceMillis(), live.live()));
      return this;
    }

    @Override
    public KnownTable fill(LogicalChange.Fill fill) {
      for (WeightedRule one : fill.rules()) {
        boolean live = !fill.shadowed().containsKey(one.rule().key());
        put(new Known(one.rule(), one.weight(), 0, live));
      }
      return this;
    }

    /** Changes no rule: an image has the capacities that the switch shows. */
    @Override
    public KnownTable resize(LogicalChange.Resize resize) {
      return this;
    }
  }
}
