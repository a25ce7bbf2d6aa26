package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.log.Decision;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Hashes that tie each decision to all before it. Not thread-safe. */
final class Chain {
  private final MessageDigest digest;

  Chain() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("no SHA-256 in this Java", e);
    }
  }

  /** The decision that follows another one. */
  Decision next(Decision before, int regency, byte[] value) {
    long instance = before.instance() + 1;
    return new Decision(instance, regency, hash(before.chain(), instance, value), value);
  }

  /** Whether a decision follows another one in the same history. */
  boolean follows(Decision before, Decision next) {
    return next.instance() == before.instance() + 1
        && MessageDigest.isEqual(hash(before.chain(), next.instance(), next.value()), next.chain());
  }

  private byte[] hash(byte[] before, long instance, byte[] value) {
    digest.update(before);
    digest.update(ByteBuffer.allocate(Long.BYTES).putLong(0, instance));
    return digest.digest(value);
  }
}
