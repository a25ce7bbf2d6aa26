package io.lockstep.store.engine.bftsmart.library;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * By what the library tells proposed values apart: length, CRC-32 and CRC-32C.
 *
 * <p>The library takes MD5, which at 15 kB a batch was an eighth of all work of a replica. What it
 * compares are proposals for one instance, of which replicas that do not lie make one in each
 * regency; so chance is all that a digest has to stand against here, and 64 bits of checksums do.
 * What was decided is compared by SHA-256 ({@link io.lockstep.store.log.Chain}), and no reply
 * counts that comes from another history. Replicas that lie would need SHA-256 here too.
 *
 * <p>Not thread-safe.
 */
public final class ValueDigest extends MessageDigest {
  private final CRC32 first = new CRC32();
  private final CRC32C second = new CRC32C();
  private long length;

  ValueDigest() {
    super("length, CRC-32, CRC-32C");
  }

  /** Called by the library in place of {@link MessageDigest#getInstance(String)}. */
  public static MessageDigest getInstance(String unused) {
    return new ValueDigest();
  }

  @Override
  protected void engineUpdate(byte input) {
    engineUpdate(new byte[] {input}, 0, 1);
  }

  @Override
  protected void engineUpdate(byte[] input, int offset, int count) {
    first.update(input, offset, count);
    second.update(input, offset, count);
    length += count;
  }

  @Override
  protected byte[] engineDigest() {
    byte[] digest =
        ByteBuffer.allocate(16)
            .putLong(length)
            .putInt((int) first.getValue())
            .putInt((int) second.getValue())
            .array();
    engineReset();
    return digest;
  }

  @Override
  protected void engineReset() {
    first.reset();
    second.reset();
    length = 0;
  }
}
