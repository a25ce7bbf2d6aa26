package io.lockstep.store.engine.bftsmart.library;

import bftsmart.consensus.Epoch;
import java.util.Arrays;

/**
 * Decides whether an acceptor may count accepts towards a decision.
 *
 * <p>What the library does wrong: {@code Acceptor.computeAccept} decides on whatever its epoch
 * holds as soon as a majority accepted <em>some</em> hash. A replica that has no proposal then
 * hangs on a null value, and one that holds another proposal decides that one, alone. And it still
 * decides in an old epoch after the instance has moved on to a later one, whose value may be
 * another where a replica has restarted and forgotten what it accepted.
 */
public final class AcceptGuard {
  private AcceptGuard() {}

  /**
   * Called at the start of the library's {@code computeAccept}.
   *
   * @param instance the consensus instance
   * @param epoch what this replica knows in the current epoch
   * @param acceptedHash the hash that was just accepted by some replica
   * @return whether this replica holds the very proposal that was accepted, in the newest epoch
   */
  public static boolean mayDecide(int instance, Epoch epoch, byte[] acceptedHash) {
    return epoch.propValueHash != null
        && epoch.deserializedPropValue != null
        && epoch.getTimestamp() == epoch.getConsensus().getEts()
        && Arrays.equals(acceptedHash, epoch.propValueHash);
  }
}
