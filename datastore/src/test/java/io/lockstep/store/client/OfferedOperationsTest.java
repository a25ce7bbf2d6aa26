package io.lockstep.store.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bounds on what waits, which count an operation until it is sent. */
class OfferedOperationsTest {
  private static final int VALUE_BYTES = 1 << 20;

  private static PendingOperation put(int valueBytes) {
    Bytes value = Bytes.wrap(new byte[valueBytes]);
    return new PendingOperation(new Command.Put("t", Bytes.utf8("k"), value), 0, 0);
  }

  private static List<PendingOperation> fill(WaitingOperations waiting) {
    List<PendingOperation> taken = new ArrayList<>();
    PendingOperation next = put(VALUE_BYTES);
    while (waiting.offer(next)) {
      taken.add(next);
      assertThat(taken.size()).isLessThan(1000);
      next = put(VALUE_BYTES);
    }
    return taken;
  }

  @Test
  void takesNoMoreBytesThanItMay() {
    WaitingOperations waiting = new WaitingOperations(1000, 10L * VALUE_BYTES);
    List<PendingOperation> taken = fill(waiting);
    assertThat(taken).hasSize(9);
    assertThat(waiting.offer(put(10))).as("a small one").isTrue();
    waiting.drain();
    assertThat(waiting.offer(put(VALUE_BYTES))).as("fetched but not sent").isFalse();
    assertThat(waiting.takeAny()).containsExactly(taken.get(0));
    assertThat(waiting.offer(put(VALUE_BYTES))).isTrue();
  }

  @Test
  void offeredOperationsAreTakenOldestFirst() {
    WaitingOperations waiting = new WaitingOperations(1000, 10L * VALUE_BYTES);
    List<PendingOperation> taken = fill(waiting);
    assertThat(waiting.takeOffered()).isEqualTo(taken);
    assertThat(waiting.takeOffered()).isEmpty();
    taken = fill(waiting);
    assertThat(waiting.takeAll()).isEqualTo(taken);
    assertThat(fill(waiting)).as("after all were taken").hasSize(9);
    waiting.drain();
    assertThat(waiting.takeOverdue(1, 0)).hasSize(9);
    assertThat(fill(waiting)).as("after all were overdue").hasSize(9);
  }

  @Test
  void operationsThatArePutBackCountAgain() {
    WaitingOperations waiting = new WaitingOperations(2, 1 << 20);
    PendingOperation first = put(1);
    PendingOperation second = put(1);
    assertThat(Arrays.asList(waiting.offer(first), waiting.offer(second))).doesNotContain(false);
    waiting.drain();
    PendingOperation[] sent = waiting.takeAny();
    waiting.putBack(new RequestWindow().send(1, 0, sent), List.of(second));
    assertThat(waiting.offer(put(1))).isTrue();
    assertThat(waiting.offer(put(1))).isFalse();
  }

  @Test
  void takesNoMoreOperationsThanItMay() {
    WaitingOperations waiting = new WaitingOperations(2, 1 << 20);
    assertThat(waiting.offer(put(1))).isTrue();
    assertThat(waiting.offer(put(1))).isTrue();
    assertThat(waiting.offer(put(1))).isFalse();
    assertThat(waiting.describe()).startsWith("2 commands");
  }

  @Test
  void oneOperationMayExceedTheBytes() {
    WaitingOperations waiting = new WaitingOperations(10, 1000);
    assertThat(waiting.offer(put(VALUE_BYTES))).isTrue();
    assertThat(waiting.offer(put(1))).isFalse();
    waiting.drain();
    assertThat(waiting.takeAny()).hasSize(1);
    assertThat(waiting.offer(put(1))).isTrue();
  }
}
