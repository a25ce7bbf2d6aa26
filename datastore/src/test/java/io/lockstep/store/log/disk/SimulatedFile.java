package io.lockstep.store.log.disk;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;

/**
 * The contents of one simulated file: as the processes see it, and as it is on the disk. The disk
 * writes pages whenever it likes and in any order until a sync.
 */
final class SimulatedFile {
  static final int PAGE_BYTES = 512;

  private byte[] seen = new byte[0];
  private int seenLength;
  private byte[] safe = new byte[0];
  private int safeLength;
  private final BitSet dirty = new BitSet();

  int length() {
    return seenLength;
  }

  int read(long position, byte[] bytes, int offset, int length) {
    int count = (int) Math.max(0, Math.min(length, seenLength - position));
    if (count > 0) {
      System.arraycopy(seen, (int) position, bytes, offset, count);
    }
    return count;
  }

  void write(long position, byte[] bytes, int offset, int length) {
    int end = (int) position + length;
    if (end > seen.length) {
      seen = Arrays.copyOf(seen, Math.max(end, 2 * seen.length));
    }
    System.arraycopy(bytes, offset, seen, (int) position, length);
    dirty.set((int) position / PAGE_BYTES, (end + PAGE_BYTES - 1) / PAGE_BYTES);
    seenLength = Math.max(seenLength, end);
  }

  void truncate(long length) {
    int cut = (int) length;
    if (cut < seenLength) {
      Arrays.fill(seen, cut, seenLength, (byte) 0);
      dirty.set(cut / PAGE_BYTES, (seenLength + PAGE_BYTES - 1) / PAGE_BYTES);
    }
    seenLength = cut;
  }

  void sync() {
    for (int page = dirty.nextSetBit(0); page >= 0; page = dirty.nextSetBit(page + 1)) {
      keep(page, PAGE_BYTES);
    }
    dirty.clear();
    safeLength = seenLength;
  }

  private void keep(int page, int bytes) {
    int from = page * PAGE_BYTES;
    int count = Math.min(bytes, seen.length - from);
    if (count > 0) {
      if (safe.length < from + count) {
        safe = Arrays.copyOf(safe, Math.max(from + count, 2 * safe.length));
      }
      System.arraycopy(seen, from, safe, from, count);
    }
  }

  /** The power fails. */
  void crash(Random random) {
    int mode = random.nextInt(4);
    int prefix = dirty.isEmpty() ? 0 : random.nextInt(dirty.length() + 1);
    for (int page = dirty.nextSetBit(0); page >= 0; page = dirty.nextSetBit(page + 1)) {
      boolean kept = mode == 0 || (mode == 1 ? page < prefix : mode == 2 && random.nextBoolean());
      if (kept) {
        keep(page, PAGE_BYTES);
      } else if (mode != 3 && random.nextInt(4) == 0) {
        keep(page, random.nextInt(PAGE_BYTES));
      }
    }
    if (seenLength != safeLength && mode != 3) {
      int between = Math.min(seenLength, safeLength);
      int more = Math.abs(seenLength - safeLength);
      safeLength =
          mode == 0
              ? seenLength
              : seenLength > safeLength
                  ? between + random.nextInt(more + 1)
                  : random.nextBoolean() ? seenLength : safeLength;
    }
    if (safe.length < safeLength) {
      safe = Arrays.copyOf(safe, safeLength);
    }
    Arrays.fill(safe, safeLength, safe.length, (byte) 0);
    becomeSafe();
  }

  /** Only the process dies: what it wrote is there. */
  private void becomeSafe() {
    seen = safe.clone();
    seenLength = safeLength;
    dirty.clear();
  }

  byte[] bytes() {
    return Arrays.copyOf(seen, seenLength);
  }

  /** Puts other contents in place, durably. */
  void replace(byte[] bytes) {
    safe = bytes.clone();
    safeLength = bytes.length;
    becomeSafe();
  }

  SimulatedFile copy() {
    SimulatedFile copy = new SimulatedFile();
    copy.replace(bytes());
    return copy;
  }
}
