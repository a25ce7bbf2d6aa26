package io.lockstep.core.flow.placed;

import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.SwitchConnection.Answer;
import io.lockstep.core.state.SwitchTroubles;
import io.lockstep.placer.Change;
import io.lockstep.placer.Outcome;
import io.lockstep.placer.Placer;
import io.lockstep.placer.Plan;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.Step;
import io.lockstep.placer.TrafficWeights;
import io.lockstep.placer.profile.LayerProfile;
import io.lockstep.store.logging.BoundedLog;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is done for a placed switch with every read-back: entries that vanished are put back and
 * strays taken away, what others take counts against the capacities, rules move to where their
 * traffic wants them, and what was refused is tried again. Control loop only.
 */
public final class Upkeep {
  private static final BoundedLog log = BoundedLog.of(Upkeep.class);
  private static final long HALF_LIFE_MILLIS = 30_000;
  private static final long IMPROVE_MILLIS = 10_000;
  private static final long RETRY_MILLIS = 15_000;
  private static final int MAX_BATCH = 256;

  /** Read-backs that work made useless before work is stopped for one. */
  private static final int MAX_MISSED = 6;

  /**
   * The weight of pinned rules, in bytes per second: more than any switch forwards, and few enough
   * that a gain of a kilobyte is not lost beside them. Only the placer sees it; whether a rule is
   * pinned says {@link #pinned}.
   */
  private static final double PINNED_WEIGHT = 1e12;

  private final PlacedSwitch owner;
  private final Site site;
  private final TrafficWeights weights = new TrafficWeights(HALF_LIFE_MILLIS);
  private final Map<RuleKey, FlowStats> counters = new HashMap<>();
  private final long[] refusedByLayer;
  private final String[] lastErrors;
  private final FalseConfirmations falseConfirmations = new FalseConfirmations();
  private int[] foreignEntries = {};
  private List<Long> capacities = List.of();
  private boolean reading;
  private boolean restored;
  private int missed;
  private boolean quiet;
  private int batchLimit = MAX_BATCH;
  private boolean learned;
  private long improvedMillis;
  private long retriedMillis;
  private long healedMillis;
  private String healed = "";
  private long vanished;
  private long strays;

  Upkeep(PlacedSwitch owner) {
    this.owner = owner;
    this.site = owner.site;
    int layers = site.layout.profile().layers().size();
    refusedByLayer = new long[layers];
    lastErrors = new String[layers];
    foreignEntries = new int[layers];
  }

  // ---- what others of the room ask ----

  boolean restored() {
    return restored;
  }

  /** The switch was read; whether for the first time. */
  boolean readOnce() {
    boolean first = !restored;
    if (first) {
      improvedMillis = site.now();
      retriedMillis = site.now();
    }
    restored = true;
    return first;
  }

  boolean wantsQuiet() {
    return quiet && !reading;
  }

  int batchLimit() {
    return batchLimit;
  }

  double weightOf(LogicalRule rule) {
    return rule.origin().pinned() ? PINNED_WEIGHT : weights.weight(rule.key());
  }

  /** Whether a rule stays in front, however little traffic it has. */
  boolean pinned(RuleKey key) {
    LogicalRule rule = owner.wanted.get(key);
    PlacedRow row = site.ledger.row(key);
    return rule != null ? rule.origin().pinned() : row != null && row.origin().pinned();
  }

  /**
   * The traffic of a rule in bytes per second.
   *
   * @param weight of the rule in the placer: its traffic, unless it is pinned
   */
  double traffic(RuleKey key, double weight) {
    return pinned(key) ? weights.weight(key) : weight;
  }

  void forget(RuleKey key) {
    weights.forget(key);
    counters.remove(key);
  }

  void batchEnded(List<BatchRun.RefusedRule> refused) {
    for (BatchRun.RefusedRule one : refused) {
      learned = true;
      refusedByLayer[one.layer()]++;
      lastErrors[one.layer()] = one.error();
      log.info(site.name(), "{}: refused {}: {}", site.name(), one.key(), one.error());
    }
    batchLimit = refused.isEmpty() ? Math.min(MAX_BATCH, 2 * batchLimit) : 1;
  }

  void switchRefused(Step step, String error) {
    learned = true;
    refusedByLayer[step.layer()]++;
    lastErrors[step.layer()] = error;
    log.info(site.name(), "{}: refused {} {}: {}", site.name(), step.kind(), step.entry(), error);
  }

  void foreign(Inventory seen) {
    foreignEntries = seen.foreignEntries.clone();
    capacities = seen.capacities();
  }

  int foreignIn(int layer) {
    return foreignEntries[layer];
  }

  long refusedIn(int layer) {
    return refusedByLayer[layer];
  }

  /** What the switch said last where a layer holds less than the profile says; null for nothing. */
  @Nullable String lastError(String layerId) {
    List<LayerProfile> layers = site.layout.profile().layers();
    for (int layer = 0; layer < layers.size(); layer++) {
      if (layers.get(layer).id().equals(layerId)) {
        return lastErrors[layer];
      }
    }
    return null;
  }

