package io.lockstep.core.host;

import java.nio.ByteBuffer;

/**
 * An IPv6 address (RFC 4291).
 *
 * @param high its first eight bytes
 * @param low its last eight bytes
 */
record Ip6(long high, long low) {

  /** The address of 16 bytes in network byte order. */
  static Ip6 of(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    return new Ip6(in.getLong(), in.getLong());
  }

  /** Whether it can be a host's: neither unspecified, nor loopback, nor a group. */
  boolean isUnicast() {
    return high >>> 56 != 0xff && (high != 0 || low < 0 || low > 1);
  }

  /** The address in network byte order. */
  byte[] bytes() {
    byte[] bytes = new byte[16];
    for (int i = 0; i < 8; i++) {
      bytes[i] = (byte) (high >>> (56 - 8 * i));
      bytes[8 + i] = (byte) (low >>> (56 - 8 * i));
    }
    return bytes;
  }
}
