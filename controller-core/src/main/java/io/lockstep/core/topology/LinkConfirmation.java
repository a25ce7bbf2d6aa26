package io.lockstep.core.topology;

/**
 * A node's word that it floods as the links ask.
 *
 * @param sessionId the node's session when it said so; it counts as long as that is open
 * @param index of the last change of the links that it follows
 */
public record LinkConfirmation(long sessionId, long index) {
  /** Checks both. */
  public LinkConfirmation {
    if (sessionId <= 0 || index <= 0) {
      throw new IllegalArgumentException("session " + sessionId + ", index " + index);
    }
  }
}
