package io.lockstep.core.trace;

import io.lockstep.store.codec.ByteWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.Deflater;

/**
 * Writes a trace: a header, then blocks of records, each deflated and with a checksum. The file
 * never grows beyond its limit. Owned by one thread. An {@link IOException} leaves what was written
 * so far; write nothing more then.
 */
public final class TraceWriter implements Closeable {
  /** Kept free for the last block. */
  static final int END_ROOM_BYTES = 4 << 10;

  private final WritableByteChannel out;
  private final long maxBytes;
  private final TraceRecordEncoder encoder = new TraceRecordEncoder();
  private final ByteWriter block = new ByteWriter(2 * TraceFormat.BLOCK_BYTES);
  private final Deflater deflater = new Deflater(Deflater.BEST_SPEED);
  private long blocks;

  /** Read by any thread. */
  private volatile long bytes;

  /**
   * Begins a trace on a channel, which is closed with the writer.
   *
   * @param maxBytes the most bytes of the trace
   */
  public TraceWriter(WritableByteChannel out, TraceHeader header, long maxBytes)
      throws IOException {
    this.out = out;
    this.maxBytes = maxBytes;
    byte[] content = header.encode();
    if (content.length > TraceFormat.MAX_HEADER_BYTES) {
      throw new IOException("the header of a trace has " + content.length + " bytes");
    }
    ByteWriter frame = new ByteWriter(content.length + 32);
    frame.raw(TraceFormat.MAGIC).int16(TraceFormat.VERSION).int32(content.length).raw(content);
    byte[] all = frame.toArray();
    write(all, all.length);
    frame.clear();
    byte[] checksum = frame.int32(TraceFormat.checksum(all, 0, all.length)).toArray();
    write(checksum, checksum.length);
  }

  /**
   * Begins a trace in a new file.
   *
   * @throws java.nio.file.FileAlreadyExistsException where the file is there
   */
  public static TraceWriter create(Path file, TraceHeader header, long maxBytes)
      throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try {
      return new TraceWriter(channel, header, maxBytes);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** How many bytes were written. Any thread. */
  public long bytes() {
    return bytes;
  }

  /** Adds a record; false, and nothing added, where the file is full. */
  public boolean add(TraceRecord record) throws IOException {
    long most = (long) block.size() + TraceRecordEncoder.mostBytes(record);
    if (bytes + most + TraceFormat.BLOCK_FRAME_BYTES + END_ROOM_BYTES > maxBytes) {
      return false;
    }
    encoder.write(block, record);
    if (block.size() >= TraceFormat.BLOCK_BYTES) {
      flush();
    }
    return true;
  }

  /** Writes what was added as a block. */
  public void flush() throws IOException {
    if (block.size() == 0) {
      return;
    }
    byte[] records = block.toArray();
    block.clear();
    byte[] deflated = new byte[records.length];
    deflater.reset();
    deflater.setInput(records);
    deflater.finish();
    int stored = deflater.deflate(deflated);
    // Records that deflating makes no shorter are written as they are.
    boolean shorter = deflater.finished() && stored < records.length;
    write(shorter ? deflated : records, shorter ? stored : records.length, records.length);
  }

  private void write(byte[] content, int stored, int length) throws IOException {
    int checksum = TraceFormat.checksum(content, 0, stored);
    ByteWriter frame = new ByteWriter(TraceFormat.BLOCK_FRAME_BYTES + stored);
    frame
        .int32(stored)
        .int32(length)
        .int32(checksum)
        .int32(TraceFormat.frameChecksum(blocks, stored, length, checksum))
        .raw(content, 0, stored);
    blocks++;
    byte[] all = frame.toArray();
    write(all, all.length);
  }

  /** Ends the trace in order, for which there is always room. */
  public void end(TraceRecord.TraceEnded record) throws IOException {
    encoder.write(block, record);
    flush();
    if (out instanceof FileChannel file) {
      file.force(false);
    }
  }

  // One thread writes.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  private void write(byte[] octets, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(octets, 0, length);
    while (buffer.hasRemaining()) {
      out.write(buffer);
    }
    bytes += length;
  }

  @Override
  public void close() throws IOException {
    deflater.end();
    out.close();
  }
}
