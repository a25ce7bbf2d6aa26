package io.lockstep.placer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lockstep.placer.space.TernaryMatch;
import org.junit.jupiter.api.Test;

class TrafficWeightsTest {
  private static final RuleKey RULE = new RuleKey(1, TernaryMatch.any());
  private final TrafficWeights weights = new TrafficWeights(10_000);

  @Test
  void theFirstReadingSetsOut() {
    assertThat(weights.observe(RULE, 1_000_000, 0)).isZero();
    assertThat(weights.weight(RULE)).isZero();
  }

  @Test
  void halfOfTheOldIsLeftBehindAHalfLife() {
    weights.observe(RULE, 0, 0);
    assertThat(weights.observe(RULE, 10_000, 10_000)).isCloseTo(500, within(1e-9));
    assertThat(weights.observe(RULE, 20_000, 20_000)).isCloseTo(750, within(1e-9));
    assertThat(weights.observe(RULE, 20_000, 30_000)).isCloseTo(375, within(1e-9));
  }

  @Test
  void aCounterThatFellBeganAnew() {
    weights.observe(RULE, 5_000, 0);
    assertThat(weights.observe(RULE, 1_000, 10_000)).isCloseTo(50, within(1e-9));
  }

  @Test
  void aReadingOfTheSameTimeSaysNothing() {
    weights.observe(RULE, 0, 0);
    double before = weights.observe(RULE, 10_000, 10_000);
    assertThat(weights.observe(RULE, 99_000, 10_000)).isEqualTo(before);
  }

  @Test
  void whatIsForgottenWeighsNothing() {
    weights.observe(RULE, 0, 0);
    weights.observe(RULE, 10_000, 10_000);
    weights.forget(RULE);
    assertThat(weights.weight(RULE)).isZero();
  }
}
