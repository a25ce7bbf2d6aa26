package io.lockstep.store.log.disk;

import io.lockstep.store.log.disk.Storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Writes a long run of bytes as blocks: length (4), CRC32C over the block's number, its length and
 * its bytes (4), the bytes; all blocks but the last have {@link #BLOCK_BYTES}. A footer follows: -1
 * (4), the total length (8), the CRC32C of all blocks' checksums (4) and that of these 16 bytes
 * (4). One thread.
 */
final class BlockWriter {
  static final int BLOCK_BYTES = 128 << 10;
  static final int FRONT_BYTES = 8;
  static final int FOOTER_BYTES = 20;

  /** Bytes between two syncs, so that a sync of the log never waits for a whole snapshot. */
  private static final long SYNC_BYTES = 8 << 20;

  private final StoredFile file;
  private final byte[] block = new byte[FRONT_BYTES + BLOCK_BYTES];
  private final CRC32C whole = new CRC32C();
  private int used;
  private long number;
  private long total;
  private long position;
  private long synced;

  /**
   * @param position offset of the first block
   */
  BlockWriter(StoredFile file, long position) {
    this.file = file;
    this.position = position;
    this.synced = position;
  }

  void write(byte[] bytes, int offset, int length) throws IOException {
    int from = offset;
    int left = length;
    while (left > 0) {
      int count = Math.min(left, BLOCK_BYTES - used);
      System.arraycopy(bytes, from, block, FRONT_BYTES + used, count);
      used += count;
      from += count;
      left -= count;
      if (used == BLOCK_BYTES) {
        flush();
      }
    }
  }

  private void flush() throws IOException {
    if (used == 0) {
      return;
    }
    int crc = checksum(number, block, FRONT_BYTES, used);
    ByteBuffer.wrap(block).putInt(used).putInt(crc);
    whole.update(ByteBuffer.allocate(4).putInt(0, crc));
    file.write(position, block, 0, FRONT_BYTES + used);
    position += FRONT_BYTES + used;
    total += used;
    number++;
    used = 0;
    if (position - synced >= SYNC_BYTES) {
      file.sync();
      synced = position;
    }
  }

  /**
   * Writes the last block and the footer, and does not sync them.
   *
   * @return the offset after the footer
   */
  long finish() throws IOException {
    flush();
    byte[] footer = footer(total, (int) whole.getValue());
    file.write(position, footer, 0, footer.length);
    return position + footer.length;
  }

  static byte[] footer(long total, int whole) {
    ByteBuffer footer = ByteBuffer.allocate(FOOTER_BYTES);
    footer.putInt(-1).putLong(total).putInt(whole);
    CRC32C crc = new CRC32C();
    crc.update(footer.array(), 0, footer.position());
    return footer.putInt((int) crc.getValue()).array();
  }

  static int checksum(long number, byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(12).putLong(number).putInt(length).flip());
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }
}
