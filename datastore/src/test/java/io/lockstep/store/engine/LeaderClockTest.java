package io.lockstep.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The rules of docs/adr/0015, on two clocks that this test moves. */
class LeaderClockTest {
  private static final long MILLI = 1_000_000;

  private long nanos = 77 * MILLI;
  private long wall = 1_000_000;
  private final LeaderClock clock = new LeaderClock(() -> nanos, () -> wall);

  private static byte[] value(int number) {
    return new byte[] {1, 2, (byte) number};
  }

  private void pass(long millis) {
    nanos += millis * MILLI;
    wall += millis;
  }

  @Test
  void emptyStoreBeginsWithTheWallClockAndLooksAtItNoMore() {
    assertThat(clock.nowMillis()).isEqualTo(1_000_000);
    pass(30);
    wall += 3_600_000;
    assertThat(clock.nowMillis()).isEqualTo(1_000_030);
  }

  @Test
  void newLeaderGoesOnFromTheLastDecisionSinceItKnowsOfIt() {
    clock.applied(value(1), 5_000);
    pass(40);
    assertThat(clock.nowMillis()).isEqualTo(5_040);
    clock.applied(value(2), 5_010);
    assertThat(clock.nowMillis()).as("also where that is less").isEqualTo(5_010);
  }

  @Test
  void timeSinceAnothersProposalArrivedCounts() {
    clock.arrived(value(1));
    pass(100);
    clock.arrived(value(1));
    pass(200);
    clock.applied(value(1), 5_000);
    assertThat(clock.nowMillis()).as("since it came first").isEqualTo(5_300);
  }

  @Test
  void proposalThatArrivedAndWasNotDecidedDoesNotCount() {
    clock.arrived(value(1));
    pass(300);
    clock.applied(value(2), 5_000);
    assertThat(clock.nowMillis()).isEqualTo(5_000);
  }

  @Test
  void timeSinceTheOwnProposalCountsToTheFractionOfAMillisecond() {
    clock.applied(value(0), 5_000);
    for (int i = 1; i <= 100; i++) {
      nanos += 400_000;
      long time = clock.nowMillis();
      clock.proposed(value(i));
      clock.arrived(value(i));
      nanos += 400_000;
      clock.applied(value(i), time);
    }
    assertThat(clock.nowMillis()).isEqualTo(5_080);
  }

  @Test
  void ownProposalThatWasNotDecidedIsForgotten() {
    clock.applied(value(0), 5_000);
    clock.nowMillis();
    clock.proposed(value(1));
    pass(300);
    // Another leader's, of the same millisecond.
    clock.applied(value(2), 5_000);
    assertThat(clock.nowMillis()).isEqualTo(5_000);
    pass(300);
    clock.applied(value(1), 5_300);
    assertThat(clock.nowMillis()).isEqualTo(5_300);
  }

  @Test
  void stateMadeAnewGoesOnFromItsLastTime() {
    clock.applied(value(0), 9_000);
    pass(300);
    clock.restored(OptionalLong.of(5_000));
    pass(20);
    assertThat(clock.nowMillis()).isEqualTo(5_020);
    clock.restored(OptionalLong.empty());
    assertThat(clock.nowMillis()).isEqualTo(wall);
  }

  @Test
  void ownProposalThatIsDecidedAfterTheStateWasMadeAnewSetsTheTime() {
    long time = clock.nowMillis();
    clock.proposed(value(0));
    clock.restored(OptionalLong.empty());
    wall += 3_600_000;
    clock.applied(value(0), time);
    assertThat(clock.nowMillis()).isEqualTo(time);
  }
}
