package io.lockstep.apps.loadbalancer.frame;

/** Big-endian numbers in arrays, and the Internet checksum (RFC 1071). Pure. */
final class Octets {
  private Octets() {}

  static int uint8(byte[] from, int at) {
    return from[at] & 0xff;
  }

  static int uint16(byte[] from, int at) {
    return (from[at] & 0xff) << 8 | (from[at + 1] & 0xff);
  }

  static int int32(byte[] from, int at) {
    return uint16(from, at) << 16 | uint16(from, at + 2);
  }

  static long mac(byte[] from, int at) {
    return (long) uint16(from, at) << 32 | Integer.toUnsignedLong(int32(from, at + 2));
  }

  static void put16(byte[] to, int at, int value) {
    to[at] = (byte) (value >>> 8);
    to[at + 1] = (byte) value;
  }

  static void put32(byte[] to, int at, int value) {
    put16(to, at, value >>> 16);
    put16(to, at + 2, value);
  }

  static void putMac(byte[] to, int at, long mac) {
    put16(to, at, (int) (mac >>> 32));
    put32(to, at + 2, (int) mac);
  }

  /** The sum of the 16-bit words, an odd last byte filled up; not yet folded. */
  static long sum(byte[] from, int at, int length) {
    long sum = 0;
    for (int i = 0; i + 1 < length; i += 2) {
      sum += uint16(from, at + i);
    }
    return length % 2 == 0 ? sum : sum + (uint8(from, at + length - 1) << 8);
  }

  /** The checksum of a sum. */
  static int checksum(long sum) {
    long folded = sum;
    while (folded >>> 16 != 0) {
      folded = (folded & 0xffff) + (folded >>> 16);
    }
    return (int) (~folded & 0xffff);
  }
}
