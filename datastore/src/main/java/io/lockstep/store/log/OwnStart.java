package io.lockstep.store.log;

/**
 * A start of this replica on its directory.
 *
 * @param start its number and nonce
 * @param found the progress of the log when the replica started
 */
public record OwnStart(Start start, Progress found) {
  /** The number of starts that a directory keeps, the newest ones. */
  public static final int MOST_KEPT = 32;
}
