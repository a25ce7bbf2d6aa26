package io.lockstep.store.engine.bftsmart.library;

import bftsmart.consensus.Consensus;
import bftsmart.consensus.Epoch;
import bftsmart.reconfiguration.ServerViewController;

/**
 * Gives a new epoch of a consensus instance the epoch that it is based on.
 *
 * <p>The library's fault: an epoch takes its arrays from the epoch before it. If that one does not
 * exist, the library creates it in the same way, down to epoch 0. Epochs are regencies. So after
 * some thousand leader changes the next one ends in a stack overflow, on every replica and again
 * after each restart. The arrays are the same in all epochs, so this class takes the first.
 */
public final class EpochChain {
  private EpochChain() {}

  /** Called by the library's {@code Epoch} in place of {@link Consensus#getEpoch}. */
  public static Epoch before(Consensus consensus, int timestamp, ServerViewController controller) {
    return consensus.getEpoch(0, controller);
  }
}
