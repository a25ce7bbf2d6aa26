package io.lockstep.openflow.channel.translate;

import java.util.Arrays;

/**
 * The bytes of one message while it is written, big-endian. A buffer of netty checks with each
 * number whether it is still there and has room; a message has dozens of them. Not thread-safe.
 */
final class WireBytes {
  private final byte[] bytes;
  private int length;

  /**
   * An empty message.
   *
   * @param most bytes that it can have
   */
  WireBytes(int most) {
    bytes = new byte[most];
  }

  /** How many bytes were written. */
  int length() {
    return length;
  }

  /** What was written, at the beginning of an array. */
  byte[] array() {
    return bytes;
  }

  WireBytes int8(int value) {
    bytes[length++] = (byte) value;
    return this;
  }

  WireBytes int16(int value) {
    bytes[length] = (byte) (value >>> 8);
    bytes[length + 1] = (byte) value;
    length += 2;
    return this;
  }

  WireBytes int32(int value) {
    return int16(value >>> 16).int16(value);
  }

  WireBytes int64(long value) {
    return int32((int) (value >>> 32)).int32((int) value);
  }

  /** An Ethernet address, in the low 48 bits. */
  WireBytes mac(long address) {
    return int16((int) (address >>> 32)).int32((int) address);
  }

  /** Writes zeros up to a length. */
  WireBytes zerosTo(int end) {
    Arrays.fill(bytes, length, end, (byte) 0);
    length = end;
    return this;
  }

  /** Writes a number of 16 bits over what is there. */
  void set16(int at, int value) {
    bytes[at] = (byte) (value >>> 8);
    bytes[at + 1] = (byte) value;
  }
}
