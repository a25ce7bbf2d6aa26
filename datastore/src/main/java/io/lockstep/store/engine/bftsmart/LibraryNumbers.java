package io.lockstep.store.engine.bftsmart;

import bftsmart.communication.SystemMessage;
import bftsmart.consensus.messages.ConsensusMessage;
import bftsmart.tom.core.ExecutionManager;
import io.lockstep.store.log.Decision;
import org.jspecify.annotations.Nullable;

/**
 * The era in which this replica's library is, and consensus messages in its numbers and out of
 * them. Changed on the replica's loop; any thread may ask.
 */
final class LibraryNumbers {
  private final ExecutionManager executions;
  private volatile Numbering numbering;

  LibraryNumbers(ExecutionManager executions, long instancesPerEra) {
    this.executions = executions;
    this.numbering = Numbering.of(instancesPerEra, 0);
  }

  /** The current ones. */
  Numbering now() {
    return numbering;
  }

  /** Whether an instance is of this era. */
  boolean covers(long instance) {
    return numbering.covers(instance);
  }

  /** A consensus message of a covered instance as the library knows it. */
  ConsensusMessage numbered(InstanceMessage message) {
    return message.numbered(numbering);
  }

  /**
   * A message of the library as it leaves; null where it has to stay, because it was made for an
   * era that has ended meanwhile.
   */
  @Nullable SystemMessage leaving(SystemMessage message) {
    if (!(message instanceof ConsensusMessage consensus)) {
      return message;
    }
    Numbering now = numbering;
    return now.names(consensus.getNumber()) ? InstanceMessage.of(consensus, now) : null;
  }

  /** Chooses the era of what comes after a decision; returns the number of that decision. */
  int goOnAfter(Decision last) {
    Numbering next = Numbering.of(numbering.perEra(), last.instance() + 1);
    int number = next.number(last.instance());
    if (next.era() != numbering.era()) {
      executions.removeOutOfContexts(Integer.MAX_VALUE);
      numbering = next;
    }
    // The library removes, one by one, every number between this and the next that it removes.
    LibraryFields.set(ExecutionManager.class, "lastRemovedCID", executions, Math.max(0, number));
    return number;
  }
}
