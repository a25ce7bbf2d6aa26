package io.lockstep.store.engine.bftsmart.library;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * The digest by which the library distinguishes proposed values: length, CRC-32 and CRC-32C.
 *
 * <p>The library takes MD5, which at 15 kB a batch was an eighth of all work of a replica. It
 * compares proposals for one instance. Replicas that do not lie make one of them in each regency,
 * so the digest only has to withstand chance, and 64 bits of checksums suffice. SHA-256
 * distinguishes decided histories ({@link io.lockstep.store.log.Chain}), and no reply from another
 * history counts. Replicas that lie would need SHA-256 here too.
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

  /**
   * The hash code of a proposed value in a regency. The library's own hash code makes a number of a
   * whole batch and takes its lowest digits, for a set that holds one value of each regency.
   *
   * <p>Called by the library's {@code TimestampValuePair.hashCode}.
   */
  public static int hashOf(int regency, byte[] value) {
    return 31 * regency + value.length;
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
