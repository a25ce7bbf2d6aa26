package io.lockstep.placer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lockstep.placer.space.TernaryMatch;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TrafficWeightsTest {
  private static final RuleKey RULE = new RuleKey(1, TernaryMatch.any());
  private final TrafficWeights weights = new TrafficWeights(10_000);
  private long bytes;
  private long nowMillis;

  /** A reading after so many milliseconds, in which the rule counted so many bytes. */
  private double reading(long millis, long counted) {
    bytes += counted;
    nowMillis += millis;
    return weights.observe(RULE, 0, bytes, nowMillis / 1000, nowMillis);
  }

  @Test
  void theFirstReadingOfAYoungEntrySetsOut() {
    assertThat(weights.observe(RULE, 0, 1_000_000, 2, 0)).isZero();
    assertThat(weights.weight(RULE)).isZero();
    assertThat(weights.observe(RULE, 0, 1_010_000, 12, 10_000)).isCloseTo(1000, within(1e-9));
  }

  @Test
  void theFirstReadingOfAnOlderEntryTellsItsTraffic() {
    assertThat(weights.observe(RULE, 0, 95_000, 9, 0)).isCloseTo(10_000, within(1e-9));
  }

  @Test
  void halfOfTheOldIsLeftBehindAHalfLife() {
    reading(10_000, 0);
    assertThat(reading(10_000, 10_000)).isCloseTo(500, within(1e-9));
    reading(10_000, 5_000);
    assertThat(reading(10_000, 6_000)).isCloseTo(550, within(1e-9));
  }

  @Test
  void twoReadingsThatDifferAlotInOneDirectionAreTheTraffic() {
    for (int i = 0; i < 10; i++) {
      reading(5_000, 5_000);
    }
    reading(5_000, 60_000);
    assertThat(reading(5_000, 100_000)).isCloseTo(16_000, within(1e-9));
    reading(5_000, 0);
    assertThat(reading(5_000, 0)).isZero();
  }

  @Test
  void noiseAveragesOut() {
    Random random = new Random(1);
    for (int i = 0; i < 200; i++) {
      double weight = reading(5_000, (long) (50_000 * (0.8 + 0.4 * random.nextDouble())));
      if (i > 20) { // the readings lie between 8 000 and 12 000
        assertThat(weight).isBetween(8_500.0, 11_500.0);
      }
    }
  }

  @Test
  void aCounterThatFellOrIsInAnotherLayerBeganAnew() {
    weights.observe(RULE, 0, 47_500, 9, 0);
    assertThat(weights.observe(RULE, 0, 17_500, 3, 10_000)).isCloseTo(5_000, within(1e-9));
    assertThat(weights.observe(RULE, 1, 47_500, 9, 20_000)).isCloseTo(5_000, within(1e-9));
    assertThat(weights.observe(RULE, 0, 99_000, 1, 30_000))
        .as("a young entry says nothing")
        .isCloseTo(5_000, within(1e-9));
    assertThat(weights.observe(RULE, 1, 47_600, 29, 40_000))
        .as("nor does one that was there before")
        .isCloseTo(5_000, within(1e-9));
    assertThat(weights.observe(RULE, 1, 97_600, 39, 50_000)).isCloseTo(5_000, within(1e-9));
  }

  @Test
  void aReadingOfTheSameTimeSaysNothing() {
    reading(1_000, 0);
    double before = reading(10_000, 10_000);
    assertThat(reading(0, 99_000)).isEqualTo(before);
  }

  @Test
  void whatIsForgottenWeighsNothing() {
    reading(10_000, 10_000);
    weights.forget(RULE);
    assertThat(weights.weight(RULE)).isZero();
  }
}
