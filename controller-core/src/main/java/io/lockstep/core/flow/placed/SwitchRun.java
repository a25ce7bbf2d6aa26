package io.lockstep.core.flow.placed;

import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import java.util.List;

/**
 * A piece of work at a switch, as a machine of steps: each call takes what happened and the time,
 * and returns the next action. The owner carries the actions out; a run sends and waits for nothing
 * itself. At most one run of a switch is under way.
 *
 * @param <R> how the run ends
 */
interface SwitchRun<R> {
  /** Begins the run; called once. */
  RunAction<R> start(long nowMillis);

  /** The store has the ledger, as {@link RunAction.Store} asked. */
  RunAction<R> stored(long nowMillis);

  /**
   * The switch answered the flow-mods of {@link RunAction.Send}: one outcome for each, in order.
   */
  RunAction<R> answered(List<FlowModOutcome> outcomes, long nowMillis);
}
