package io.lockstep.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * An immutable byte string, ordered as unsigned bytes. Keys and values of the store are of this
 * type. Thread-safe.
 */
public final class Bytes implements Comparable<Bytes> {
  private static final Bytes EMPTY = new Bytes(new byte[0]);
  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle FOUR =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  // No hash is kept beside them: there are millions of these, and few are ever hashed.
  private final byte[] octets;

  private Bytes(byte[] octets) {
    this.octets = octets;
  }

  /** The byte string of length 0. */
  public static Bytes empty() {
    return EMPTY;
  }

  /** A byte string with a copy of {@code octets}. */
  public static Bytes copyOf(byte... octets) {
    return new Bytes(octets.clone());
  }

  /**
   * A byte string that takes over {@code octets} without a copy: for codecs on the hot path. The
   * caller must never change the array afterwards.
   */
  public static Bytes wrap(byte[] octets) {
    return new Bytes(octets);
  }

  /** The UTF-8 bytes of {@code text}. */
  public static Bytes utf8(String text) {
    return new Bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The number of bytes. */
  public int length() {
    return octets.length;
  }

  /** The byte at {@code position}, as a signed byte. */
  public byte at(int position) {
    return octets[position];
  }

  /** A copy of the bytes. */
  public byte[] toArray() {
    return octets.clone();
  }

  /** The bytes themselves, for codecs on the hot path. The caller must not change the array. */
  public byte[] shared() {
    return octets;
  }

  /** The bytes read as UTF-8. */
  public String toUtf8() {
    return new String(octets, StandardCharsets.UTF_8);
  }

  /** Whether this byte string begins with all of {@code prefix}. */
  public boolean startsWith(Bytes prefix) {
    int length = prefix.octets.length;
    return octets.length >= length && Arrays.equals(octets, 0, length, prefix.octets, 0, length);
  }

  /** How many bytes this byte string and another begin with both. */
  public int commonWith(Bytes other) {
    int common = Arrays.mismatch(octets, other.octets);
    return common < 0 ? octets.length : common;
  }

  /**
   * Four bytes from {@code position} on, as an unsigned number in their order; zeros stand for
   * those behind the end.
   */
  public int wordAt(int position) {
    int behind = position + Integer.BYTES - octets.length;
    if (behind <= 0) {
      return (int) FOUR.get(octets, position);
    }
    if (behind >= Integer.BYTES) {
      return 0;
    }
    if (octets.length >= Integer.BYTES) {
      return (int) FOUR.get(octets, octets.length - Integer.BYTES) << (behind * Byte.SIZE);
    }
    int word = 0;
    for (int at = position; at < position + Integer.BYTES; at++) {
      word = word << Byte.SIZE | (at < octets.length ? octets[at] & 0xff : 0);
    }
    return word;
  }

  /** Eight bytes from {@code position} on, as {@link #wordAt}. */
  public long longWordAt(int position) {
    return position + Long.BYTES <= octets.length
        ? (long) EIGHT.get(octets, position)
        : (long) wordAt(position) << Integer.SIZE
            | Integer.toUnsignedLong(wordAt(position + Integer.BYTES));
  }

  @Override
  public int compareTo(Bytes other) {
    byte[] mine = octets;
    byte[] theirs = other.octets;
    int common = Math.min(mine.length, theirs.length);
    if (common < Long.BYTES) {
      return compareShort(mine, theirs, common);
    }
    // Looking a key up is comparing it a dozen times, and keys are a few times eight bytes long.
    for (int at = 0; at <= common - Long.BYTES; at += Long.BYTES) {
      int order = compareEight(mine, theirs, at);
      if (order != 0) {
        return order;
      }
    }
    // The last eight that both have: those of them that were compared are equal.
    int order = compareEight(mine, theirs, common - Long.BYTES);
    return order == 0 ? Integer.compare(mine.length, theirs.length) : order;
  }

  /** Two of which one has fewer than eight bytes, as an Ethernet address has. */
  private static int compareShort(byte[] mine, byte[] theirs, int common) {
    if (common < Integer.BYTES) {
      return Arrays.compareUnsigned(mine, theirs);
    }
    int order = compareFour(mine, theirs, 0);
    if (order == 0) {
      order = compareFour(mine, theirs, common - Integer.BYTES);
    }
    return order == 0 ? Integer.compare(mine.length, theirs.length) : order;
  }

  private static int compareFour(byte[] mine, byte[] theirs, int at) {
    return Integer.compareUnsigned((int) FOUR.get(mine, at), (int) FOUR.get(theirs, at));
  }

  private static int compareEight(byte[] mine, byte[] theirs, int at) {
    return Long.compareUnsigned((long) EIGHT.get(mine, at), (long) EIGHT.get(theirs, at));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes that && Arrays.equals(octets, that.octets);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(octets);
  }

  /** The bytes in hexadecimal. */
  @Override
  public String toString() {
    return HexFormat.of().formatHex(octets);
  }
}
