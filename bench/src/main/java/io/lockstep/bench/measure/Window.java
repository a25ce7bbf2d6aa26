package io.lockstep.bench.measure;

import org.HdrHistogram.Histogram;

/**
 * Counts and times the operations of one point. Throughput counts what was answered inside the
 * measured window; latency and loss count what was sent inside it, so an answer that comes after
 * the window's end still enters the histogram and a slow answer cannot escape it.
 *
 * <p>Owned by one thread.
 */
public final class Window {
  /** Longer latencies are recorded as this. */
  static final long MAX_LATENCY_NANOS = 600_000_000_000L;

  private static final int SIGNIFICANT_DIGITS = 3;
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final long startNanos;
  private final long lengthNanos;
  private final Histogram latencyNanos = new Histogram(MAX_LATENCY_NANOS, SIGNIFICANT_DIGITS);
  private final long[] answeredBySecond;
  private long sent;
  private long answered;
  private long lost;

  /** The window of a point that begins its warm-up at {@code beginNanos}. */
  public Window(long beginNanos, Schedule schedule) {
    this.startNanos = beginNanos + schedule.warmupNanos();
    this.lengthNanos = schedule.measureNanos();
    this.answeredBySecond = new long[(int) ((lengthNanos + SECOND_NANOS - 1) / SECOND_NANOS)];
  }

  /** Where the measured window begins. */
  public long startNanos() {
    return startNanos;
  }

  /** Where the measured window ends; nothing is sent from here on. */
  public long endNanos() {
    return startNanos + lengthNanos;
  }

  /** Whether an instant lies in the measured window. */
  public boolean contains(long nanos) {
    long offset = nanos - startNanos;
    return offset >= 0 && offset < lengthNanos;
  }

  /** An operation was sent. */
  public void sent(long sentNanos) {
    if (contains(sentNanos)) {
      sent++;
    }
  }

  /** It was answered. */
  public void answered(long sentNanos, long answeredNanos) {
    if (contains(answeredNanos)) {
      answered++;
      answeredBySecond[(int) ((answeredNanos - startNanos) / SECOND_NANOS)]++;
    }
    if (contains(sentNanos)) {
      latencyNanos.recordValue(Math.min(Math.max(0, answeredNanos - sentNanos), MAX_LATENCY_NANOS));
    }
  }

  /** It was not answered within its deadline, or answered with a failure. */
  public void lost(long sentNanos) {
    if (contains(sentNanos)) {
      lost++;
    }
  }

  /** The figures; to be asked after the last operation was answered or lost. */
  public Figures figures(int inFlight) {
    return Figures.of(inFlight, lengthNanos, sent, answered, lost, latencyNanos, answeredBySecond);
  }
}
