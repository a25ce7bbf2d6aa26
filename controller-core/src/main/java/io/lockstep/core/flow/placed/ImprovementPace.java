package io.lockstep.core.flow.placed;

import io.lockstep.placer.Change;
import io.lockstep.placer.Plan;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides when rules move with their traffic. Where the next moves gain a part of all traffic that
 * is worth it, moves go on slice by slice until none gains beyond the hysteresis of the placer.
 * Between two slices the agent looks at what applications request. The readings of the next {@value
 * #SETTLING_MILLIS} ms move what they can, too. Steady traffic is noisy: later, what gains less
 * waits a minute for each flow-mod. Rules that use a reserve move back at once, and bring no other
 * moves about. See ADR 0047. Control loop only.
 */
final class ImprovementPace {
  /** Moves begin at once where they gain this part of all traffic. */
  static final double WORTH_IT = 0.01;

  /** So long after such moves every gain is made: the next two readings show more of the change. */
  static final long SETTLING_MILLIS = 25_000;

  /** Flow-mods in one slice, at most; so an application waits some barriers, not seconds. */
  static final int MAX_FLOW_MODS = 256;

  /** So long after many new rules the switch is read: their entries are old enough to tell. */
  static final long EARLY_READING_MILLIS = 3_500;

  /** New rules that make a start a cold one. */
  private static final int MANY = 64;

  private static final long MILLIS_FOR_A_FLOW_MOD = 60_000;

  private final SwitchPlacement placement;
  private final DoubleSupplier allTraffic;
  private long movedMillis;
  private long settledMillis;

  /** Whether the weights changed since no gain was found. */
  private boolean due;

  /** Whether slices follow each other, after one that was worth it. */
  private boolean going;

  /** Whether rules moved since {@link #takeMoved}. */
  private boolean moved;

  private int fresh;

  /**
   * A pace for a switch.
   *
   * @param allTraffic of its rules, in bytes per second
   */
  ImprovementPace(SwitchPlacement placement, DoubleSupplier allTraffic) {
    this.placement = placement;
    this.allTraffic = allTraffic;
  }

  /** The switch is ready. */
  void start(long nowMillis) {
    movedMillis = nowMillis;
    settledMillis = nowMillis;
  }

  /** A reading gave rules other weights, or a layer has another capacity. */
  void weighed() {
    due = true;
  }

  /** The switch has so many rules more, or otherwise. */
  void placed(int rules) {
    fresh += rules;
  }

  /** Whether many rules are new, of which no reading was asked for. */
  boolean takeCold() {
    boolean cold = fresh >= MANY;
    fresh = cold ? 0 : fresh;
    return cold;
  }

  /** Whether rules moved, and no more are to move now; once. */
  boolean takeMoved() {
    boolean taken = moved && !due;
    moved = moved && due;
    return taken;
  }

  /** The switch rejected a move: the next reading decides anew. */
  void rest() {
    due = false;
    going = false;
  }

  /** The next slice; null where nothing is to move now. */
  @Nullable Plan next(long nowMillis) {
    if (!due || placement.pipeline().profile().layers().size() < 2) {
      return null;
    }
    Plan relief = placement.placer().reserveUsed() ? planned(new Change.Relieve()) : null;
    if (relief != null) {
      moved = true;
      return relief;
    }
    Plan plan = planned(new Change.Improve());
    if (plan != null && isWorthIt(plan, nowMillis)) {
      movedMillis = nowMillis;
      moved = true;
      return plan;
    }
    rest();
    return null;
  }

  private @Nullable Plan planned(Change change) {
    return placement.placer().plan(change, MAX_FLOW_MODS) instanceof Plan plan
            && plan.flowMods() > 0
        ? plan
        : null;
  }

  private boolean isWorthIt(Plan plan, long nowMillis) {
    if (placement.placer().gainOf(plan) >= WORTH_IT * allTraffic.getAsDouble()) {
      going = true;
      settledMillis = nowMillis + SETTLING_MILLIS;
    }
    return going
        || nowMillis < settledMillis
        || plan.flowMods() <= (nowMillis - movedMillis) / MILLIS_FOR_A_FLOW_MOD;
  }
}
