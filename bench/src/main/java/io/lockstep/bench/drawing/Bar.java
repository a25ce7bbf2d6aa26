package io.lockstep.bench.drawing;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A bar of one or more parts, one after the other.
 *
 * @param parts not negative; none where there is no value
 * @param interval of the whole; null where there is none
 * @param text behind the bar; empty for none
 */
public record Bar(List<Part> parts, @Nullable Interval interval, String text) {
  /** A part, as long as its value. */
  public record Part(double value, BarFill fill) {}

  public Bar {
    parts = List.copyOf(parts);
  }

  /** A bar of one part. */
  public static Bar of(double value, BarFill fill, @Nullable Interval interval, String text) {
    return new Bar(List.of(new Part(value, fill)), interval, text);
  }

  double sum() {
    return parts.stream().mapToDouble(Part::value).sum();
  }
}
