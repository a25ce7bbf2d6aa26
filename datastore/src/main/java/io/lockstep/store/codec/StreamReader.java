package io.lockstep.store.codec;

import io.lockstep.store.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Reads what {@link ByteWriter} wrote from a stream of any length. Every method throws {@link
 * CodecException} if the input is too short or a value is out of bounds. It allocates at most 64
 * KiB or twice the bytes read so far, whatever length the input claims. Not thread-safe.
 */
public final class StreamReader {
  private static final int BUFFER_BYTES = 1 << 16;

  private final InputStream input;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int position;
  private int end;

  /** The number of bytes that were read before those in the buffer. */
  private long before;

  /** A reader of {@code input}; it reads ahead and does not close it. */
  public StreamReader(InputStream input) {
    this.input = input;
  }

  /** How many bytes were read. */
  public long offset() {
    return before + position;
  }

  /** Reads 1 byte, 0 to 255. */
  public int uint8() throws IOException {
    if (position == end && !refill()) {
      throw new CodecException(offset(), "1 byte, found the end");
    }
    return buffer[position++] & 0xff;
  }

  /** Reads 1 or 0; nothing else is accepted. */
  public boolean flag() throws IOException {
    int value = uint8();
    if (value > 1) {
      throw new CodecException(offset() - 1, "a flag (0 or 1), found " + value);
    }
    return value == 1;
  }

  /** Reads 4 bytes. */
  public int int32() throws IOException {
    return (int) fixed(4);
  }

  /** Reads 8 bytes. */
  public long int64() throws IOException {
    return fixed(8);
  }

  private long fixed(int bytes) throws IOException {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value = value << 8 | uint8();
    }
    return value;
  }

  /** Reads a number of 0 or more, as {@link ByteWriter#varint} wrote it. */
  public long varint() throws IOException {
    long start = offset();
    long value = 0;
    for (int shift = 0; shift < 63; shift += 7) {
      int octet = uint8();
      value |= (octet & 0x7fL) << shift;
      if (octet < 0x80) {
        return value;
      }
    }
    throw new CodecException(start, "a varint of at most 63 bits");
  }

  /** Reads a number of 0 to {@code max}. */
  public int varint(int max) throws IOException {
    long start = offset();
    long value = varint();
    if (value > max) {
      throw new CodecException(start, "a number of at most " + max + ", found " + value);
    }
    return (int) value;
  }

  /** Reads a length of at most {@code maxLength} and that number of bytes. */
  public Bytes bytes(int maxLength) throws IOException {
    long start = offset();
    int length = varint(maxLength);
    if (length == 0) {
      return Bytes.empty();
    }
    byte[] octets = new byte[Math.min(length, BUFFER_BYTES)];
    int filled = 0;
    while (filled < length) {
      if (position == end && !refill()) {
        throw new CodecException(start, length + " bytes to follow, found the end after " + filled);
      }
      if (filled == octets.length) {
        octets = Arrays.copyOf(octets, (int) Math.min(length, 2L * filled));
      }
      int step = Math.min(end - position, octets.length - filled);
      System.arraycopy(buffer, position, octets, filled, step);
      position += step;
      filled += step;
    }
    return Bytes.wrap(octets);
  }

  /** Reads a length of at most {@code maxBytes} and that number of bytes of well-formed UTF-8. */
  public String utf8(int maxBytes) throws IOException {
    long start = offset();
    byte[] octets = bytes(maxBytes).shared();
    ByteWriter withLength = new ByteWriter(octets.length + 5);
    withLength.varint(octets.length).raw(octets);
    try {
      return new ByteReader(withLength.toArray()).utf8(maxBytes);
    } catch (CodecException malformed) {
      throw malformed.behind(start);
    }
  }

  /** Fails unless everything was read. */
  public void end() throws IOException {
    if (position < end || refill()) {
      throw new CodecException(offset(), "the end, found more");
    }
  }

  /** Fills the empty buffer from the input; false at the end of the input. */
  private boolean refill() throws IOException {
    before += end;
    position = 0;
    end = 0;
    int count = input.read(buffer, 0, buffer.length);
    end = Math.max(count, 0);
    return count > 0;
  }
}
