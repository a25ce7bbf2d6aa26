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

  @Override
  public int compareTo(Bytes other) {
    byte[] mine = octets;
    byte[] theirs = other.octets;
    // Looking a key up is comparing it a dozen times, and its first eight bytes mostly decide.
    if (mine.length >= Long.BYTES && theirs.length >= Long.BYTES) {
      long first = (long) EIGHT.get(mine, 0);
      long second = (long) EIGHT.get(theirs, 0);
      if (first != second) {
        return Long.compareUnsigned(first, second);
      }
      if (mine.length == Long.BYTES || theirs.length == Long.BYTES) {
        return Integer.compare(mine.length, theirs.length);
      }
    }
    return Arrays.compareUnsigned(mine, theirs);
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
