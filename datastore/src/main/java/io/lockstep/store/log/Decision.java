package io.lockstep.store.log;

/**
 * One decided instance. The record does not copy its arrays.
 *
 * @param instance its number, from 0, without gaps
 * @param regency the leader's term in which it was decided, as far as this replica knows
 * @param chain SHA-256 over the chain hash of the instance before, the instance (8 bytes,
 *     big-endian) and the value: equal hashes mean equal histories
 * @param value the decided batch as the engine encodes it
 */
public record Decision(long instance, int regency, byte[] chain, byte[] value) {
  /** Length of a chain hash in bytes. */
  public static final int CHAIN_BYTES = 32;

  /** The decision before the first instance. */
  public static final Decision NONE = new Decision(-1, 0, new byte[CHAIN_BYTES], new byte[0]);
}
