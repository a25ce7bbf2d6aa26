package io.lockstep.store.log.disk;

import io.lockstep.store.measure.DurationHistogram;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Tells when the disk takes long to make bytes durable: every write of the cluster that this
 * replica is needed for waits as long, and nothing else says why. At most one line in ten seconds.
 * Any thread.
 */
final class SlowSyncs {
  /** Ten times what a slow disk usually takes, half of what a leader's silence may last. */
  static final long SLOW_MILLIS = 250;

  private static final long EVERY_MILLIS = 10_000;

  /** What makes bytes durable. */
  interface Sync {
    void run() throws IOException;
  }

  private final LongSupplier nanos;
  private final Consumer<String> notice;
  private final AtomicLong count = new AtomicLong();
  private final DurationHistogram times = new DurationHistogram();
  private boolean told;
  private long toldMillis;
  private int untold;
  private long longestMillis;

  /**
   * @param nanos a clock that only goes forward
   * @param notice gets a sentence, on the thread that synced
   */
  SlowSyncs(LongSupplier nanos, Consumer<String> notice) {
    this.nanos = nanos;
    this.notice = notice;
  }

  /** Runs it and looks how long it takes. */
  void time(Sync sync) throws IOException {
    long from = nanos.getAsLong();
    count.incrementAndGet();
    sync.run();
    long now = nanos.getAsLong();
    times.record(now - from);
    long tookMillis = TimeUnit.NANOSECONDS.toMillis(now - from);
    if (tookMillis >= SLOW_MILLIS) {
      took(tookMillis, TimeUnit.NANOSECONDS.toMillis(now));
    }
  }

  /** How often something was run. */
  long count() {
    return count.get();
  }

  /** How long it took each time. */
  DurationHistogram.Reading times() {
    return times.read();
  }

  private synchronized void took(long tookMillis, long nowMillis) {
    longestMillis = Math.max(longestMillis, tookMillis);
    if (told && nowMillis - toldMillis < EVERY_MILLIS) {
      untold++;
      return;
    }
    String more = untold == 0 ? "" : "; " + untold + " more since, up to " + longestMillis + " ms";
    notice.accept("the disk took " + tookMillis + " ms to make bytes durable" + more);
    told = true;
    toldMillis = nowMillis;
    untold = 0;
    longestMillis = 0;
  }
}
