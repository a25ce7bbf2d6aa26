package io.lockstep.store.log;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Computes the hashes that bind each decision to all earlier ones, see {@link Decision#chain}. No
 * other class computes them. Not thread-safe.
 */
public final class Chain {
  private final MessageDigest digest;

  /** A chain with a digest of its own. */
  public Chain() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("no SHA-256 in this Java", e);
    }
  }

  /** The decision that follows another one. */
  public Decision next(Decision before, int regency, byte[] value) {
    long instance = before.instance() + 1;
    return new Decision(instance, regency, hash(before.chain(), instance, value), value);
  }

  /** Whether a decision follows another one in the same history. */
  public boolean follows(Decision before, Decision next) {
    return next.instance() == before.instance() + 1 && continues(before.chain(), next);
  }

  /**
   * Whether a decision's hash continues a history.
   *
   * @param before the chain hash at the end of the history
   */
  public boolean continues(byte[] before, Decision next) {
    return MessageDigest.isEqual(hash(before, next.instance(), next.value()), next.chain());
  }

  private byte[] hash(byte[] before, long instance, byte[] value) {
    digest.update(before);
    digest.update(ByteBuffer.allocate(Long.BYTES).putLong(0, instance));
    return digest.digest(value);
  }
}
