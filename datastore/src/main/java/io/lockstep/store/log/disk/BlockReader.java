package io.lockstep.store.log.disk;

import io.lockstep.store.log.disk.Storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Reads what {@link BlockWriter} wrote, from any offset, and checks each block. One thread at a
 * time.
 */
final class BlockReader {
  private final StoredFile file;
  private final String name;
  private final long begin;
  private final long length;
  private final long end;
  private byte[] block = new byte[0];
  private long blockNumber = -1;

  /**
   * @param begin offset of the first block
   * @param end offset after the footer
   * @throws DamageException if there is no valid footer
   */
  BlockReader(StoredFile file, String name, long begin, long end) throws IOException {
    this.file = file;
    this.name = name;
    this.begin = begin;
    this.end = end;
    this.length = ByteBuffer.wrap(footer()).getLong(4);
    long blocks = (length + BlockWriter.BLOCK_BYTES - 1) / BlockWriter.BLOCK_BYTES;
    if (length < 0
        || end - begin != length + blocks * BlockWriter.FRONT_BYTES + BlockWriter.FOOTER_BYTES) {
      throw new DamageException(name, end, "its length is not that of " + length + " bytes");
    }
  }

  private byte[] footer() throws IOException {
    byte[] footer = new byte[BlockWriter.FOOTER_BYTES];
    long at = end - footer.length;
    if (at < begin || file.read(at, footer, 0, footer.length) < footer.length) {
      throw new DamageException(name, Math.max(0, at), "too short for its footer");
    }
    ByteBuffer in = ByteBuffer.wrap(footer);
    if (!Arrays.equals(footer, BlockWriter.footer(in.getLong(4), in.getInt(12)))) {
      throw new DamageException(name, at, "the footer is damaged or missing");
    }
    return footer;
  }

  /** The length of the content in bytes. */
  long length() {
    return length;
  }

  /**
   * Reads bytes, fewer than wanted only at the end.
   *
   * @throws DamageException if they are not those that were written
   */
  byte[] read(long offset, int bytes) throws IOException {
    if (offset < 0 || offset > length) {
      throw new IllegalArgumentException("offset " + offset + " of " + length + " bytes");
    }
    byte[] found = new byte[(int) Math.min(bytes, length - offset)];
    int done = 0;
    while (done < found.length) {
      load((offset + done) / BlockWriter.BLOCK_BYTES);
      int from = (int) ((offset + done) % BlockWriter.BLOCK_BYTES);
      int count = Math.min(found.length - done, block.length - from);
      System.arraycopy(block, from, found, done, count);
      done += count;
    }
    return found;
  }

  private int load(long number) throws IOException {
    int size = (int) Math.min(BlockWriter.BLOCK_BYTES, length - number * BlockWriter.BLOCK_BYTES);
    if (number == blockNumber) {
      return 0;
    }
    long at = begin + number * (BlockWriter.FRONT_BYTES + BlockWriter.BLOCK_BYTES);
    byte[] bytes = new byte[BlockWriter.FRONT_BYTES + size];
    if (file.read(at, bytes, 0, bytes.length) < bytes.length) {
      throw new DamageException(name, at, "too short for block " + number);
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int written = in.getInt();
    int crc = in.getInt();
    if (written != size
        || crc != BlockWriter.checksum(number, bytes, BlockWriter.FRONT_BYTES, size)) {
      throw new DamageException(name, at, "the checksum of block " + number + " is wrong");
    }
    block = Arrays.copyOfRange(bytes, BlockWriter.FRONT_BYTES, bytes.length);
    blockNumber = number;
    return crc;
  }

  /** Reads everything, and checks each block and the whole. */
  void verify() throws IOException {
    CRC32C whole = new CRC32C();
    blockNumber = -1;
    for (long number = 0; number * BlockWriter.BLOCK_BYTES < length; number++) {
      whole.update(ByteBuffer.allocate(4).putInt(0, load(number)));
    }
    if (ByteBuffer.wrap(footer()).getInt(12) != (int) whole.getValue()) {
      throw new DamageException(name, begin, "the blocks are not those of its footer");
    }
  }
}
