package io.lockstep.demo.emulate;

import java.util.Locale;

/**
 * Counts pings and their round trips: a fixed table, 3 % wide steps, however many there are.
 * Thread-safe.
 */
final class PingTally {
  private static final int STEPS_BITS = 5;
  private static final int STEPS = 1 << STEPS_BITS;

  private final long[] counts = new long[Long.SIZE * STEPS];
  private long sent;
  private long answered;
  private long lost;
  private long longestNanos;

  synchronized void sent() {
    sent++;
  }

  /**
   * @param nanos the round trip; negative where there was no answer in time
   */
  synchronized void decided(long nanos) {
    if (nanos < 0) {
      lost++;
      return;
    }
    answered++;
    longestNanos = Math.max(longestNanos, nanos);
    counts[step(nanos)]++;
  }

  private static int step(long nanos) {
    int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(nanos) - STEPS_BITS - 1);
    return shift * STEPS + (int) (nanos >>> shift);
  }

  /** The largest number of a step, the smaller of what was measured and it. */
  private long upperNanos(int step) {
    int shift = step < 2 * STEPS ? 0 : step / STEPS - 1;
    long place = step - (long) shift * STEPS;
    return Math.min(longestNanos, ((place + 1) << shift) - 1);
  }

  /** The counts so far. */
  synchronized Counts counts() {
    return new Counts(sent, answered, lost, quantile(0.5), quantile(0.99), longestNanos);
  }

  private long quantile(double share) {
    long rank = (long) Math.ceil(share * answered);
    long seen = 0;
    for (int step = 0; step < counts.length && rank > 0; step++) {
      seen += counts[step];
      if (seen >= rank) {
        return upperNanos(step);
      }
    }
    return 0;
  }

  /**
   * What became of pings.
   *
   * @param answered in time
   * @param lost not answered in time; what is neither is on its way
   * @param medianNanos of the round trips of those that were answered; 0 where none was
   * @param p99Nanos 99 of 100 took at most so long
   */
  record Counts(
      long sent, long answered, long lost, long medianNanos, long p99Nanos, long longestNanos) {
    static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0);

    /** One line for people. */
    String text() {
      long undecided = sent - answered - lost;
      return String.format(Locale.ROOT, "%d sent, %d answered, %d lost", sent, answered, lost)
          + (undecided == 0 ? "" : ", " + undecided + " on their way")
          + (answered == 0
              ? ""
              : "; round trip median "
                  + millis(medianNanos)
                  + ", p99 "
                  + millis(p99Nanos)
                  + ", longest "
                  + millis(longestNanos)
                  + " ms");
    }

    private static String millis(long nanos) {
      return String.format(Locale.ROOT, "%.2f", nanos / 1e6);
    }
  }
}
