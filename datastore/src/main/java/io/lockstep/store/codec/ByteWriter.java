package io.lockstep.store.codec;

import io.lockstep.store.Bytes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A growing byte buffer. Fixed-width integers are big-endian; a varint has seven bits per byte, the
 * lowest first, the top bit set on all but the last byte. Not thread-safe. {@link ByteReader} reads
 * what this writes.
 */
public final class ByteWriter {
  private static final int MAX_VARINT_BYTES = 10;

  private byte[] buffer;
  private int size;

  /** A writer with room for 64 bytes; it grows. */
  public ByteWriter() {
    this(64);
  }

  /** A writer with room for {@code capacity} bytes; it grows. */
  public ByteWriter(int capacity) {
    buffer = new byte[capacity];
  }

  /** Writes the low 8 bits of {@code value}. */
  public ByteWriter int8(int value) {
    reserve(1);
    buffer[size++] = (byte) value;
    return this;
  }

  /** Writes 1 or 0. */
  public ByteWriter flag(boolean value) {
    return int8(value ? 1 : 0);
  }

  /** Writes the low 16 bits of {@code value}. */
  public ByteWriter int16(int value) {
    reserve(2);
    buffer[size++] = (byte) (value >>> 8);
    buffer[size++] = (byte) value;
    return this;
  }

  /** Writes 4 bytes. */
  public ByteWriter int32(int value) {
    reserve(4);
    for (int shift = 24; shift >= 0; shift -= 8) {
      buffer[size++] = (byte) (value >>> shift);
    }
    return this;
  }

  /** Writes 8 bytes. */
  public ByteWriter int64(long value) {
    reserve(8);
    for (int shift = 56; shift >= 0; shift -= 8) {
      buffer[size++] = (byte) (value >>> shift);
    }
    return this;
  }

  /** Writes a number of 0 or more in 1 to 9 bytes. */
  public ByteWriter varint(long value) {
    if (value < 0) {
      throw new IllegalArgumentException("a varint cannot be negative: " + value);
    }
    return leb128(value);
  }

  /** Writes any number in 1 to 10 bytes, few for those near 0 (zigzag). */
  public ByteWriter signed(long value) {
    return leb128((value << 1) ^ (value >> 63));
  }

  private ByteWriter leb128(long value) {
    reserve(MAX_VARINT_BYTES);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      buffer[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    buffer[size++] = (byte) rest;
    return this;
  }

  /** Writes the length as a varint, then the bytes. */
  public ByteWriter bytes(Bytes value) {
    varint(value.length());
    return raw(value.shared());
  }

  /** Writes the length of the UTF-8 form as a varint, then the UTF-8 form. */
  public ByteWriter utf8(String text) {
    int length = text.length();
    reserve(MAX_VARINT_BYTES + length);
    int start = size;
    varint(length);
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        size = start;
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        varint(encoded.length);
        return raw(encoded);
      }
      buffer[size++] = (byte) c;
    }
    return this;
  }

  /** Writes the bytes without a length. */
  public ByteWriter raw(byte[] octets) {
    return raw(octets, 0, octets.length);
  }

  /** Writes {@code length} bytes from {@code from} on without a length. */
  public ByteWriter raw(byte[] octets, int from, int length) {
    reserve(length);
    System.arraycopy(octets, from, buffer, size, length);
    size += length;
    return this;
  }

  /** Writes the content of {@code other}. */
  public ByteWriter raw(ByteWriter other) {
    return raw(other.buffer, 0, other.size);
  }

  /** How many bytes were written. */
  public int size() {
    return size;
  }

  /** Discards the content; keeps the buffer. */
  public void clear() {
    size = 0;
  }

  /** Writes the content to a stream. */
  public void writeTo(OutputStream out) throws IOException {
    out.write(buffer, 0, size);
  }

  /** A copy of the content. */
  public byte[] toArray() {
    return Arrays.copyOf(buffer, size);
  }

  /** The content as an immutable byte string. */
  public Bytes toBytes() {
    return Bytes.wrap(toArray());
  }

  private void reserve(int more) {
    long wanted = (long) size + more;
    if (wanted > buffer.length) {
      if (wanted > Integer.MAX_VALUE - 16) {
        throw new IllegalStateException("more than 2 GiB in one buffer");
      }
      long doubled = Math.min(2L * buffer.length, Integer.MAX_VALUE - 16);
      buffer = Arrays.copyOf(buffer, (int) Math.max(wanted, doubled));
    }
  }
}
