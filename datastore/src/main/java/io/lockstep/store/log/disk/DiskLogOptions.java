package io.lockstep.store.log.disk;

import java.security.SecureRandom;
import java.util.function.LongSupplier;

/**
 * Sizes of a log on disk, in bytes unless stated otherwise.
 *
 * @param segmentBytes the length from which on a segment is full
 * @param fillBytes the step in which a segment is filled with zeros ahead of the log, at most 256
 *     KiB; 0 for no filling
 * @param groupBytes bytes that are written between two syncs; the last decision may exceed it
 * @param pendingBytes {@link DiskLog#append} waits while more than this is not durable
 * @param tailBytes decisions kept in memory for peers that lag a little. Few: what outlives some
 *     young collections ends in the old generation, and all of that is collected in one pause
 * @param freeBytes free space that the directory must have at opening
 * @param closeMillis how long {@link DiskLog#close} waits for the disk
 * @param salts random numbers, one for each segment; any thread
 */
public record DiskLogOptions(
    long segmentBytes,
    int fillBytes,
    int groupBytes,
    int pendingBytes,
    long tailBytes,
    long freeBytes,
    long closeMillis,
    LongSupplier salts) {
  private static final long CLOSE_MILLIS = 30_000;

  public DiskLogOptions {
    if (segmentBytes < 1
        || segmentBytes > 1 << 30
        || fillBytes < 0
        || groupBytes < 1
        || groupBytes > 1 << 28
        || pendingBytes < 1
        || tailBytes < 0
        || freeBytes < 0
        || closeMillis < 1) {
      throw new IllegalArgumentException("sizes of a log out of bounds");
    }
  }

  /** With 30 s for closing. */
  public DiskLogOptions(
      long segmentBytes,
      int fillBytes,
      int groupBytes,
      int pendingBytes,
      long tailBytes,
      long freeBytes,
      LongSupplier salts) {
    this(
        segmentBytes,
        fillBytes,
        groupBytes,
        pendingBytes,
        tailBytes,
        freeBytes,
        CLOSE_MILLIS,
        salts);
  }

  /** The most memory of decisions; those that are not durable are among the newest. */
  public long memoryBytes() {
    return Math.max(pendingBytes, tailBytes);
  }

  /** These options with another time for closing. */
  public DiskLogOptions withCloseMillis(long millis) {
    return new DiskLogOptions(
        segmentBytes, fillBytes, groupBytes, pendingBytes, tailBytes, freeBytes, millis, salts);
  }

  /**
   * Segments of 64 MiB, filled by 256 KiB; 8 MiB wait for the disk, 1 MiB is kept for peers; 256
   * MiB must be free.
   */
  public static DiskLogOptions usual() {
    return new DiskLogOptions(
        64L << 20, 256 << 10, 4 << 20, 8 << 20, 1L << 20, 256L << 20, new SecureRandom()::nextLong);
  }
}
