package io.lockstep.core.flow.placed;

import io.lockstep.placer.Change;
import io.lockstep.placer.Improvement;
import io.lockstep.placer.ImprovementPosition;
import io.lockstep.placer.Plan;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides when rules move with their traffic. After a reading it looks for moves slice by slice,
 * round by round, until a round finds none. Where one slice gains a part of all traffic that is
 * worth it, all moves that gain beyond the hysteresis of the placer follow. Between two slices the
 * agent looks at what applications request. Steady traffic is noisy: what gains less waits a minute
 * for each flow-mod. Rules that use a reserve move back at once, and bring no other moves about.
 * See ADR 0047. Control loop only.
 */
final class ImprovementPace {
  /** Moves begin at once where they gain this part of all traffic. */
  static final double WORTH_IT = 0.01;

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

  /** Whether moves are looked for. */
  private boolean due;

  /** Where the next slice begins. */
  private ImprovementPosition from = ImprovementPosition.BEGIN;

  /** Whether another round follows this one: rules moved, or weights changed. */
  private boolean again;

  /** Whether a slice was worth it, so that all others are. */
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
  }

  /** A reading gave rules other weights, or a layer has another capacity. */
  void weighed() {
    again |= due; // a search that is under way goes on, for it began with what is heaviest
    due = true;
  }

  /** Whether {@link #next} has more to look at, also where it found nothing. */
  boolean searches() {
    return due;
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
    again = false;
    from = ImprovementPosition.BEGIN;
  }

  /** The next slice; null where it has nothing to move. */
  @Nullable Plan next(long nowMillis) {
    if (!due) {
      return null;
    }
    if (placement.pipeline().profile().layers().size() < 2) {
      rest();
      return null;
    }
    if (placement.placer().reserveUsed()
        && placement.placer().plan(new Change.Relieve(), MAX_FLOW_MODS) instanceof Plan relief
        && relief.flowMods() > 0) {
      moved = true;
      return relief;
    }
    Improvement slice = placement.placer().improve(from, MAX_FLOW_MODS);
    boolean moves = slice.plan().flowMods() > 0 && isWorthIt(slice.plan(), nowMillis);
    again |= moves;
    goOn(slice.next());
    if (moves) {
      movedMillis = nowMillis;
      moved = true;
      return slice.plan();
    }
    return null;
  }

  private void goOn(@Nullable ImprovementPosition next) {
    if (next != null) {
      from = next;
    } else if (again) {
      from = ImprovementPosition.BEGIN;
      again = false;
    } else {
      rest();
    }
  }

  private boolean isWorthIt(Plan plan, long nowMillis) {
    going |= placement.placer().gainOf(plan) >= WORTH_IT * allTraffic.getAsDouble();
    return going || plan.flowMods() <= (nowMillis - movedMillis) / MILLIS_FOR_A_FLOW_MOD;
  }
}
