package io.lockstep.store.engine.bftsmart;

import bftsmart.consensus.Consensus;
import bftsmart.consensus.Epoch;
import bftsmart.consensus.messages.ConsensusMessage;
import bftsmart.reconfiguration.ServerViewController;
import bftsmart.tom.core.ExecutionManager;
import bftsmart.tom.core.TOMLayer;
import bftsmart.tom.util.BatchReader;
import io.lockstep.store.log.Decision;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The library's records of instances, and the consensus messages that it holds back while a leader
 * change suspends normal operation. Both go by the library's own numbers, which equal instances
 * only in the first era ({@link LibraryNumbers}).
 *
 * <p>Owned by the replica's loop.
 */
final class ConsensusRecords {
  private final TOMLayer tom;
  private final ExecutionManager executions;
  private final ServerViewController view;
  private final Map<Integer, Consensus> all;
  private final ReentrantLock lock;

  ConsensusRecords(TOMLayer tom, ServerViewController view) {
    this.tom = tom;
    this.executions = tom.execManager;
    this.view = view;
    Class<?> type = ExecutionManager.class;
    this.all = LibraryFields.typed(type, "consensuses", executions);
    this.lock = LibraryFields.typed(type, "consensusesLock", executions);
  }

  /** Removes the records above a number. */
  void dropAbove(int number) {
    lock.lock();
    try {
      all.keySet().removeIf(key -> key > number);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Completes the library's record of the last instance. Without it this replica would report in a
   * leader change that it decided nothing, and the cluster could decide an acknowledged instance
   * again.
   */
  void install(Decision last, int number) {
    if (last.instance() < 0 || last.value().length == 0) {
      return;
    }
    Consensus consensus = executions.getConsensus(number);
    if (consensus.isDecided()) {
      return;
    }
    Epoch epoch = consensus.getEpoch(0, true, view);
    epoch.propValue = last.value();
    epoch.propValueHash = tom.computeHash(last.value());
    epoch.deserializedPropValue = new BatchReader(last.value(), false).deserialiseRequests(view);
    epoch.addToProof(tom.acceptor.getFactory().createAccept(number, 0, epoch.propValueHash));
    consensus.decided(epoch, false);
  }

  /** Whether a leader change suspends normal operation now. */
  boolean suspended() {
    return executions.stopped();
  }

  /** Ends a suspension. Messages about instances after this number continue to wait. */
  void resume(int after) {
    if (suspended()) {
      keepForLater(after);
      dropHeld();
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
  void dropHeld() {
    executions.clearStopped();
    executions.restart();
  }
}
