package io.lockstep.store.codec;

import io.lockstep.store.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads what {@link ByteWriter} wrote. Every method throws {@link CodecException} if the input is
 * too short or a value is out of bounds, and allocates no more memory than the length of the input.
 * Not thread-safe.
 */
public final class ByteReader {
  private final byte[] input;
  private int offset;

  /** A reader of {@code input}, which must not change meanwhile. */
  public ByteReader(byte[] input) {
    this.input = input;
  }

  /** A reader of {@code input}. */
  public ByteReader(Bytes input) {
    this(input.shared());
  }

  /** How many bytes were read. */
  public int offset() {
    return offset;
  }

  /** How many bytes are left. */
  public int remaining() {
    return input.length - offset;
  }

  /** Reads 1 byte, 0 to 255. */
  public int uint8() {
    need(1, "1 byte");
    return input[offset++] & 0xff;
  }

  /** Reads 1 or 0; nothing else is accepted. */
  public boolean flag() {
    int value = uint8();
    if (value > 1) {
      throw new CodecException(offset - 1, "a flag (0 or 1), found " + value);
    }
    return value == 1;
  }

  /** Reads 2 bytes, 0 to 65 535. */
  public int uint16() {
    need(2, "2 bytes");
    int value = (input[offset] & 0xff) << 8 | (input[offset + 1] & 0xff);
    offset += 2;
    return value;
  }

  /** Reads 4 bytes. */
  public int int32() {
    need(4, "4 bytes");
    int value = 0;
    for (int i = 0; i < 4; i++) {
      value = value << 8 | (input[offset++] & 0xff);
    }
    return value;
  }

  /** Reads 8 bytes. */
  public long int64() {
    need(8, "8 bytes");
    long value = 0;
    for (int i = 0; i < 8; i++) {
      value = value << 8 | (input[offset++] & 0xff);
    }
    return value;
  }

  /** Reads a number of 0 or more, as {@link ByteWriter#varint} wrote it. */
  public long varint() {
    int start = offset;
    long value = leb128();
    if (value < 0) {
      throw new CodecException(start, "a varint of at most 63 bits");
    }
    return value;
  }

  /** Reads a number of 0 to {@code max}. */
  public int varint(int max) {
    int start = offset;
    long value = varint();
    if (value > max) {
      throw new CodecException(start, "a number of at most " + max + ", found " + value);
    }
    return (int) value;
  }

  /** Reads a number of 0 to {@code max} in its shortest form; for canonical formats. */
  public int shortestVarint(int max) {
    int start = offset;
    int value = varint(max);
    if (offset - start > 1 && input[offset - 1] == 0) {
      throw new CodecException(start, "a number in as few bytes as it can take");
    }
    return value;
  }

  /** Skips {@code length} bytes. */
  public void skip(int length) {
    need(length, length + " bytes");
    offset += length;
  }

  /** Reads any number, as {@link ByteWriter#signed} wrote it. */
  public long signed() {
    long value = leb128();
    return (value >>> 1) ^ -(value & 1);
  }

  /** Reads a signed number that fits an {@code int}. */
  public int signedInt() {
    int start = offset;
    long value = signed();
    if (value != (int) value) {
      throw new CodecException(start, "a number of 32 bits, found " + value);
    }
    return (int) value;
  }

  private long leb128() {
    int start = offset;
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (offset == input.length) {
        throw new CodecException(start, "a varint, which the end of the input cuts short");
      }
      byte octet = input[offset++];
      if (shift == 63 && (octet & 0xfe) != 0) {
        break;
      }
      value |= (octet & 0x7fL) << shift;
      if (octet >= 0) {
        return value;
      }
    }
    throw new CodecException(start, "a varint of at most 64 bits");
  }

  /**
   * Reads the number of elements that follow.
   *
   * @param max the most that are allowed
   * @param bytesEach the fewest bytes of one element; the input must be long enough for all
   */
  public int count(int max, int bytesEach) {
    int start = offset;
    int count = varint(max);
    if ((long) count * bytesEach > remaining()) {
      throw new CodecException(
          start, count + " elements of " + bytesEach + " bytes or more, " + remaining() + " left");
    }
    return count;
  }

  /** Reads a length of at most {@code maxLength} and that number of bytes; the result is a copy. */
  public Bytes bytes(int maxLength) {
    int length = length(maxLength);
    if (length == 0) {
      return Bytes.empty();
    }
    byte[] octets = Arrays.copyOfRange(input, offset, offset + length);
    offset += length;
    return Bytes.wrap(octets);
  }

  /** Reads a length of at most {@code maxBytes} and that number of bytes of well-formed UTF-8. */
  public String utf8(int maxBytes) {
    return text(length(maxBytes));
  }

  /** The same for names, which recur. */
  public String name(int maxBytes) {
    int length = length(maxBytes);
    int start = offset;
    String known = KnownNames.find(input, start, length);
    if (known == null) {
      known = text(length);
      KnownNames.keep(input, start, length, known);
    } else {
      offset += length;
    }
    return known;
  }

  private String text(int length) {
    int start = offset;
    offset += length;
    for (int i = start; i < offset; i++) {
      if (input[i] < 0) {
        return decodeUtf8(start, length);
      }
    }
    return new String(input, start, length, StandardCharsets.ISO_8859_1);
  }

  private String decodeUtf8(int start, int length) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(input, start, length))
          .toString();
    } catch (CharacterCodingException malformed) {
      throw new CodecException(start, length + " bytes of UTF-8 (" + malformed.getMessage() + ")");
    }
  }

  private int length(int max) {
    int start = offset;
    int length = varint(max);
    if (length > remaining()) {
      throw new CodecException(start, length + " bytes to follow, " + remaining() + " left");
    }
    return length;
  }

  /** Reads the version byte of a format; fails unless it is {@code supported}. */
  public void version(int supported, String format) {
    version(supported, supported, format);
  }

  /** Reads the version byte of a format; fails unless it is within {@code oldest..newest}. */
  public int version(int oldest, int newest, String format) {
    int version = uint8();
    if (version < oldest || version > newest) {
      throw new CodecException(
          offset - 1,
          format
              + " of version "
              + (oldest == newest ? "" : oldest + " to ")
              + newest
              + ", found version "
              + version
              + (version > newest ? ", which is newer" : ""));
    }
    return version;
  }

  /** Fails unless everything was read. */
  public void end() {
    if (remaining() > 0) {
      throw new CodecException(offset, "the end, " + remaining() + " bytes are left");
    }
  }

  private void need(int count, String what) {
    if (remaining() < count) {
      throw new CodecException(offset, what + ", " + remaining() + " left");
    }
  }
}
