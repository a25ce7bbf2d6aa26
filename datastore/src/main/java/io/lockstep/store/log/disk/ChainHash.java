package io.lockstep.store.log.disk;

import io.lockstep.store.log.Decision;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Checks that decisions continue each other. One thread. */
final class ChainHash {
  private final MessageDigest digest;

  ChainHash() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("no SHA-256 in this Java", e);
    }
  }

  /** Whether {@code decision} comes directly after the history that ends with {@code before}. */
  boolean continues(byte[] before, Decision decision) {
    digest.update(before);
    digest.update(ByteBuffer.allocate(Long.BYTES).putLong(0, decision.instance()));
    return MessageDigest.isEqual(digest.digest(decision.value()), decision.chain());
  }
}
