package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.engine.LeaderClock;
import io.lockstep.store.engine.OrderedReply;
import io.lockstep.store.engine.OrderedService;
import io.lockstep.store.engine.SnapshotBytes;
import io.lockstep.store.engine.StateSnapshot;
import io.lockstep.store.log.MemoryLog;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is replayed is carried out without a reply that becomes bytes, or is kept. */
@ExtendWith(IsolatedLibrary.class)
class ReplayTest {
  private static final int DECISIONS = 20;

  private final CountingService service = new CountingService();
  private final MemoryLog log = new MemoryLog(MemoryLog.Bounds.STANDARD);
  private final OrderedState state =
      new OrderedState(
          service,
          log,
          new LeaderClock(() -> 0, () -> 0),
          (decision, regency, requests, replies) -> replies.forEach(OrderedReply::bytes));

  /** Counts what it applied, and which of its replies were looked at. */
  private static final class CountingService implements OrderedService {
    private int applied;
    private int encoded;
    private int weighed;

    @Override
    public List<OrderedReply> apply(long instance, long timeMillis, List<byte[]> requests) {
      List<OrderedReply> replies = new ArrayList<>();
      for (int i = 0; i < requests.size(); i++) {
        applied++;
        replies.add(new OrderedReply(new CountingContent(), OrderedReply.ITS_BATCH));
      }
      return replies;
    }

    private final class CountingContent implements OrderedReply.Content {
      @Override
      public long weight() {
        weighed++;
        return 1;
      }

      @Override
      public byte[] encode() {
        encoded++;
        return new byte[1];
      }
    }

    @Override
    public int requestVersion() {
      return 1;
    }

    @Override
    public long index() {
      return applied;
    }

    @Override
    public OptionalLong lastTimeMillis() {
      return OptionalLong.empty();
    }

    @Override
    public StateSnapshot snapshot() {
      return SnapshotBytes.taken(new byte[0]);
    }

    @Override
    public void reset() {
      applied = 0;
    }

    @Override
    public void restore(InputStream in) {
      applied = 0;
    }
  }

  private void log() throws Exception {
    for (int i = 0; i < DECISIONS; i++) {
      LoggedDecision.append(log, 0, OrderedStateTest.batch(2 * i + 1, 2 * i + 2));
    }
  }

  @Test
  void replayOfTheLogEncodesNoReply() throws Exception {
    log();
    state.rebuild();
    assertThat(service.applied).isEqualTo(2 * DECISIONS);
    assertThat(service.encoded).isZero();
    assertThat(service.weighed).isZero();
  }

  @Test
  void catchingUpEncodesNoReplyAndTheNextDecisionEncodesItsOwnOnly() throws Exception {
    log();
    state.catchUp();
    assertThat(service.applied).isEqualTo(2 * DECISIONS);
    assertThat(service.encoded).isZero();
    byte[] next = OrderedStateTest.batch(1_001, 1_002, 1_003);
    state.apply(LoggedDecision.append(log, 1, next), null, true);
    assertThat(service.encoded).isEqualTo(3);
  }

  /** What a peer sends while this replica did not take part in its decisions. */
  @Test
  void decisionThatIsLearnedWithoutTakingPartEncodesNoReply() throws Exception {
    state.apply(LoggedDecision.append(log, 0, OrderedStateTest.batch(1, 2)), null, false);
    assertThat(service.applied).isEqualTo(2);
    assertThat(service.encoded).isZero();
  }
}
