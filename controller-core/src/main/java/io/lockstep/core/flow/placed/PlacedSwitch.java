package io.lockstep.core.flow.placed;

import io.lockstep.core.mastership.DomainWriter;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchConnection.Answer;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.core.state.Alarm;
import io.lockstep.placer.PlacerOptions;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.profile.Capacity;
import io.lockstep.placer.profile.LayerProfile;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.store.logging.BoundedLog;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one mastered switch with bounded tables as its owner wants it, through the placer. One
 * piece of work at a time: a plan, a batch of independent new rules, or a reading. Owned by the
 * control loop.
 */
public final class PlacedSwitch {
  private static final BoundedLog log = BoundedLog.of(PlacedSwitch.class);
  private static final PlacerOptions OPTIONS = PlacerOptions.standard().withControllerServes(false);
  private static final long RETRY_MILLIS = 1_000;

  /** What a switch is given. */
  public record Surroundings(
      DomainWriter writer, Executor loop, Alarm alarm, LongSupplier wallMillis) {}

  /** Who wants the rules; called on the control loop. */
  public interface Listener {
    /** The switch was read, and the ledger is as the store has it; before any rule is placed. */
    void restored(Collection<PlacedRow> rows);

    /** The switch follows these rules now. */
    void placed(Collection<RuleKey> keys);

    /**
     * The rule is not in the switch, or not as wanted, and why. Completes on the control loop, when
     * everybody can know: with true, or with false where the rule was wanted otherwise before that,
     * so that nothing was said of what is wanted now.
     */
    CompletableFuture<Boolean> refused(RuleKey key, String why);

    /** The rule is not in the switch any more. */
    void gone(RuleKey key);

    /** New counters are there, see {@link Upkeep#counters}. */
    void counted();

    /** Under which id people know a rule; empty where they do not. */
    String idOf(RuleKey key);
  }

  final Site site;
  final Map<RuleKey, LogicalRule> wanted = new HashMap<>();
  final Refusals refusals = new Refusals();
  final ChangeQueue queue = new ChangeQueue();
  final Upkeep upkeep;
  private final Listener listener;
  private final Turns turns;
  private final String reason;

  /** A switch that is mastered from now on. Begins with {@link #start}. */
  public PlacedSwitch(
      SwitchConnection connection,
      long epoch,
      SwitchProfiles.Chosen chosen,
      PlacementTables tables,
      Surroundings around,
      Listener listener) {
    SwitchProfile profile = chosen.profile();
    this.reason = chosen.reason();
    Layout layout = new Layout(profile, connection.features());
    PlacementLedger ledger = tables.ledger(connection.dpid(), epoch, profile.name());
    this.site = new Site(connection, layout, ledger, around);
    this.listener = listener;
    this.upkeep = new Upkeep(this);
    this.turns = new Turns(this, listener);
  }

  /** Wants a rule, or wants it otherwise. */
  public void want(LogicalRule rule) {
    wanted.put(rule.key(), rule);
    refusals.forget(rule.key());
    queue.put(rule.key());
    turns.wake();
  }

  /** Does not want a rule any more. */
  public void unwant(RuleKey key) {
    wanted.remove(key);
    refusals.forget(key);
    queue.remove(key);
    turns.wake();
  }

  /** Reads the switch, goes on from there. */
  public void start() {
    site.read(this::restore);
  }

  /** The switch is not mastered here any more; nothing is told afterwards. */
  public void stop() {
    site.close();
  }

  /** Whether the switch was read and the placer knows what is there. */
  public boolean ready() {
    return upkeep.restored();
  }

  /** Why the switch has its profile. */
  String reason() {
    return reason;
  }

  /** For people: what is where. Null before the switch was read. */
  public @Nullable PlacementReport report() {
    return ready() ? PlacementReport.of(this) : null;
  }

  /** Why a rule is where it is; null before the switch was read, or where there is no such rule. */
  public @Nullable RuleReport explain(RuleKey key) {
    return ready() ? RuleReport.of(this, key) : null;
  }

  /** Takes flow statistics: heals, weighs, follows the traffic. */
  public Upkeep upkeep() {
    return upkeep;
  }

