package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import org.jspecify.annotations.Nullable;

/** Numbers as entries: 8 bytes, big-endian. Sums wrap around as Java's do. */
final class Counters {
  private Counters() {}

  static boolean isCounter(@Nullable Entry entry) {
    return entry == null || entry.value().length() == Long.BYTES;
  }

  /** The number that an entry holds; 0 if there is no entry. */
  static long valueOf(@Nullable Entry entry) {
    long value = 0;
    if (entry != null) {
      for (int i = 0; i < Long.BYTES; i++) {
        value = value << 8 | (entry.value().at(i) & 0xff);
      }
    }
    return value;
  }

  static Bytes bytesOf(long value) {
    byte[] octets = new byte[Long.BYTES];
    for (int i = 0; i < Long.BYTES; i++) {
      octets[i] = (byte) (value >>> (56 - 8 * i));
    }
    return Bytes.wrap(octets);
  }
}
