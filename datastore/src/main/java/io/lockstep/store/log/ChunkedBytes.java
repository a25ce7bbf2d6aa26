package io.lockstep.store.log;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Bytes in chunks, which can be more than an array holds. Immutable; a {@link Builder} collects
 * them.
 */
final class ChunkedBytes {
  private static final int CHUNK_BYTES = 1 << 20;

  /** The chunks; all but the last are full. */
  private final List<byte[]> chunks;

  private final long length;

  private ChunkedBytes(List<byte[]> chunks, long length) {
    this.chunks = chunks;
    this.length = length;
  }

  long length() {
    return length;
  }

  /** Copies bytes, fewer than wanted only at the end. */
  byte[] read(long offset, int bytes) {
    if (offset < 0 || offset > length) {
      throw new IllegalArgumentException(
          "offset " + offset + " in a snapshot of " + length + " bytes");
    }
    byte[] found = new byte[(int) Math.min(bytes, length - offset)];
    int done = 0;
    while (done < found.length) {
      byte[] chunk = chunks.get((int) ((offset + done) / CHUNK_BYTES));
      int from = (int) ((offset + done) % CHUNK_BYTES);
      int count = Math.min(found.length - done, chunk.length - from);
      System.arraycopy(chunk, from, found, done, count);
      done += count;
    }
    return found;
  }

  /** Collects bytes. One thread. */
  static final class Builder {
    private final List<byte[]> full = new ArrayList<>();
    private byte[] open = new byte[4096];
    private int used;

    void add(byte[] bytes, int offset, int length) {
      int from = offset;
      int left = length;
      while (left > 0) {
        if (used == CHUNK_BYTES) {
          full.add(open);
          open = new byte[CHUNK_BYTES];
          used = 0;
        }
        int count = Math.min(left, CHUNK_BYTES - used);
        if (used + count > open.length) {
          open = Arrays.copyOf(open, Math.min(CHUNK_BYTES, Math.max(used + count, 2 * used)));
        }
        System.arraycopy(bytes, from, open, used, count);
        used += count;
        from += count;
        left -= count;
      }
    }

    /** The bytes that were added until now. */
    ChunkedBytes build() {
      List<byte[]> chunks = new ArrayList<>(full);
      chunks.add(Arrays.copyOf(open, used));
      return new ChunkedBytes(chunks, (long) full.size() * CHUNK_BYTES + used);
    }
  }
}
