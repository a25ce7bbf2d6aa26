package io.lockstep.core.mastership;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.state.InputCounters;
import io.lockstep.core.state.InputCounters.Input;
import io.lockstep.store.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;

/** Writes for all switches together are bounded, and many greedy ones leave room for another. */
class SharedWriterBoundTest {
  private final InputCounters inputs = new InputCounters();
  private final List<CompletableFuture<Reply>> onTheirWay = new ArrayList<>();
  private final BoundedWriter writer =
      new BoundedWriter(
          (device, writes) -> {
            CompletableFuture<Reply> reply = new CompletableFuture<>();
            onTheirWay.add(reply);
            return reply;
          },
          new WriteBounds(inputs));

  /** Whether a write was handed on. */
  private boolean writes(int dpid) {
    int before = onTheirWay.size();
    CompletableFuture<Reply> reply =
        writer.write(DeviceId.deviceId(String.format("of:%016x", dpid)), List.of());
    assertThat(reply.isDone()).isEqualTo(onTheirWay.size() == before);
    return onTheirWay.size() > before;
  }

  @Test
  void manyGreedySwitchesLeaveRoomForAnother() {
    for (int turn = 0; turn < WriteBounds.MAX_ON_THEIR_WAY; turn++) {
      for (int dpid = 1; dpid <= 100; dpid++) {
        writes(dpid);
      }
    }
    assertThat(onTheirWay.size()).isBetween(7_000, WriteBounds.MAX_OF_ALL);
    assertThat(inputs.of(Input.WRITE_REFUSED)).isPositive();
    assertThat(writes(101)).isTrue();
    onTheirWay.forEach(reply -> reply.complete(new Reply.Rejected(Reply.Reason.NOT_SENT, "gone")));
    int answered = onTheirWay.size();
    for (int i = 0; i < WriteBounds.MAX_ON_THEIR_WAY; i++) {
      assertThat(writes(1)).isTrue();
    }
    assertThat(writes(1)).as("beyond the bound of one switch").isFalse();
    assertThat(onTheirWay).hasSize(answered + WriteBounds.MAX_ON_THEIR_WAY);
  }
}
