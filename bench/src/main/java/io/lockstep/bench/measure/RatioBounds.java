package io.lockstep.bench.measure;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The geometric mean of the ratios of some rounds, between bounds that hold it with a probability
 * of 95 % where the rounds' logarithms are normally distributed (t of Student).
 *
 * @param lower NaN, as {@code upper}, for a single round
 */
public record RatioBounds(double mean, double lower, double upper) {
  /** The 97.5 % quantiles of t for 1 to 30 degrees of freedom. */
  private static final double[] STUDENT = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042
  };

  /** As many rounds as the quantiles reach. */
  public static final int MOST_ROUNDS = STUDENT.length + 1;

  /**
   * Of 1 to {@link #MOST_ROUNDS} ratios.
   *
   * @throws IllegalArgumentException for more, or none
   */
  public static RatioBounds of(List<Double> ratios) {
    int rounds = ratios.size();
    if (rounds == 0 || rounds > MOST_ROUNDS) {
      throw new IllegalArgumentException("1 to " + MOST_ROUNDS + " rounds, not " + rounds);
    }
    double mean = ratios.stream().mapToDouble(Math::log).sum() / rounds;
    if (rounds == 1) {
      return new RatioBounds(Math.exp(mean), Double.NaN, Double.NaN);
    }
    double squares = ratios.stream().mapToDouble(one -> Math.pow(Math.log(one) - mean, 2)).sum();
    double half = STUDENT[rounds - 2] * Math.sqrt(squares / (rounds - 1) / rounds);
    return new RatioBounds(Math.exp(mean), Math.exp(mean - half), Math.exp(mean + half));
  }

  /** The same of one value of each point. */
  public static <P> RatioBounds of(List<P> points, ToDoubleFunction<P> ratio) {
    return of(points.stream().mapToDouble(ratio).boxed().toList());
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%.3f (%.3f to %.3f)", mean, lower, upper);
  }
}
