package io.lockstep.store.engine.bftsmart;

import bftsmart.consensus.messages.ConsensusMessage;
import bftsmart.tom.core.ExecutionManager;
import java.util.ArrayList;

/**
 * The library's suspension of normal operation during a leader change, and the consensus messages
 * that it holds back meanwhile. Owned by the replica's loop.
 */
final class Suspension {
  private final ExecutionManager executions;

  Suspension(ExecutionManager executions) {
    this.executions = executions;
  }

  /** Whether normal operation is suspended now. */
  boolean active() {
    return executions.stopped();
  }

  /** Ends a suspension. Messages about instances after this number continue to wait. */
  void resume(int after) {
    if (active()) {
      keepForLater(after);
      drop();
    }
  }

  /** Moves held messages behind those that are out of context, which they must not overtake. */
  void keepForLater(int after) {
    for (ConsensusMessage held : new ArrayList<>(executions.getStoppedMsgs())) {
      if (held.getNumber() > after) {
        executions.getStoppedMsgs().remove(held);
        executions.addOutOfContextMessage(held);
      }
    }
  }

  /** Ends the suspension and drops the held messages. */
  void drop() {
    executions.clearStopped();
    executions.restart();
  }
}
