package io.lockstep.dataplane.flowtable;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.flowtable.Action.Output;
import io.lockstep.dataplane.flowtable.FlowRemoved.Reason;
import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.packet.SampleFrames;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** OpenFlow 1.3.5 section 5.5, on a clock that moves when told. */
class TimeoutTest {
  private static final Instructions TO_1 = Instructions.applying(Output.to(1));
  private static final FlowMod NOTIFYING =
      FlowMod.add(FlowMatch.ANY, 5, TO_1).withFlags(FlowFlag.SEND_FLOW_REMOVED);

  private final PipelineHarness harness = new PipelineHarness();

  @Test
  void idleEntryGoesAfterItsIdleTimeout() {
    harness.accept(NOTIFYING.withTimeouts(300, 0));
    harness.pass(Duration.ofMinutes(5).minusNanos(1));
    assertThat(harness.entries()).hasSize(1);
    harness.pass(Duration.ofNanos(1));
    assertThat(harness.entries()).isEmpty();
    assertThat(harness.removed)
        .singleElement()
        .extracting(FlowRemoved::reason)
        .isEqualTo(Reason.IDLE_TIMEOUT);
    assertThat(harness.removed.get(0).durationNanos()).isEqualTo(300_000_000_000L);
  }

  @Test
  void packetsKeepAnIdleEntryAlive() {
    harness.accept(NOTIFYING.withTimeouts(10, 0));
    for (int i = 0; i < 5; i++) {
      harness.pass(Duration.ofSeconds(9));
      assertThat(harness.send(SampleFrames.echo(), 2)).isEqualTo("1");
    }
    harness.pass(Duration.ofSeconds(10));
    assertThat(harness.removed).hasSize(1);
    assertThat(harness.removed.get(0).packets()).isEqualTo(5);
    assertThat(harness.removed.get(0).durationNanos()).isEqualTo(55_000_000_000L);
  }

  @Test
  void hardTimeoutEndsABusyEntry() {
    harness.accept(NOTIFYING.withTimeouts(10, 20));
    for (int i = 0; i < 19; i++) {
      harness.pass(Duration.ofSeconds(1));
      harness.send(SampleFrames.echo(), 2);
    }
    assertThat(harness.entries()).hasSize(1);
    harness.pass(Duration.ofSeconds(1));
    assertThat(harness.removed)
        .singleElement()
        .extracting(FlowRemoved::reason)
        .isEqualTo(Reason.HARD_TIMEOUT);
  }

  @Test
  void theEarlierOfBothTimeoutsCounts() {
    harness.accept(NOTIFYING.withTimeouts(3, 20));
    harness.pass(Duration.ofSeconds(3));
    assertThat(harness.removed)
        .singleElement()
        .extracting(FlowRemoved::reason)
        .isEqualTo(Reason.IDLE_TIMEOUT);
  }

  @Test
  void entriesWithoutTimeoutStay() {
    harness.accept(NOTIFYING);
    assertThat(harness.pipeline.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
    harness.pass(Duration.ofDays(1000));
    assertThat(harness.entries()).hasSize(1);
  }

  @Test
  void entriesThatDidNotAskGoQuietly() {
    harness.accept(FlowMod.add(FlowMatch.ANY, 5, TO_1).withTimeouts(1, 0));
    harness.pass(Duration.ofSeconds(1));
    assertThat(harness.entries()).isEmpty();
    assertThat(harness.removed).isEmpty();
  }

  /** A replaced or deleted entry does not expire a second time. */
  @Test
  void deadlineOfAReplacedEntryIsForgotten() {
    harness.accept(NOTIFYING.withTimeouts(0, 5));
    harness.accept(NOTIFYING.withTimeouts(0, 50));
    assertThat(harness.pipeline.nextDeadlineNanos()).isEqualTo(50_000_000_000L);
    harness.pass(Duration.ofSeconds(5));
    assertThat(harness.entries()).hasSize(1);
    harness.accept(FlowMod.delete(FlowMatch.ANY));
    assertThat(harness.pipeline.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void theNextDeadlineIsNeverLate() {
    harness.accept(
        FlowMod.add(FlowMatch.builder().exact(OxmField.IN_PORT, 1).build(), 1, TO_1)
            .withTimeouts(7, 0));
    harness.accept(
        FlowMod.add(FlowMatch.builder().exact(OxmField.IN_PORT, 2).build(), 1, TO_1)
            .withTimeouts(0, 9)
            .inTable(1));
    assertThat(harness.pipeline.nextDeadlineNanos()).isEqualTo(7_000_000_000L);
    harness.pass(Duration.ofSeconds(7));
    assertThat(harness.pipeline.nextDeadlineNanos()).isEqualTo(9_000_000_000L);
  }

  /** Section 6.4: a modify changes neither time-outs nor the time already passed. */
  @Test
  void modifiedEntryKeepsItsTimeout() {
    harness.accept(NOTIFYING.withTimeouts(0, 5));
    harness.pass(Duration.ofSeconds(3));
    harness.accept(NOTIFYING.with(FlowMod.Command.MODIFY));
    harness.pass(Duration.ofSeconds(2));
    assertThat(harness.entries()).isEmpty();
  }
}
