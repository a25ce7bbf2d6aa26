package io.lockstep.store.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubmissionQueueTest {
  private static final int VALUE_BYTES = 1 << 20;

  private static PendingOperation put(int valueBytes) {
    Bytes value = Bytes.wrap(new byte[valueBytes]);
    return new PendingOperation(new Command.Put("t", Bytes.utf8("k"), value), 0, 0);
  }

  @Test
  void takesNoMoreBytesThanItMay() {
    SubmissionQueue queue = new SubmissionQueue(1000, 10L * VALUE_BYTES);
    List<PendingOperation> taken = new ArrayList<>();
    PendingOperation next = put(VALUE_BYTES);
    while (queue.offer(next)) {
      taken.add(next);
      assertThat(taken.size()).isLessThan(1000);
      next = put(VALUE_BYTES);
    }
    assertThat(taken).hasSize(9);
    assertThat(queue.offer(put(10))).as("a small one").isTrue();
    List<PendingOperation> drained = new ArrayList<>();
    queue.drainTo(drained::add);
    assertThat(drained).startsWith(taken.toArray(PendingOperation[]::new)).hasSize(10);
    assertThat(queue.offer(next)).as("drained but not sent").isFalse();
    queue.left(taken.get(0));
    assertThat(queue.offer(next)).isTrue();
  }

  @Test
  void takesNoMoreOperationsThanItMay() {
    SubmissionQueue queue = new SubmissionQueue(2, 1 << 20);
    assertThat(queue.offer(put(1))).isTrue();
    assertThat(queue.offer(put(1))).isTrue();
    assertThat(queue.offer(put(1))).isFalse();
    assertThat(queue.waiting()).startsWith("2 commands");
  }

  @Test
  void oneOperationMayExceedTheBytes() {
    SubmissionQueue queue = new SubmissionQueue(10, 1000);
    PendingOperation large = put(VALUE_BYTES);
    assertThat(queue.offer(large)).isTrue();
    assertThat(queue.offer(put(1))).isFalse();
    queue.left(large);
    assertThat(queue.offer(put(1))).isTrue();
  }
}
