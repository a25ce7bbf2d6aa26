package io.lockstep.store.engine.bftsmart;

import bftsmart.communication.SystemMessage;
import bftsmart.consensus.messages.ConsensusMessage;
import bftsmart.tom.core.ExecutionManager;
import io.lockstep.store.log.Decision;
import org.jspecify.annotations.Nullable;

/**
 * The library's numbers for instances. Instances are counted in 64 bits and never start again; the
 * library counts in 32. So the instances form eras, and the library's numbers start again with each
 * {@link Era} (docs/adr/0006). Converts consensus messages to and from the library's numbers.
 *
 * <p>Changed on the replica's loop; any thread may read.
 */
final class LibraryNumbers {
  private final ExecutionManager executions;
  private volatile Era era;

  LibraryNumbers(ExecutionManager executions, long instancesPerEra) {
    this.executions = executions;
    this.era = Era.of(instancesPerEra, 0);
  }

  /** The present era. */
  Era era() {
    return era;
  }

  /** Whether an instance belongs to the present era. */
  boolean covers(long instance) {
    return era.covers(instance);
  }

  /** A consensus message of a covered instance, converted for the library. */
  ConsensusMessage numbered(InstanceMessage message) {
    return message.numbered(era);
  }

  /**
   * Converts a message that the library sends; null if it must not leave, because its era has ended
   * since.
   */
  @Nullable SystemMessage leaving(SystemMessage message) {
    if (!(message instanceof ConsensusMessage consensus)) {
      return message;
    }
    Era now = era;
    return now.names(consensus.getNumber()) ? InstanceMessage.of(consensus, now) : null;
  }

  /** Switches to the era of the instance after a decision; returns the number of that decision. */
  int goOnAfter(Decision last) {
    Era next = Era.of(era.length(), last.instance() + 1);
    int number = next.number(last.instance());
    if (next.index() != era.index()) {
      executions.removeOutOfContexts(Integer.MAX_VALUE);
      era = next;
    }
    // The library removes all numbers between this one and the next removed one, one by one.
    LibraryFields.set(ExecutionManager.class, "lastRemovedCID", executions, Math.max(0, number));
    return number;
  }

  /**
   * One era and its numbers. Two successive eras share no number, so a leftover of the previous era
   * cannot pass for one of this era. The number before the first names the last decision of the
   * previous era.
   *
   * @param length instances in an era, 1 to {@link #MOST}; the same on every replica
   * @param index from 0
   */
  record Era(long length, long index) {
    /**
     * The longest era: the highest number, and what the library adds to it, still fit into 32 bits.
     * It lasts about six days at a thousand instances each second.
     */
    static final long MOST = 1L << 29;

    Era {
      if (length < 1 || length > MOST || index < 0) {
        throw new IllegalArgumentException("era " + index + " of " + length + " instances");
      }
    }

    /** The era of an instance. */
    static Era of(long length, long instance) {
      return new Era(length, instance / length);
    }

    /** The first instance. */
    long first() {
      return index * length;
    }

    /** The last instance. */
    long last() {
      return first() + length - 1;
    }

    /** Whether an instance is of this era. */
    boolean covers(long instance) {
      return instance >= first() && instance <= last();
    }

    /** Whether a number names an instance of this era. */
    boolean names(int number) {
      return number >= firstNumber() && number < firstNumber() + length;
    }

    /**
     * The number of an instance of this era, or of the last one before it; -1 if there is none
     * before it.
     */
    int number(long instance) {
      if (instance != first() - 1 && !covers(instance)) {
        throw new IllegalArgumentException("instance " + instance + " is not of " + this);
      }
      return (int) (instance - first() + firstNumber());
    }

    /** The instance of a number. */
    long instance(int number) {
      return number - firstNumber() + first();
    }

    private long firstNumber() {
      if (index == 0) {
        return 0;
      }
      return index % 2 == 0 ? 1 : length + 2;
    }
  }
}
