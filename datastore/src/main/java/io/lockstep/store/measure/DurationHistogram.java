package io.lockstep.store.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts durations in fixed buckets from 100 us to 10 s, three to a decade. A record allocates
 * nothing and takes no lock. Thread-safe.
 */
public final class DurationHistogram {
  private static final long[] BOUNDS_NANOS = {
    100_000L,
    250_000L,
    500_000L,
    1_000_000L,
    2_500_000L,
    5_000_000L,
    10_000_000L,
    25_000_000L,
    50_000_000L,
    100_000_000L,
    250_000_000L,
    500_000_000L,
    1_000_000_000L,
    2_500_000_000L,
    5_000_000_000L,
    10_000_000_000L
  };

  private final LongAdder[] counts = new LongAdder[BOUNDS_NANOS.length + 1];
  private final LongAdder sumNanos = new LongAdder();

  /** A histogram without durations. */
  public DurationHistogram() {
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new LongAdder();
    }
  }

  /**
   * What was recorded.
   *
   * @param upperSeconds the inclusive upper bounds of the buckets, ascending; the last is infinity
   * @param counts of each bucket alone, as many as there are bounds
   * @param sumSeconds of all durations
   */
  public record Reading(List<Double> upperSeconds, List<Long> counts, double sumSeconds) {
    public Reading {
      upperSeconds = List.copyOf(upperSeconds);
      counts = List.copyOf(counts);
    }

    /** How many durations there are. */
    public long count() {
      return counts.stream().mapToLong(Long::longValue).sum();
    }
  }

  /** Records a duration; one below 0 counts as 0. */
  public void record(long nanos) {
    long duration = Math.max(0, nanos);
    int bucket = 0;
    while (bucket < BOUNDS_NANOS.length && duration > BOUNDS_NANOS[bucket]) {
      bucket++;
    }
    counts[bucket].increment();
    sumNanos.add(duration);
  }

  /** What was recorded so far; records that come meanwhile may be in it or not. */
  public Reading read() {
    List<Double> bounds = new ArrayList<>(counts.length);
    List<Long> read = new ArrayList<>(counts.length);
    for (int i = 0; i < counts.length; i++) {
      bounds.add(
          i < BOUNDS_NANOS.length
              ? (double) BOUNDS_NANOS[i] / TimeUnit.SECONDS.toNanos(1)
              : Double.POSITIVE_INFINITY);
      read.add(counts[i].sum());
    }
    return new Reading(bounds, read, (double) sumNanos.sum() / TimeUnit.SECONDS.toNanos(1));
  }
}
