package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.engine.OrderedReply;
import io.lockstep.store.log.Decision;
import org.junit.jupiter.api.Test;

class DurableIndexTest {
  private final DurableIndex index = new DurableIndex();

  private static Decision durable(long instance, int regency) {
    return new Decision(instance, regency, new byte[Decision.CHAIN_BYTES], new byte[0]);
  }

  private static OrderedReply restingOn(long operation) {
    return new OrderedReply(new byte[0], operation);
  }

  @Test
  void replyLeavesOnceWhatItRestsOnIsDurable() {
    Decision two = durable(2, 5);
    index.applied(2, 20, two);
    index.applied(3, 30, two);
    index.applied(4, 40, two);
    assertThat(index.admits(restingOn(20), 5, two)).isTrue();
    assertThat(index.admits(restingOn(21), 5, two)).isFalse();
    Decision three = durable(3, 5);
    index.applied(5, 50, three);
    assertThat(index.admits(restingOn(30), 5, three)).isTrue();
    assertThat(index.admits(restingOn(31), 5, three)).isFalse();
  }

  @Test
  void replyWithItsBatchNeverLeavesBeforeIt() {
    Decision all = durable(9, 1);
    index.applied(9, 90, all);
    assertThat(index.admits(OrderedReply.withItsBatch(new byte[0]), 1, all)).isFalse();
  }

  @Test
  void durableDecisionOfAnEarlierRegencyVouchesForNothing() {
    Decision old = durable(2, 5);
    index.applied(2, 20, old);
    index.applied(3, 30, old);
    assertThat(index.admits(restingOn(0), 6, old)).isFalse();
    Decision taken = durable(3, 6);
    index.applied(4, 40, taken);
    assertThat(index.admits(restingOn(30), 6, taken)).isTrue();
  }

  @Test
  void stateThatIsMadeAnewBeginsWithWhatTheSnapshotHas() {
    index.applied(2, 20, durable(1, 0));
    index.begin(7);
    Decision snapshot = durable(1, 0);
    index.applied(2, 9, snapshot);
    assertThat(index.admits(restingOn(7), 0, snapshot)).isTrue();
    assertThat(index.admits(restingOn(8), 0, snapshot)).isFalse();
  }
}
