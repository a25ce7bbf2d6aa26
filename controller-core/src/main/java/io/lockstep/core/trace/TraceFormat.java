package io.lockstep.core.trace;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** What writer and reader of a trace agree on; docs/TRACES.md describes it. */
final class TraceFormat {
  /** Every new kind of record, field or meaning raises it. */
  static final int VERSION = 1;

  /** The last byte is a line feed, which transfers as text would change. */
  static final byte[] MAGIC = "LSTRACE\n".getBytes(StandardCharsets.US_ASCII);

  /** Behind the magic: version (2 bytes) and length of the header (4). */
  static final int HEADER_FRAME_BYTES = MAGIC.length + 6;

  static final int MAX_HEADER_BYTES = 1 << 20;
  static final int CRC_BYTES = 4;

  /** Length as written, length of the records, checksums of both parts. */
  static final int BLOCK_FRAME_BYTES = 16;

  /** A block is written once it has so many bytes of records. */
  static final int BLOCK_BYTES = 64 << 10;

  /** A block ends behind a record that is longer, and no record of a node is as long as this. */
  static final int MAX_BLOCK_BYTES = 16 << 20;

  static final int MAX_STRINGS = 1 << 16;
  static final int MAX_STRING_BYTES = 1 << 10;

  static final int EVENT_BEGUN = 1;
  static final int OPERATION_OF_EVENT = 2;
  static final int OPERATION_OF_CORE = 3;
  static final int EVENT_ENDED = 4;
  static final int RECORDS_LOST = 5;
  static final int TRACE_ENDED = 6;

  private TraceFormat() {}

  /** The checksum of a block's frame: so that no block is read in the place of another. */
  static int frameChecksum(long number, int stored, int length, int content) {
    CRC32C checksum = new CRC32C();
    for (int shift = 56; shift >= 0; shift -= 8) {
      checksum.update((int) (number >>> shift));
    }
    for (int value : new int[] {stored, length, content}) {
      for (int shift = 24; shift >= 0; shift -= 8) {
        checksum.update(value >>> shift);
      }
    }
    return (int) checksum.getValue();
  }

  static int checksum(byte[] octets, int from, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(octets, from, length);
    return (int) checksum.getValue();
  }
}
