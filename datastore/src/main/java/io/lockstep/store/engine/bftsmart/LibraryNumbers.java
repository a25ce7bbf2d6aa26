package io.lockstep.store.engine.bftsmart;

import bftsmart.communication.SystemMessage;
import bftsmart.consensus.messages.ConsensusMessage;
import bftsmart.tom.core.ExecutionManager;
import io.lockstep.store.log.Decision;
import org.jspecify.annotations.Nullable;

/**
 * The era of this replica's library. Converts consensus messages to and from the library's numbers.
 * Changed on the replica's loop; any thread may read.
 */
final class LibraryNumbers {
  private final ExecutionManager executions;
  private volatile Numbering numbering;

  LibraryNumbers(ExecutionManager executions, long instancesPerEra) {
    this.executions = executions;
    this.numbering = Numbering.of(instancesPerEra, 0);
  }

  /** The current numbering. */
  Numbering now() {
    return numbering;
  }

  /** Whether an instance belongs to this era. */
  boolean covers(long instance) {
    return numbering.covers(instance);
  }

  /** A consensus message of a covered instance, converted for the library. */
  ConsensusMessage numbered(InstanceMessage message) {
    return message.numbered(numbering);
  }

  /**
   * Converts a message that the library sends; null if it must not leave, because its era has ended
   * since.
   */
  @Nullable SystemMessage leaving(SystemMessage message) {
    if (!(message instanceof ConsensusMessage consensus)) {
      return message;
    }
    Numbering now = numbering;
    return now.names(consensus.getNumber()) ? InstanceMessage.of(consensus, now) : null;
  }

  /** Switches to the era of the instance after a decision; returns the number of that decision. */
  int goOnAfter(Decision last) {
    Numbering next = Numbering.of(numbering.perEra(), last.instance() + 1);
    int number = next.number(last.instance());
    if (next.era() != numbering.era()) {
      executions.removeOutOfContexts(Integer.MAX_VALUE);
      numbering = next;
    }
    // The library removes all numbers between this one and the next removed one, one by one.
    LibraryFields.set(ExecutionManager.class, "lastRemovedCID", executions, Math.max(0, number));
    return number;
  }
}
