package io.lockstep.demo.emulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import org.junit.jupiter.api.Test;

class PingTallyTest {
  @Test
  void quantilesAreAsExactAsTheSteps() {
    PingTally tally = new PingTally();
    for (int i = 1; i <= 1000; i++) {
      tally.sent();
      tally.decided(i * 1_000_000L);
    }
    PingTally.Counts counts = tally.counts();
    assertThat(counts.medianNanos()).isCloseTo(500_000_000L, withinPercentage(3.2));
    assertThat(counts.p99Nanos()).isCloseTo(990_000_000L, withinPercentage(3.2));
    assertThat(counts.longestNanos()).isEqualTo(1_000_000_000L);
  }

  @Test
  void anyRoundTripHasAPlace() {
    for (long nanos : new long[] {0, 1, 63, 64, 65, 1_000_003, Long.MAX_VALUE}) {
      PingTally tally = new PingTally();
      tally.sent();
      tally.decided(nanos);
      assertThat(tally.counts().medianNanos()).as("of one value").isEqualTo(nanos);
    }
  }

  @Test
  void whatIsLostOrOnItsWayIsNoRoundTrip() {
    PingTally tally = new PingTally();
    assertThat(tally.counts()).isEqualTo(PingTally.Counts.NONE);
    for (int i = 0; i < 4; i++) {
      tally.sent();
    }
    tally.decided(-1);
    assertThat(tally.counts().text()).isEqualTo("4 sent, 0 answered, 1 lost, 3 on their way");
    tally.decided(2_000_000);
    tally.decided(2_000_000);
    tally.decided(-1);
    assertThat(tally.counts().text())
        .isEqualTo("4 sent, 2 answered, 2 lost; round trip median 2.00, p99 2.00, longest 2.00 ms");
  }
}
