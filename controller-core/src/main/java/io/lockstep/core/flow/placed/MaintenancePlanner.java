package io.lockstep.core.flow.placed;

import io.lockstep.placer.Change;
import io.lockstep.placer.Outcome;
import io.lockstep.placer.Plan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plans what no one requested, after a read-back that found nothing to repair: a layer shrinks or
 * grows with the entries of others in it, and rules move with their traffic. Control loop only.
 */
final class MaintenancePlanner {
  static final long RETRY_MILLIS = 15_000;

  private final SwitchPlacement placement;
  private final ImprovementPace pace;
  private long retriedMillis;

  MaintenancePlanner(SwitchPlacement placement, ImprovementPace pace) {
    this.placement = placement;
    this.pace = pace;
  }

  /** The switch is ready; all periods begin. */
  void start(long nowMillis) {
    pace.start(nowMillis);
    retriedMillis = nowMillis;
  }

  /**
   * The next plan; null where there is nothing to do.
   *
   * @param capacities units that others leave in each layer
   */
  @Nullable Plan next(List<Long> capacities, long nowMillis) {
    Plan resize = resize(capacities);
    return resize == null ? pace.next(nowMillis) : resize;
  }

  private @Nullable Plan resize(List<Long> capacities) {
    for (int layer = 0; layer < capacities.size(); layer++) {
      long units = capacities.get(layer);
      if (units == placement.ledger().capacities().get(layer)) {
        continue;
      }
      Outcome outcome = placement.placer().plan(new Change.Resize(layer, units));
      if (!(outcome instanceof Plan)) {
        // The rules of the layer stay in it; no other rule comes into it.
        long used = Math.max(units, placement.placer().usedIn(layer));
        outcome = placement.placer().plan(new Change.Resize(layer, used));
      }
      if (outcome instanceof Plan plan) {
        return plan;
      }
    }
    return null;
  }

  /**
   * Whether rejected rules are to be retried now, and the placer is to forget what the switch
   * rejected: a table may have grown.
   *
   * @param anyRejected whether requested rules are not in the switch
   */
  boolean retries(boolean anyRejected, long nowMillis) {
    boolean due = nowMillis - retriedMillis >= RETRY_MILLIS;
    if (!due || !(anyRejected || placement.errors().sinceRetry())) {
      return false;
    }
    retriedMillis = nowMillis;
    placement.errors().retried();
    return true;
  }
}
