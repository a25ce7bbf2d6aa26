package io.lockstep.store.log;

/**
 * A start of this replica on its directory.
 *
 * @param start its number and nonce
 * @param found how far the log had come when the replica started
 */
public record OwnStart(Start start, Progress found) {
  /** A directory keeps so many of its starts, the newest. */
  public static final int MOST_KEPT = 32;
}
