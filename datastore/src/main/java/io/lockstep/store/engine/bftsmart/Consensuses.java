package io.lockstep.store.engine.bftsmart;

import bftsmart.consensus.Consensus;
import bftsmart.consensus.Epoch;
import bftsmart.reconfiguration.ServerViewController;
import bftsmart.tom.core.ExecutionManager;
import bftsmart.tom.core.TOMLayer;
import bftsmart.tom.util.BatchReader;
import io.lockstep.store.log.Decision;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The library's records of instances, by the library's own numbers. Numbers equal instances only in
 * the first era.
 *
 * <p>Owned by the replica's loop.
 */
final class Consensuses {
  private final TOMLayer tom;
  private final ServerViewController view;
  private final Map<Integer, Consensus> all;
  private final ReentrantLock lock;

  Consensuses(TOMLayer tom, ServerViewController view) {
    this.tom = tom;
    this.view = view;
    Class<?> type = ExecutionManager.class;
    this.all = LibraryFields.typed(type, "consensuses", tom.execManager);
    this.lock = LibraryFields.typed(type, "consensusesLock", tom.execManager);
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
    Consensus consensus = tom.execManager.getConsensus(number);
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
}
