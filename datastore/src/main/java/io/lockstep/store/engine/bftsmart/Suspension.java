package io.lockstep.store.engine.bftsmart;

import bftsmart.consensus.messages.ConsensusMessage;
import bftsmart.tom.core.ExecutionManager;
import java.util.ArrayList;

/**
 * The library's suspension of normal operation while a leader change is under way, and the
 * consensus messages that it holds back meanwhile. Owned by the replica's loop.
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

  /** Ends it where there is one. Messages about what comes after an instance number wait on. */
  void resume(int after) {
    if (active()) {
      keepForLater(after);
      drop();
    }
  }

  /** What was held back must not overtake what is out of context. */
  void keepForLater(int after) {
    for (ConsensusMessage held : new ArrayList<>(executions.getStoppedMsgs())) {
      if (held.getNumber() > after) {
        executions.getStoppedMsgs().remove(held);
        executions.addOutOfContextMessage(held);
      }
    }
  }

  /** Ends it, and forgets the messages. */
  void drop() {
    executions.clearStopped();
    executions.restart();
  }
}