  @Nullable String lastError(int layer) {
    return lastErrors[layer];
  }

  /** Entries that were put back so far. */
  long vanished() {
    return vanished;
  }

  /** Entries with our cookies that were taken away so far. */
  long strays() {
    return strays;
  }

  /** What had to be healed a moment ago, for people; empty for nothing. */
  public String trouble() {
    boolean recent = site.now() - healedMillis <= SwitchTroubles.SHOWN_MILLIS;
    return recent ? healed : "";
  }

  /** The counters of a rule in the layer where it is, as last read; null where it has none. */
  public @Nullable FlowStats counters(RuleKey key) {
    return counters.get(key);
  }

  // ---- read-back ----

  /** Reads the flow tables, unless they are being read. */
  public void read() {
    if (reading || !restored) {
      return;
    }
    reading = true;
    long turn = site.turns;
    site.read(
        answer -> {
          reading = false;
          if (answer instanceof Answer.Of<List<FlowStats>> of) {
            compare(of.value(), turn);
          } else {
            log.info(site.name(), "{}: flow tables could not be read: {}", site.name(), answer);
            owner.turns().wake();
          }
        });
  }

  private void compare(List<FlowStats> stats, long turn) {
    Inventory seen = Inventory.of(site.layout, stats);
    weigh(seen);
    owner.counted();
    if (turn != site.turns || !owner.turns().begin()) {
      missed++;
      quiet = missed >= MAX_MISSED;
      owner.turns().wake();
      return;
    }
    missed = 0;
    quiet = false;
    foreign(seen);
    ReadBackRepair repair = new ReadBackRepair(site.layout, site.placer().image(), seen);
    // The turn of each finds it in the ledger and reports it as installed.
    falseConfirmations.present(repair.missingRules).forEach(owner.queue::put);
    if (repair.needed()) {
      vanished += repair.vanished;
      strays += repair.strays;
      healed =
          String.format(
              "%d entries had been deleted or changed and were put back, %d that should not be there"
                  + " were taken away",
              repair.vanished, repair.strays);
      healedMillis = site.now();
      log.warn(site.name(), "{}: {}", site.name(), healed);
      falseConfirmations.missing(repair.missingRules).forEach(this::reportMissing);
      owner.turns().heal(repair.mods);
    } else if (!resize() && !improve()) {
      retry();
      owner.turns().free();
    }
  }

  private void reportMissing(RuleKey key) {
    owner.refuse(
        key,
        String.format(
            "%s: %s: the switch confirmed it %d times and does not have it as it was sent (%s)",
            site.name(), key, FalseConfirmations.TOO_OFTEN, owner.room()));
  }

  private void weigh(Inventory seen) {
    Placer placer = site.placer();
    counters.clear();
    seen.ours.forEach(
        (at, entry) -> {
          if (placer.layerOf(at.key()) == at.layer()) {
            counters.put(at.key(), entry);
            double weight = weights.observe(at.key(), entry.bytes(), site.now());
            LogicalRule rule = owner.wanted.get(at.key());
            placer.weigh(at.key(), rule == null ? weight : Math.max(weight, weightOf(rule)));
          }
        });
  }

  /** Begins to change the capacity of a layer that others use otherwise now. */
  private boolean resize() {
    for (int layer = 0; layer < capacities.size(); layer++) {
      long units = capacities.get(layer);
      if (units == site.ledger.capacities().get(layer)) {
        continue;
      }
      Outcome outcome = site.placer().plan(new Change.Resize(layer, units));
      if (!(outcome instanceof Plan)) {
        // What is there is there; nothing more comes.
        long used = Math.max(units, site.placer().usedIn(layer));
        outcome = site.placer().plan(new Change.Resize(layer, used));
      }
      if (outcome instanceof Plan plan && units != site.ledger.capacities().get(layer)) {
        owner
            .turns()
            .carryOut(plan, null, () -> owner.refusals.worthRetrying().forEach(owner.queue::put));
        return true;
      }
    }
    return false;
  }

  private boolean improve() {
    boolean due = site.now() - improvedMillis >= IMPROVE_MILLIS;
    if (!due || site.layout.profile().layers().size() < 2) {
      return false;
    }
    improvedMillis = site.now();
    if (site.placer().plan(new Change.Improve()) instanceof Plan plan && plan.flowMods() > 0) {
      owner
          .turns()
          .carryOut(plan, null, () -> owner.refusals.worthRetrying().forEach(owner.queue::put));
      return true;
    }
    return false;
  }

  private void retry() {
    boolean due = site.now() - retriedMillis >= RETRY_MILLIS;
    if (due && (learned || !owner.refusals.isEmpty())) {
      retriedMillis = site.now();
      learned = false;
      batchLimit = 1;
      site.placer().forgetRefusals();
      owner.refusals.keys().forEach(owner.queue::put);
    }
  }
}
