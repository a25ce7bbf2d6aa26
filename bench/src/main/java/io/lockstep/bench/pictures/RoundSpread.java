package io.lockstep.bench.pictures;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.bench.drawing.Interval;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A figure in some rounds.
 *
 * @param median of the rounds
 * @param lowest of a round
 * @param highest of a round
 * @param rounds how many there are
 */
record RoundSpread(double median, double lowest, double highest, int rounds) {
  /** Those of the points that have the figure; empty where none has. */
  static Optional<RoundSpread> of(List<JsonNode> points, ToDoubleFunction<JsonNode> figure) {
    double[] sorted =
        points.stream()
            .mapToDouble(figure)
            .filter(value -> !Double.isNaN(value))
            .sorted()
            .toArray();
    if (sorted.length == 0) {
      return Optional.empty();
    }
    int half = sorted.length / 2;
    double median = sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    return Optional.of(
        new RoundSpread(median, sorted[0], sorted[sorted.length - 1], sorted.length));
  }

  /** From the lowest to the highest; null for a single round. */
  @Nullable Interval interval() {
    return rounds == 1 ? null : new Interval(lowest, highest);
  }
}
