package io.lockstep.store.engine.bftsmart.library;

import bftsmart.consensus.Epoch;
import java.util.Arrays;

/**
 * Decides whether an acceptor may count accepts towards a decision.
 *
 * <p>The library's faults: {@code Acceptor.computeAccept} decides on the value of its epoch as soon
 * as a majority accepted <em>some</em> hash. A replica without a proposal then fails on a null
 * value, and a replica with another proposal decides that one, alone. It also decides in an old
 * epoch after the instance has moved to a later one. The later value may differ if a replica has
 * restarted and lost its acceptance.
 */
public final class AcceptGuard {
  private AcceptGuard() {}

  /**
   * Called at the start of the library's {@code computeAccept}.
   *
   * @param instance the consensus instance
   * @param epoch this replica's record of the current epoch
   * @param acceptedHash the hash that some replica has just accepted
   * @return whether this replica holds exactly the accepted proposal, in the newest epoch
   */
  public static boolean mayDecide(int instance, Epoch epoch, byte[] acceptedHash) {
    return epoch.propValueHash != null
        && epoch.deserializedPropValue != null
        && epoch.getTimestamp() == epoch.getConsensus().getEts()
        && Arrays.equals(acceptedHash, epoch.propValueHash);
  }
}
