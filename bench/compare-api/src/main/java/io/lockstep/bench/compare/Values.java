package io.lockstep.bench.compare;

import java.nio.ByteBuffer;

/** Values of the workloads: a number in the first four bytes, the rest filled. */
final class Values {
  private Values() {}

  /** A value of {@code length} bytes, at least 4. */
  static byte[] of(int number, int length) {
    byte[] value = new byte[length];
    for (int i = 4; i < length; i++) {
      value[i] = (byte) ('a' + i % 26);
    }
    return ByteBuffer.wrap(value).putInt(0, number).array();
  }

  /** The number in a value. */
  static int number(byte[] value) {
    return ByteBuffer.wrap(value).getInt(0);
  }

  /** The same value with another number. */
  static byte[] with(byte[] value, int number) {
    return ByteBuffer.wrap(value.clone()).putInt(0, number).array();
  }
}
