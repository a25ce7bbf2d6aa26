package io.lockstep.core.host;

/**
 * An IPv6 address (RFC 4291).
 *
 * @param high its first eight bytes
 * @param low its last eight bytes
 */
record Ip6(long high, long low) {

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
