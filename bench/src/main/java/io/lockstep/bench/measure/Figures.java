package io.lockstep.bench.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * One measured point. Names of the components are the keys of the result file.
 *
 * @param inFlight operations outstanding at most
 * @param seconds length of the measured window
 * @param sent operations sent inside the window
 * @param answered operations answered inside the window
 * @param perSecond {@code answered} over {@code seconds}
 * @param p50Micros median latency of the operations sent inside the window and answered, in
 *     microseconds
 * @param lost operations sent inside the window and not answered within their deadline
 * @param answeredBySecond the time-line: {@code answered}, second by second
 */
public record Figures(
    int inFlight,
    double seconds,
    long sent,
    long answered,
    double perSecond,
    double p50Micros,
    double p90Micros,
    double p99Micros,
    double maxMicros,
    long lost,
    List<Long> answeredBySecond) {

  public Figures {
    answeredBySecond = List.copyOf(answeredBySecond);
  }

  static Figures of(
      int inFlight,
      long lengthNanos,
      long sent,
      long answered,
      long lost,
      Histogram latencyNanos,
      long[] answeredBySecond) {
    double seconds = lengthNanos / 1e9;
    return new Figures(
        inFlight,
        seconds,
        sent,
        answered,
        tenth(answered / seconds),
        tenth(latencyNanos.getValueAtPercentile(50) / 1e3),
        tenth(latencyNanos.getValueAtPercentile(90) / 1e3),
        tenth(latencyNanos.getValueAtPercentile(99) / 1e3),
        tenth(latencyNanos.getMaxValue() / 1e3),
        lost,
        new ArrayList<>(Arrays.stream(answeredBySecond).boxed().toList()));
  }

  /** The median of one value or more: of an even number the mean of the middle two. */
  public static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  /** Rounded to one decimal: the histogram has three digits, more would only look exact. */
  static double tenth(double value) {
    return Math.round(value * 10) / 10.0;
  }

  /** One line for people. */
  public String line() {
    return String.format(
        Locale.ROOT,
        "in flight %4d: %9.1f/s  p50 %.0f us  p90 %.0f us  p99 %.0f us  max %.0f us  lost %d",
        inFlight,
        perSecond,
        p50Micros,
        p90Micros,
        p99Micros,
        maxMicros,
        lost);
  }
}
