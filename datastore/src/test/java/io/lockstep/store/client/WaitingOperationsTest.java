package io.lockstep.store.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingOperationsTest {
  private final WaitingOperations waiting = new WaitingOperations(1_000, 1 << 20);

  private List<PendingOperation> reads(int count) {
    List<PendingOperation> reads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      PendingOperation read = new PendingOperation(new Command.Get("t", Bytes.utf8("k" + i)), 0, 0);
      reads.add(read);
      waiting.offer(read);
    }
    waiting.drain();
    return reads;
  }

  private void putBack(PendingOperation[] sent, int answered) {
    List<PendingOperation> unanswered = Arrays.asList(sent).subList(answered, sent.length);
    waiting.putBack(new RequestWindow().send(1, 0, sent), unanswered);
  }

  @Test
  void readsWithoutAReplyGoFirstAndFewerAtOnceUntilAnswersAreWholeAgain() {
    List<PendingOperation> all = reads(100);
    PendingOperation[] sent = waiting.takeAny();
    assertThat(sent).hasSize(BatchingStoreClient.MAX_BATCH);
    putBack(sent, 3);
    PendingOperation[] next = waiting.takeAny();
    assertThat(next).containsExactlyElementsOf(all.subList(3, 6));
    putBack(next, 3);
    assertThat(waiting.takeAny()).containsExactlyElementsOf(all.subList(6, 12));
  }

  @Test
  void whatIsPutBackIsTakenOutWithTheRest() {
    List<PendingOperation> all = reads(10);
    PendingOperation[] sent = waiting.takeAny();
    assertThat(waiting.isEmpty()).isTrue();
    putBack(sent, 9);
    assertThat(waiting.isEmpty()).isFalse();
    assertThat(waiting.takeAll()).containsExactly(all.get(9));
    assertThat(Arrays.asList(sent)).isEqualTo(all);
  }
}
