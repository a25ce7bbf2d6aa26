package io.lockstep.core.mastership;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.state.InputCounters;
import io.lockstep.core.state.InputCounters.Input;
import io.lockstep.store.Reply;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;

class BoundedWriterTest {
  private static final DeviceId NOISY = SwitchPort.device(1);
  private static final DeviceId QUIET = SwitchPort.device(2);

  private final ArrayDeque<CompletableFuture<Reply>> onTheirWay = new ArrayDeque<>();
  private final InputCounters inputs = new InputCounters();
  private final BoundedWriter writer =
      new BoundedWriter((device, writes) -> submit(), new WriteBounds(inputs));

  private CompletableFuture<Reply> submit() {
    CompletableFuture<Reply> reply = new CompletableFuture<>();
    onTheirWay.add(reply);
    return reply;
  }

  @Test
  void noisySwitchFillsItsOwnShareOnly() {
    for (int i = 0; i < WriteBounds.MAX_ON_THEIR_WAY; i++) {
      assertThat(writer.write(NOISY, List.of())).isNotDone();
    }
    assertThat(writer.write(NOISY, List.of()).join()).isInstanceOf(Reply.Rejected.class);
    assertThat(inputs.of(Input.WRITE_REFUSED)).isEqualTo(1);
    assertThat(writer.write(QUIET, List.of())).isNotDone();
    assertThat(onTheirWay).hasSize(WriteBounds.MAX_ON_THEIR_WAY + 1);
    onTheirWay.remove().complete(new Reply.Applied(1));
    assertThat(writer.write(NOISY, List.of())).isNotDone();
    onTheirWay.remove().completeExceptionally(new IllegalStateException("lost"));
    assertThat(writer.write(NOISY, List.of())).isNotDone();
    assertThat(writer.write(NOISY, List.of())).isDone();
  }
}
