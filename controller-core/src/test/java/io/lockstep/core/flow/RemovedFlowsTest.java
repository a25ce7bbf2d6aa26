package io.lockstep.core.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.RemovedFlows.Outcome;
import io.lockstep.core.southbound.FlowRemoved;
import io.lockstep.core.testing.ManualTime;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.onosproject.net.flow.DefaultTrafficSelector;

class RemovedFlowsTest {
  private static final long INTENDED = 0xB000_0000_0000_0000L;

  private final RemovedFlows removed = new RemovedFlows();

  static FlowRemoved expiry(long number) {
    return gone(INTENDED + number, FlowRemoved.Reason.HARD_TIMEOUT);
  }

  private static FlowRemoved gone(long cookie, FlowRemoved.Reason reason) {
    return new FlowRemoved(0, 1, cookie, reason, 1, 0, 0, DefaultTrafficSelector.emptySelector());
  }

  @Test
  void oneRuleThatGoesAgainAndAgainWaitsOnce() {
    assertThat(removed.add(expiry(1))).isEqualTo(Outcome.FIRST);
    for (int i = 0; i < 100_000; i++) {
      assertThat(removed.add(expiry(1))).isEqualTo(Outcome.MERGED);
    }
    RemovedFlows.Taken taken = removed.take();
    assertThat(taken.expired()).containsExactly(INTENDED + 1);
    assertThat(taken.overflowed()).isFalse();
    assertThat(removed.add(expiry(1))).isEqualTo(Outcome.FIRST);
  }

  @Test
  void rulesBeyondTheBoundBecomeAReadBack() {
    for (int i = 0; i < RemovedFlows.MAX; i++) {
      removed.add(expiry(i));
    }
    assertThat(removed.add(expiry(RemovedFlows.MAX))).isEqualTo(Outcome.DROPPED);
    assertThat(removed.add(expiry(7))).as("it waits already").isEqualTo(Outcome.MERGED);
    RemovedFlows.Taken taken = removed.take();
    assertThat(taken.expired()).hasSize(RemovedFlows.MAX);
    assertThat(taken.overflowed()).isTrue();
    assertThat(removed.take().overflowed()).isFalse();
  }

  @Test
  void deletionIsNoExpiry() {
    assertThat(removed.add(gone(INTENDED, FlowRemoved.Reason.DELETE))).isEqualTo(Outcome.FIRST);
    assertThat(removed.add(gone(5, FlowRemoved.Reason.IDLE_TIMEOUT))).isEqualTo(Outcome.MERGED);
    assertThat(removed.take().expired()).isEmpty();
  }

  @Test
  void readBacksKeepAPauseHoweverManyAreAskedFor() {
    ManualTime time = new ManualTime();
    AtomicInteger reads = new AtomicInteger();
    ReadBackPace pace = new ReadBackPace(time, reads::incrementAndGet);
    pace.request();
    assertThat(reads).as("the first is at once").hasValue(1);
    time.pass(10 * ReadBackPace.PAUSE_MILLIS, pace::request);
    assertThat(reads.get()).isBetween(10, 12);
    int soFar = reads.get();
    time.pass(ReadBackPace.PAUSE_MILLIS);
    assertThat(reads).as("the last request is served").hasValue(soFar + 1);
    time.pass(10 * ReadBackPace.PAUSE_MILLIS);
    assertThat(reads).hasValue(soFar + 1);
  }
}
