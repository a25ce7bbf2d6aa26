package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutboundBudgetTest {
  private static final long MAX = 4L << 20;
  private static final long MAX_HANDSHAKE = 1L << 20;

  private final OutboundBudget budget = new OutboundBudget(MAX, MAX_HANDSHAKE);

  private static final class Queue implements OutboundBudget.Line {
    private final boolean established;
    private final List<String> cuts = new ArrayList<>();
    private long bytes;

    Queue(boolean established) {
      this.established = established;
    }

    @Override
    public long waitingBytes() {
      return bytes;
    }

    @Override
    public boolean isEstablished() {
      return established;
    }

    @Override
    public void cut(String reason) {
      cuts.add(reason);
    }
  }

  private Queue open(boolean established, long bytes) {
    Queue queue = new Queue(established);
    queue.bytes = bytes;
    budget.opened(queue);
    return queue;
  }

  @Test
  void oneConnectionHasAPartOfTheSum() {
    assertThat(budget.tooMuch(MAX / 4, true)).isNull();
    assertThat(budget.tooMuch(MAX / 4 + 1, true)).contains("does not read", "1048577 bytes");
    assertThat(budget.tooMuch(MAX_HANDSHAKE / 32, false)).isNull();
    assertThat(budget.tooMuch(MAX_HANDSHAKE / 32 + 1, false)).contains("before its handshake");
  }

  @Test
  void largestQueueGoesFirstAndNoMoreThanNeeded() {
    Queue small = open(true, 1);
    Queue large = open(true, 3L << 20);
    Queue middle = open(true, 2L << 20);
    Queue unfinished = open(false, MAX_HANDSHAKE);
    budget.written(OutboundBudget.LOOK_BYTES);
    assertThat(large.cuts).hasSize(1);
    assertThat(large.cuts.get(0)).contains("the most of 5242881 bytes for all switches");
    assertThat(small.cuts).isEmpty();
    assertThat(middle.cuts).isEmpty();
    assertThat(unfinished.cuts).as("it has a sum of its own").isEmpty();
    assertThat(budget.waitingBytes()).isEqualTo(6_291_457);
  }

  @Test
  void connectionsInTheirHandshakeTakeNothingFromSwitches() {
    Queue established = open(true, MAX);
    List<Queue> unfinished = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      unfinished.add(open(false, MAX_HANDSHAKE / 32));
    }
    budget.written(OutboundBudget.LOOK_BYTES);
    assertThat(established.cuts).isEmpty();
    assertThat(unfinished.stream().filter(queue -> !queue.cuts.isEmpty())).hasSize(8);
    unfinished.forEach(budget::closed);
    budget.written(OutboundBudget.LOOK_BYTES);
    assertThat(unfinished.stream().filter(queue -> !queue.cuts.isEmpty())).hasSize(8);
  }

  @Test
  void whereHalfIsUsedLongQueuesGetNothingMore() {
    Queue slow = open(true, MAX / 2 + 1);
    assertThat(budget.hasRoom(slow.bytes)).as("nothing was written yet").isTrue();
    budget.written(OutboundBudget.LOOK_BYTES);
    assertThat(slow.cuts).isEmpty();
    assertThat(budget.hasRoom(slow.bytes)).isFalse();
    assertThat(budget.hasRoom(OutboundBudget.TIGHT_BYTES)).isTrue();
    slow.bytes = 0;
    budget.written(OutboundBudget.LOOK_BYTES);
    assertThat(budget.hasRoom(MAX / 4)).isTrue();
  }

  @Test
  void reportsAreWithinAQuotaThatRefills() {
    ReportQuota quota = new ReportQuota(0);
    for (int i = 0; i < ReportQuota.BURST; i++) {
      assertThat(quota.take(0)).isTrue();
    }
    assertThat(quota.take(0)).isFalse();
    assertThat(new ReportQuota(0).take(0, ReportQuota.BURST)).isTrue();
    assertThat(new ReportQuota(0).take(0, ReportQuota.BURST + 1)).isFalse();
    long second = 1_000_000_000L;
    for (int i = 0; i < ReportQuota.PER_SECOND; i++) {
      assertThat(quota.take(second)).isTrue();
    }
    assertThat(quota.take(second)).isFalse();
    long later = 1_000_000 * second;
    for (int i = 0; i < ReportQuota.BURST; i++) {
      assertThat(quota.take(later)).as("no more than a burst is saved").isTrue();
    }
    assertThat(quota.take(later)).isFalse();
  }
}
