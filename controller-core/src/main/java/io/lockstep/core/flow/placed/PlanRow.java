package io.lockstep.core.flow.placed;

import java.util.List;

/**
 * What the store has of a switch beside its rules.
 *
 * @param profile its name; for people
 * @param epoch of the master that wrote this
 * @param capacities of the layers in units, that the placer used
 * @param pending changes of the plan that is under way, in the order of its steps; empty for none
 * @param independent whether the pending changes concern different packets, each made by one
 *     flow-mod, all on their way at once: then any of them may be done
 */
record PlanRow(
    String profile,
    long epoch,
    List<Long> capacities,
    List<PendingChange> pending,
    boolean independent) {
  PlanRow {
    capacities = List.copyOf(capacities);
    pending = List.copyOf(pending);
  }
}
