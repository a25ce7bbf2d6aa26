package io.lockstep.store.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingOperationsTest {
  private final WaitingOperations waiting = new WaitingOperations();

  private List<PendingOperation> reads(int count) {
    List<PendingOperation> reads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      PendingOperation read = new PendingOperation(new Command.Get("t", Bytes.utf8("k" + i)), 0);
      reads.add(read);
      waiting.add(read);
    }
    return reads;
  }

  @Test
  void readsWithoutAReplyGoFirstAndFewerAtOnceUntilAnswersAreWholeAgain() {
    List<PendingOperation> all = reads(100);
    PendingOperation[] sent = waiting.takeAny();
    assertThat(sent).hasSize(BatchingStoreClient.MAX_BATCH);
    assertThat(waiting.putBack(sent, 3)).isEqualTo(61);
    PendingOperation[] next = waiting.takeAny();
    assertThat(next).containsExactlyElementsOf(all.subList(3, 6));
    assertThat(waiting.putBack(next, 3)).isZero();
    assertThat(waiting.takeAny()).containsExactlyElementsOf(all.subList(6, 12));
  }

  @Test
  void whatIsPutBackIsTakenOutWithTheRest() {
    List<PendingOperation> all = reads(10);
    PendingOperation[] sent = waiting.takeAny();
    assertThat(waiting.isEmpty()).isTrue();
    assertThat(waiting.putBack(sent, 9)).isEqualTo(1);
    assertThat(waiting.isEmpty()).isFalse();
    assertThat(waiting.takeAll()).containsExactly(all.get(9));
    assertThat(Arrays.asList(sent)).isEqualTo(all);
  }
}
