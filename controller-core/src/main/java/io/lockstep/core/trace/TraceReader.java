package io.lockstep.core.trace;

import io.lockstep.core.trace.TraceRecord.TraceEnded;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.CodecException;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Reads a trace, block by block. Holds one block in memory, 32 MiB at most. Owned by one thread.
 *
 * <p>A trace of a process that was killed, or of a full disk, is cut: all whole blocks are read,
 * and {@link #isCut} says so. What is damaged ends with a {@link TraceException}, behind all
 * records of the blocks before.
 */
public final class TraceReader implements Closeable {
  private static final String COPY = "use another copy; what was read before this place is good";
  private static final byte[] NO_BYTES = {};

  private final Path file;
  private final InputStream in;
  private final long size;
  private final TraceHeader header;
  private final TraceRecordDecoder decoder = new TraceRecordDecoder();
  private long offset;
  private long blocks;
  private long blockAt;
  private ByteReader block = new ByteReader(NO_BYTES);
  private @Nullable TraceEnded end;
  private boolean cut;

  private TraceReader(Path file, InputStream in, long size) throws IOException {
    this.file = file;
    this.in = in;
    this.size = size;
    this.header = readHeader();
  }

  /**
   * Opens a trace and reads its header.
   *
   * @throws TraceException where it is no trace, one of a newer version, cut in its header, or
   *     damaged there
   * @throws IOException where the file cannot be read
   */
  public static TraceReader open(Path file) throws IOException {
    long size = Files.size(file);
    InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    try {
      return new TraceReader(file, in, size);
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  /** What the trace begins with. */
  public TraceHeader header() {
    return header;
  }

  /** How the trace ended; null before it was read to its end, and where it is cut. */
  public @Nullable TraceEnded end() {
    return end;
  }

  /** Whether the file ends before the trace; known when it was read to its end. */
  public boolean isCut() {
    return cut;
  }

  /**
   * The next record, {@link TraceEnded} included; null at the end.
   *
   * @throws TraceException where the file is damaged
   */
  public @Nullable TraceRecord next() throws IOException {
    if (block.remaining() == 0 && (cut || !readBlock())) {
      return null;
    }
    try {
      TraceRecord record = decoder.read(block);
      if (record instanceof TraceEnded last) {
        end = last;
        if (block.remaining() > 0) {
          throw damaged(blockAt, "more follows where the trace ended", COPY);
        }
      }
      return record;
    } catch (CodecException e) {
      throw damaged(
          blockAt, "a block whose checksum is right, with " + e.getMessage(), "report it");
    }
  }

  /** The same for a record whose command or reply cannot be read. */
  TraceException unreadable(CodecException e) {
    return damaged(
        blockAt,
        "a command or reply with " + e.getMessage(),
        "use the Lockstep that recorded it, " + header.version());
  }

  private TraceHeader readHeader() throws IOException {
    byte[] frame = read(TraceFormat.HEADER_FRAME_BYTES);
    int magic = Math.min(frame.length, TraceFormat.MAGIC.length);
    if (magic == 0 || !Arrays.equals(frame, 0, magic, TraceFormat.MAGIC, 0, magic)) {
      throw damaged(0, "this is no trace of Lockstep", "give a file of ./lockstep record");
    }
    if (frame.length < TraceFormat.HEADER_FRAME_BYTES) {
      throw cutHeader();
    }
    ByteReader fields = new ByteReader(frame);
    fields.skip(magic);
    int version = fields.uint16();
    if (version != TraceFormat.VERSION) {
      throw damaged(
          magic,
          "a trace of version " + version + ", this program reads version " + TraceFormat.VERSION,
          version > TraceFormat.VERSION ? "use the Lockstep that recorded it, or newer" : COPY);
    }
    int length = fields.int32();
    if (length < 0 || length > TraceFormat.MAX_HEADER_BYTES) {
      throw damaged(magic + 2, "a header of " + length + " bytes, which is damaged", COPY);
    }
    byte[] content = read(length);
    byte[] checksum = read(TraceFormat.CRC_BYTES);
    if (content.length < length || checksum.length < TraceFormat.CRC_BYTES) {
      throw cutHeader();
    }
    byte[] all = Arrays.copyOf(frame, frame.length + length);
    System.arraycopy(content, 0, all, frame.length, length);
    if (new ByteReader(checksum).int32() != TraceFormat.checksum(all, 0, all.length)) {
      throw damaged(magic, "the header is damaged: its checksum is wrong", COPY);
    }
    try {
      return TraceHeader.decode(content);
    } catch (CodecException e) {
      throw damaged(
          TraceFormat.HEADER_FRAME_BYTES + e.offset(),
          "a header whose checksum is right, with " + e.getMessage(),
          "report it");
    }
  }

  private TraceException cutHeader() {
    return damaged(size, "the file is cut in its header and holds nothing", "use another copy");
  }

  /** Reads the next block; false where the file ends. */
  private boolean readBlock() throws IOException {
    blockAt = offset;
    byte[] frame = read(TraceFormat.BLOCK_FRAME_BYTES);
    if (end != null && frame.length > 0) {
      throw damaged(blockAt, "more follows where the trace ended", COPY);
    }
    if (frame.length < TraceFormat.BLOCK_FRAME_BYTES) {
      cut = end == null;
      return false;
    }
    ByteReader fields = new ByteReader(frame);
    int stored = fields.int32();
    int length = fields.int32();
    int checksum = fields.int32();
    boolean bounded = stored > 0 && stored <= length && length <= TraceFormat.MAX_BLOCK_BYTES;
    if (!bounded || fields.int32() != TraceFormat.frameChecksum(blocks, stored, length, checksum)) {
      throw damaged(blockAt, "the frame of a block is damaged", COPY);
    }
    if (stored > size - offset) {
      cut = true;
      return false;
    }
    byte[] content = read(stored);
    if (content.length < stored) {
      cut = true;
      return false;
    }
    if (checksum != TraceFormat.checksum(content, 0, stored)) {
      throw damaged(blockAt, "a block is damaged: its checksum is wrong", COPY);
    }
    block = new ByteReader(stored == length ? content : inflate(content, length));
    blocks++;
    return true;
  }

  private byte[] inflate(byte[] content, int length) throws TraceException {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(content);
      byte[] records = new byte[length];
      int got = inflater.inflate(records);
      if (got == length && inflater.inflate(new byte[1]) == 0 && inflater.finished()) {
        return records;
      }
      throw damaged(blockAt, "a block that does not inflate to " + length + " bytes", "report it");
    } catch (DataFormatException e) {
      throw damaged(blockAt, "a block that does not inflate: " + e.getMessage(), "report it");
    } finally {
      inflater.end();
    }
  }

  private byte[] read(int length) throws IOException {
    byte[] octets = in.readNBytes(length);
    offset += octets.length;
    return octets;
  }

  private TraceException damaged(long at, String what, String remedy) {
    return new TraceException(file, at, what, remedy);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
