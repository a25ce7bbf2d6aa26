package io.lockstep.store.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DurationHistogramTest {
  private final DurationHistogram histogram = new DurationHistogram();

  private long inBucketUpTo(double seconds) {
    DurationHistogram.Reading reading = histogram.read();
    return reading.counts().get(reading.upperSeconds().indexOf(seconds));
  }

  @Test
  void boundBelongsToItsBucketAndNegativeIsZero() {
    histogram.record(1_000_000);
    histogram.record(1_000_001);
    histogram.record(-5);
    assertThat(inBucketUpTo(0.001)).isEqualTo(1);
    assertThat(inBucketUpTo(0.0025)).isEqualTo(1);
    assertThat(inBucketUpTo(0.0001)).isEqualTo(1);
    assertThat(histogram.read().count()).isEqualTo(3);
    assertThat(histogram.read().sumSeconds()).isEqualTo(0.002000001);
  }

  @Test
  void lastBucketTakesAllThatIsLonger() {
    histogram.record(Long.MAX_VALUE);
    assertThat(inBucketUpTo(Double.POSITIVE_INFINITY)).isEqualTo(1);
  }

  @Test
  void boundsAscend() {
    List<Double> bounds = histogram.read().upperSeconds();
    assertThat(bounds).isSorted().doesNotHaveDuplicates();
    assertThat(bounds.get(0)).isEqualTo(0.0001);
  }
}
