package io.lockstep.core.flow.placed;

import io.lockstep.placer.Plan;
import io.lockstep.placer.RuleKey;
import java.util.List;

/**
 * Decides what a reading of the flow tables asks for: a repair first, else maintenance that no one
 * requested, else a retry of rejected rules when that is due. Control loop only.
 */
final class ReadBackReview {
  private final SwitchPlacement placement;
  private final ChangeSelection selection;
  private final SwitchRejections rejections;
  private final ReadBackHistory history;
  private final MaintenancePlanner maintenance;

  /**
   * What a reading asks for.
   *
   * @param missing rules that the switch confirmed and does not show, to be reported now
   * @param work what the switch needs next
   */
  record Reviewed(List<RuleKey> missing, NextWork work) {}

  ReadBackReview(
      SwitchPlacement placement,
      ChangeSelection selection,
      SwitchRejections rejections,
      ReadBackHistory history,
      ImprovementPace pace) {
    this.placement = placement;
    this.selection = selection;
    this.rejections = rejections;
    this.history = history;
    this.maintenance = new MaintenancePlanner(placement, pace);
  }

  /** The switch is ready; the periods of maintenance begin. */
  void start(long nowMillis) {
    maintenance.start(nowMillis);
  }

  /** Reviews a reading that no change overtook. */
  Reviewed review(FlowTableSnapshot seen, long nowMillis) {
    history.read(seen);
    ReadBackRepair repair =
        new ReadBackRepair(placement.pipeline(), placement.placer().image(), seen);
    // The look at each of them finds it in the ledger, and reports it as installed.
    selection.lookAt(history.present(repair.missingRules));
    if (repair.needed()) {
      return new Reviewed(history.repaired(repair, nowMillis), new NextWork.Repair(repair.mods));
    }
    Plan plan = maintenance.next(seen.capacities(), nowMillis);
    if (plan != null) {
      return new Reviewed(List.of(), new NextWork.Maintain(plan));
    }
    if (maintenance.retries(!rejections.isEmpty(), nowMillis)) {
      selection.retry(rejections.keys());
    }
    return new Reviewed(List.of(), new NextWork.Nothing());
  }
}
