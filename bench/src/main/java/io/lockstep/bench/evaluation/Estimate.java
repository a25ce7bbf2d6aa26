package io.lockstep.bench.evaluation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A mean over forks with its 95 % confidence interval, by Student's distribution.
 *
 * @param low null with one fork
 * @param high null with one fork
 */
record Estimate(double mean, @Nullable Double low, @Nullable Double high) {
  /** Two-sided, by degrees of freedom from 1 on. */
  private static final double[] STUDENT = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262
  };

  /**
   * From values of forks.
   *
   * @param values 1 to 10
   */
  static Estimate of(List<Double> values) {
    int count = values.size();
    if (count < 1 || count > STUDENT.length + 1) {
      throw new IllegalArgumentException(count + " forks");
    }
    double mean = values.stream().mapToDouble(Double::doubleValue).sum() / count;
    if (count == 1) {
      return new Estimate(mean, null, null);
    }
    double squares = values.stream().mapToDouble(value -> (value - mean) * (value - mean)).sum();
    double half = STUDENT[count - 2] * Math.sqrt(squares / (count - 1) / count);
    return new Estimate(mean, mean - half, mean + half);
  }
}
