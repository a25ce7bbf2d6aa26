package io.lockstep.store.log.disk;

import io.lockstep.store.log.Decision;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads the records of one segment forwards. One thread. */
final class RecordReader {
  private static final int WINDOW_BYTES = 256 << 10;

  /**
   * A valid record.
   *
   * @param decision the decision; null for a mark
   * @param durable the first instance that was not known to be durable when it was written
   * @param offset of the record in the file
   */
  record ValidRecord(@Nullable Decision decision, long durable, long offset) {}

  /** Reads bytes of the file, see {@link Storage.StoredFile#read}. */
  interface ByteSource {
    int read(long position, byte[] bytes, int offset, int length) throws IOException;
  }

  private final ByteSource file;
  private final long salt;
  private final long limit;
  private final byte[] window = new byte[WINDOW_BYTES];
  private long windowAt;
  private int windowLength;
  private long position;

  /**
   * @param offset of the first record
   * @param limit end of the last record, at the latest
   */
  RecordReader(ByteSource file, long salt, long offset, long limit) {
    this.file = file;
    this.salt = salt;
    this.position = offset;
    this.limit = limit;
  }

  /** The offset after the last record that was read. */
  long position() {
    return position;
  }

  /** The next record, or null if there is no valid one. */
  @Nullable ValidRecord next() throws IOException {
    ValidRecord found = at(position);
    if (found != null) {
      Decision decision = found.decision;
      position += decision == null ? Records.MARK_BYTES : Records.bytesOf(decision);
    }
    return found;
  }

  private @Nullable ValidRecord at(long offset) throws IOException {
    if (limit - offset < Records.MARK_BYTES || !load(offset, Records.MARK_BYTES)) {
      return null;
    }
    ByteBuffer front = ByteBuffer.wrap(window, (int) (offset - windowAt), Records.MARK_BYTES);
    int tag = front.getInt();
    int length = front.getInt();
    int crc = front.getInt();
    if (tag != (int) salt
        || !Records.plausible(front.get(), length)
        || length > limit - offset - Records.HEADER_BYTES) {
      return null;
    }
    byte[] body = bytes(offset + Records.HEADER_BYTES, length);
    if (body == null || Records.checksum(salt, offset, ByteBuffer.wrap(body)) != crc) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(body);
    byte type = in.get();
    long durable = in.getLong();
    if (type == Records.MARK) {
      return new ValidRecord(null, durable, offset);
    }
    long instance = in.getLong();
    int regency = in.getInt();
    byte[] chain = new byte[Decision.CHAIN_BYTES];
    in.get(chain);
    byte[] value = Arrays.copyOfRange(body, Records.DECISION_BODY_BYTES, length);
    return new ValidRecord(new Decision(instance, regency, chain, value), durable, offset);
  }

  private boolean load(long offset, int length) throws IOException {
    if (offset < windowAt || offset + length > windowAt + windowLength) {
      windowAt = offset;
      windowLength = file.read(offset, window, 0, (int) Math.min(WINDOW_BYTES, limit - offset));
    }
    return windowLength - (offset - windowAt) >= length;
  }

  private byte @Nullable [] bytes(long offset, int length) throws IOException {
    if (length <= WINDOW_BYTES / 4) {
      return load(offset, length)
          ? Arrays.copyOfRange(
              window, (int) (offset - windowAt), (int) (offset - windowAt) + length)
          : null;
    }
    byte[] bytes = new byte[length];
    return file.read(offset, bytes, 0, length) == length ? bytes : null;
  }

  /** Whether only zeros follow, if anything. */
  boolean onlyZerosFollow() throws IOException {
    for (long offset = position; offset < limit; offset++) {
      if (!load(offset, 1) || window[(int) (offset - windowAt)] != 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Searches a later record which says that {@code instance}, which should be here, was durable.
   *
   * @return its offset, or -1 if there is none
   */
  long laterWitness(long instance) throws IOException {
    ValidRecord witness = search(found -> found.durable > instance);
    return witness == null ? -1 : witness.offset;
  }

  /**
   * Skips all bytes before the next valid record of a kind, and reads that record.
   *
   * @return null if there is none; then the position stays as it was
   */
  @Nullable ValidRecord skipTo(Predicate<ValidRecord> wanted) throws IOException {
    ValidRecord found = search(wanted);
    if (found != null) {
      position = found.offset;
    }
    return found;
  }

  private @Nullable ValidRecord search(Predicate<ValidRecord> wanted) throws IOException {
    for (long offset = position; limit - offset >= Records.MARK_BYTES; offset++) {
      if (!load(offset, Integer.BYTES)) {
        return null;
      }
      int at = (int) (offset - windowAt);
      if (window[at] == (byte) (salt >> 24) && ByteBuffer.wrap(window).getInt(at) == (int) salt) {
        ValidRecord found = at(offset);
        if (found != null && wanted.test(found)) {
          return found;
        }
      }
    }
    return null;
  }
}
