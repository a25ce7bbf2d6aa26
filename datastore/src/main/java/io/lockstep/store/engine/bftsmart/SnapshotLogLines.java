package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.logging.LogLimit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the log lines about snapshots, at most {@link LogLimit#LINES} a minute, since clients
 * decide how often a snapshot is made. A line counts the lines left out before it, with the longest
 * time among them. The benchmarks read the lines. One thread.
 */
final class SnapshotLogLines {
  private final LogLimit limit;
  private long longestLeftOutMillis;

  /**
   * @param nanoTime a monotonic clock
   */
  SnapshotLogLines(LongSupplier nanoTime) {
    limit = new LogLimit(nanoTime);
  }

  /** The line about a snapshot that was made, or null if it is left out. */
  @Nullable String made(long instance, long bytes, long millis) {
    String more = limit.admit("made");
    if (more == null) {
      longestLeftOutMillis = Math.max(longestLeftOutMillis, millis);
      return null;
    }
    String line =
        String.format(
            "snapshot at instance %d: %d bytes in %d ms%s", instance, bytes, millis, more);
    if (longestLeftOutMillis > 0) {
      line += String.format("; of those left out the longest took %d ms", longestLeftOutMillis);
      longestLeftOutMillis = 0;
    }
    return line;
  }

  /** The line about a snapshot that the log rejected, or null if it is left out. */
  @Nullable String overtaken(long instance, IllegalStateException why) {
    String more = limit.admit("overtaken");
    return more == null
        ? null
        : String.format(
            "the log rejected the snapshot at instance %d: %s%s", instance, why.getMessage(), more);
  }
}
