package io.lockstep.store.log.disk;

import io.lockstep.store.log.Decision;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The records of a segment: a tag (4 bytes, of the segment's salt), the length of the body (4), the
 * CRC32C over salt, place in the file, length and body (4), and the body. The body begins with the
 * type (1) and with the first instance that was not yet known to be durable when the record was
 * written (8). The body of a decision continues with instance (8), regency (4), chain hash (32) and
 * value; that of a mark ends there.
 *
 * <p>Because of the salt, a reader never mistakes records of other files, or bytes that a client
 * made to look like a record, for a record. The durable instance distinguishes a torn end from
 * damage. Records that were synced together may reach the disk in any order. So a valid record
 * behind an invalid one proves damage only if it says that the invalid one was durable before.
 */
final class Records {
  /** The longest value of a decision. */
  static final int MAX_VALUE_BYTES = 1 << 26;

  static final int HEADER_BYTES = 12;
  static final byte DECISION = 1;
  static final byte MARK = 2;
  static final int MARK_BODY_BYTES = 9;
  static final int DECISION_BODY_BYTES = MARK_BODY_BYTES + 12 + Decision.CHAIN_BYTES;

  private Records() {}

  static int bytesOf(Decision decision) {
    return HEADER_BYTES + DECISION_BODY_BYTES + decision.value().length;
  }

  static final int MARK_BYTES = HEADER_BYTES + MARK_BODY_BYTES;

  /**
   * Appends a decision.
   *
   * @param at offset of the record in its file
   * @param durable the first instance not known to be durable
   */
  static void put(ByteBuffer out, Decision decision, long durable, long salt, long at) {
    int start = out.position();
    byte[] value = decision.value();
    out.putInt((int) salt).putInt(DECISION_BODY_BYTES + value.length).putInt(0);
    out.put(DECISION).putLong(durable).putLong(decision.instance()).putInt(decision.regency());
    out.put(decision.chain(), 0, Decision.CHAIN_BYTES).put(value);
    seal(out, start, salt, at);
  }

  /** Appends a mark, which only says what is durable. */
  static void putMark(ByteBuffer out, long durable, long salt, long at) {
    int start = out.position();
    out.putInt((int) salt).putInt(MARK_BODY_BYTES).putInt(0).put(MARK).putLong(durable);
    seal(out, start, salt, at);
  }

  private static void seal(ByteBuffer out, int start, long salt, long at) {
    int body = start + HEADER_BYTES;
    out.putInt(start + 8, checksum(salt, at, out.duplicate().flip().position(body)));
  }

  /** The checksum of a record at {@code at} whose body is what remains in {@code body}. */
  static int checksum(long salt, long at, ByteBuffer body) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(20).putLong(salt).putLong(at).putInt(body.remaining()).flip());
    crc.update(body);
    return (int) crc.getValue();
  }

  /** Whether a record with a body of this type and length may exist. */
  static boolean plausible(byte type, int length) {
    return type == MARK
        ? length == MARK_BODY_BYTES
        : type == DECISION
            && length >= DECISION_BODY_BYTES
            && length <= DECISION_BODY_BYTES + MAX_VALUE_BYTES;
  }
}