  private void restore(Answer<List<FlowStats>> answer) {
    if (!(answer instanceof Answer.Of<List<FlowStats>> read)) {
      log.info(site.name(), "{}: flow tables could not be read: {}", site.name(), answer);
      site.after(RETRY_MILLIS, this::start);
      return;
    }
    Inventory seen = Inventory.of(site.layout, read.value());
    PlacementRecovery.Result result =
        new PlacementRecovery(site.layout, site.ledger, seen, wanted, OPTIONS)
            .run(site.name(), site.now());
    site.placer(result.placer());
    upkeep.foreign(seen);
    makeReady(result.mods(), result.lastEntries());
  }

  /**
   * Takes away what must not be there, then writes the last entries of tables, each before the next
   * is sent: no table leads to another that does not work.
   */
  private void makeReady(List<FlowMod> mods, Deque<FlowMod> lastEntries) {
    if (mods.isEmpty() && lastEntries.isEmpty()) {
      restored();
      return;
    }
    List<FlowMod> next = mods.isEmpty() ? List.of(lastEntries.removeFirst()) : mods;
    site.send(
        next,
        outcomes -> {
          if (outcomes.stream().allMatch(FlowModOutcome.Installed.class::isInstance)) {
            makeReady(List.of(), lastEntries);
          } else {
            notReady(next, outcomes);
            site.after(RETRY_MILLIS, this::start);
          }
        });
  }

  private void notReady(List<FlowMod> sent, List<FlowModOutcome> outcomes) {
    log.warn(site.name(), "{}: not made ready: {}", site.name(), outcomes);
    for (int i = 0; i < sent.size(); i++) {
      if (outcomes.get(i) instanceof FlowModOutcome.Refused refused) {
        int table = sent.get(i).tableId();
        for (RuleKey key : List.copyOf(wanted.keySet())) {
          listener.refused(
              key,
              String.format(
                  "%s, table %d: %s: the switch refuses what every rule needs there, so none is"
                      + " installed: %s (%s)",
                  site.name(), table, key, refused.error(), room()));
        }
        return;
      }
    }
  }

  /** What each layer holds and how much of it is used, for people. */
  public String room() {
    List<String> layers = new ArrayList<>();
    for (int layer = 0; layer < site.layout.profile().layers().size(); layer++) {
      LayerProfile profile = site.layout.profile().layers().get(layer);
      Capacity capacity = profile.capacity();
      layers.add(
          String.format(
              "layer %s (table %d) capacity %s, %s used",
              profile.id(),
              profile.table(),
              capacity.bounded() ? site.ledger.capacityOf(layer, capacity) + " units" : "unbounded",
              site.known() ? site.placer().usedIn(layer) : "none known to be"));
    }
    return String.join("; ", layers);
  }

  private void restored() {
    boolean first = upkeep.readOnce();
    if (first) {
      listener.restored(List.copyOf(site.ledger.rows()));
    }
    for (PlacedRow row : site.ledger.rows()) {
      if (!wanted.containsKey(row.key())) {
        queue.remove(row.key());
      } else if (homeless(row.key())) {
        queue.replace(row.key());
      }
    }
    wanted.keySet().forEach(queue::put);
    turns.free();
  }

  /** Whether a rule that could win packets is nowhere in the switch. */
  private boolean homeless(RuleKey key) {
    return site.placer().live(key)
        && site.placer().layerOf(key) == site.layout.profile().controller();
  }

  /** Nobody knows what the switch did: it is read anew. */
  void startAnew(String reason) {
    log.warn(site.name(), "{}: is read anew: {}", site.name(), reason);
    turns.hold();
    site.after(RETRY_MILLIS, this::start);
  }

  Turns turns() {
    return turns;
  }

  /** New counters were read. */
  void counted() {
    listener.counted();
  }

  /** A rule is not in the switch, even if the ledger has it as installed. */
  void refuse(RuleKey key, String why) {
    listener.refused(key, why);
  }

  String idOf(RuleKey key) {
    return listener.idOf(key);
  }
}
