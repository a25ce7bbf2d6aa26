package io.lockstep.dataplane.packet;

/** Big-endian numbers in byte arrays, and the Internet checksum (RFC 1071). */
final class Octets {
  private Octets() {}

  static int u8(byte[] bytes, int at) {
    return bytes[at] & 0xff;
  }

  static int u16(byte[] bytes, int at) {
    return (u8(bytes, at) << 8) | u8(bytes, at + 1);
  }

  static long u32(byte[] bytes, int at) {
    return ((long) u16(bytes, at) << 16) | u16(bytes, at + 2);
  }

  static long u48(byte[] bytes, int at) {
    return ((long) u16(bytes, at) << 32) | u32(bytes, at + 2);
  }

  static long u64(byte[] bytes, int at) {
    return (u32(bytes, at) << 32) | u32(bytes, at + 4);
  }

  /** Writes the low {@code count} octets of {@code value}, most significant first. */
  static void put(byte[] bytes, int at, int count, long value) {
    for (int i = 0; i < count; i++) {
      bytes[at + i] = (byte) (value >>> (8 * (count - 1 - i)));
    }
  }

  /** One's-complement sum of 16-bit words, not yet inverted; an odd last octet is padded. */
  static long sum(byte[] bytes, int from, int to, long start) {
    long sum = start;
    int at = from;
    for (; at + 1 < to; at += 2) {
      sum += u16(bytes, at);
    }
    if (at < to) {
      sum += ((long) u8(bytes, at)) << 8;
    }
    return sum;
  }

  /** The checksum field for a sum: folded to 16 bits and inverted. */
  static int checksum(long sum) {
    long folded = sum;
    while (folded >>> 16 != 0) {
      folded = (folded & 0xffff) + (folded >>> 16);
    }
    return (int) (~folded & 0xffff);
  }
}
