package io.lockstep.store.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Caches the strings of names that were read before. Every command names a table or a component, of
 * which there are few. One string for each saves the copies, and keeps its hash for later lookups.
 *
 * <p>Thread-safe: a thread that does not see a name decodes it again. Bounded: {@link #SLOTS} names
 * of {@link #MAX_BYTES}; a later name replaces an earlier one.
 */
final class KnownNames {
  private static final int SLOT_BITS = 8;
  static final int SLOTS = 1 << SLOT_BITS;
  static final int MAX_BYTES = 64;

  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** Spreads a product's upper bits (Knuth, The Art of Computer Programming 3, section 6.4). */
  private static final long GOLDEN = 0x9e37_79b9_7f4a_7c15L;

  private static final @Nullable KnownName[] KNOWN = new @Nullable KnownName[SLOTS];

  private record KnownName(byte[] octets, String text) {}

  private KnownNames() {}

  /** The string of these bytes, or null if it is not in the cache. */
  static @Nullable String find(byte[] in, int start, int length) {
    if (!isKept(length)) {
      return null;
    }
    KnownName known = KNOWN[slot(in, start, length)];
    return known != null
            && Arrays.equals(known.octets, 0, known.octets.length, in, start, start + length)
        ? known.text
        : null;
  }

  /** Adds the string of these bytes. */
  static void keep(byte[] in, int start, int length, String text) {
    if (isKept(length)) {
      KNOWN[slot(in, start, length)] =
          new KnownName(Arrays.copyOfRange(in, start, start + length), text);
    }
  }

  private static boolean isKept(int length) {
    return length > 0 && length <= MAX_BYTES;
  }

  private static int slot(byte[] in, int start, int length) {
    long ends;
    if (length >= Long.BYTES) {
      ends = (long) EIGHT.get(in, start) * 31 + (long) EIGHT.get(in, start + length - Long.BYTES);
    } else {
      ends = 0;
      for (int i = start; i < start + length; i++) {
        ends = ends << Byte.SIZE | (in[i] & 0xff);
      }
    }
    return (int) (((ends + length) * GOLDEN) >>> (Long.SIZE - SLOT_BITS));
  }
}
