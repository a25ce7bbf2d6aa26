package io.lockstep.core.flow.placed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lockstep.placer.RuleKey;
import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import org.junit.jupiter.api.Test;

class PacketInRatesTest {
  private static final long NOW = PlacementFixture.NOW;
  private final PacketInBudget budget = new PacketInBudget();
  private final PacketInRates rates = new PacketInRates(budget);

  private static RuleKey key(int port, int address) {
    TernaryMatch match = TernaryMatch.any().with(HeaderField.IPV4_DST, address);
    return new RuleKey(10, port == 0 ? match : match.with(HeaderField.IN_PORT, port));
  }

  private double perSecond(RuleKey key, long nowMillis) {
    return PacketInRates.perSecond(rates.packets(key, nowMillis));
  }

  @Test
  void steadyPacketsGiveTheirRate() {
    long now = NOW;
    for (int i = 0; i < 600; i++, now += 100) {
      rates.count(key(1, 1), now);
    }
    assertThat(perSecond(key(1, 1), now)).isCloseTo(10, within(0.5));
    assertThat(perSecond(key(1, 1), now + PacketInRates.HALF_LIFE_MILLIS))
        .as("half after the half-life")
        .isCloseTo(5, within(0.3));
    assertThat(perSecond(key(1, 2), now)).as("of which none came").isZero();
  }

  @Test
  void aClockThatGoesBackLosesNoCount() {
    rates.count(key(1, 1), NOW);
    rates.count(key(1, 1), NOW - 60_000);
    assertThat(rates.packets(key(1, 1), NOW)).isCloseTo(2, within(1e-9));
  }

  @Test
  void everNewAddressesAtAPortDisplaceNoCountOfAnotherAndNoHeavyOne() {
    for (int i = 0; i < 20; i++) {
      rates.count(key(1, 1), NOW);
      rates.count(key(2, 1), NOW);
    }
    for (int i = 0; i < 100_000; i++) {
      rates.count(key(1, 2 + i), NOW + i / 100);
    }
    assertThat(rates.heaviest(NOW)).hasSize(PacketInRates.MAX_AT_PORT + 1);
    assertThat(rates.packets(key(1, 1), NOW + 1_000)).isGreaterThan(15);
    assertThat(rates.packets(key(2, 1), NOW + 1_000)).isGreaterThan(15);
  }

  @Test
  void aSwitchThatInventsPortsIsBounded() {
    for (int i = 0; i < 20; i++) {
      rates.count(key(0, 1), NOW);
    }
    for (int i = 0; i < 10_000; i++) {
      rates.count(key(2 + i, 1), NOW);
    }
    assertThat(rates.heaviest(NOW)).hasSize(PacketInRates.MAX_ENTRIES);
    assertThat(rates.packets(key(0, 1), NOW)).as("of any port").isEqualTo(20);
  }

  @Test
  void theNodesBudgetIsSharedAndGivenBack() {
    for (int i = 1; i < PacketInBudget.MAX_ENTRIES; i++) {
      assertThat(budget.take()).isTrue();
    }
    rates.count(key(1, 1), NOW);
    rates.count(key(2, 2), NOW + 1);
    assertThat(rates.heaviest(NOW + 1)).as("the newer one").hasSize(1);
    PacketInRates other = new PacketInRates(budget);
    other.count(key(1, 1), NOW);
    assertThat(other.heaviest(NOW)).as("no room").isEmpty();
    rates.clear();
    other.count(key(1, 1), NOW);
    assertThat(other.heaviest(NOW)).hasSize(1);
    other.forget(key(1, 1));
    assertThat(budget.take()).isTrue();
    assertThat(budget.take()).isFalse();
  }
}
