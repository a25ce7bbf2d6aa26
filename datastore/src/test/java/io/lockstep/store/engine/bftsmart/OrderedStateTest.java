package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.core.messages.TOMMessageType;
import io.lockstep.store.engine.bftsmart.OrderedState.Decision;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Limits;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(IsolatedLibrary.class)
class OrderedStateTest {
  static final Limits LIMITS =
      new Limits(400, 4 << 20, 1 << 20, 1000, 16, 1 << 20, 1024, 16, 1 << 20, 8 << 20);

  private final List<String> replied = new ArrayList<>();
  private final RecordingService service = new RecordingService();
  private final OrderedState state =
      new OrderedState(
          service,
          LIMITS,
          (instance, chain, requests, replies) ->
              replied.add(instance + ":" + requests.size() + ":" + replies.size()));

  static byte[] batch(int... ids) {
    byte[][] requests = new byte[ids.length][];
    int size = 20;
    for (int i = 0; i < ids.length; i++) {
      requests[i] =
          TOMMessage.messageToBytes(
              new TOMMessage(
                  ids[i] < 0 ? ids[i] : 5,
                  1,
                  Math.abs(ids[i]),
                  0,
                  ByteBuffer.allocate(4).putInt(ids[i]).array(),
                  0,
                  TOMMessageType.ORDERED_REQUEST));
      size += 4 + requests[i].length;
    }
    ByteBuffer batch = ByteBuffer.allocate(size).putLong(1234).putInt(0).putInt(ids.length);
    for (byte[] request : requests) {
      batch.putInt(request.length).put(request);
    }
    return batch.array();
  }

  static OrderedState other() {
    return new OrderedState(new RecordingService(), LIMITS, (i, c, r, a) -> {});
  }

  @Test
  void hazard3NoopsMoveTheInstanceButDoNotReachTheService() {
    state.apply(0, batch(-1), null);
    state.apply(1, batch(7, -1, 8), null);
    assertThat(state.applied()).isEqualTo(1);
    assertThat(service.digest()).startsWith("2 ");
    assertThat(replied).containsExactly("1:2:2");
  }

  @Test
  void hazard3GapIsAnErrorNotASkip() {
    state.apply(0, batch(1), null);
    assertThatThrownBy(() -> state.apply(2, batch(2), null))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("instance 2 decided after 0");
  }

  @Test
  void equalHistoriesHaveEqualChainsAndDifferentOnesDoNot() {
    OrderedState same = other();
    OrderedState different = other();
    state.apply(0, batch(1), null);
    same.apply(0, batch(1), null);
    different.apply(0, batch(2), null);
    assertThat(same.last().chain()).isEqualTo(state.last().chain());
    assertThat(different.last().chain()).isNotEqualTo(state.last().chain());
  }

  @Test
  void learnsWhatContinuesAndRefusesWhatDoesNot() {
    OrderedState ahead = other();
    for (int i = 0; i < 6; i++) {
      ahead.apply(i, batch(i), null);
    }
    List<Decision> decisions = Objects.requireNonNull(ahead.after(-1, 1 << 20));
    assertThat(decisions).hasSize(6);
    assertThat(state.learn(decisions.subList(0, 4))).isEqualTo(4);
    assertThat(state.learn(decisions)).isEqualTo(2);
    assertThat(state.last().chain()).isEqualTo(ahead.last().chain());
    ahead.apply(6, batch(6), null);
    Decision real = ahead.last();
    Decision forged = new Decision(6, real.chain(), batch(99));
    assertThat(state.learn(List.of(forged))).isEqualTo(-1);
    assertThat(state.applied()).isEqualTo(5);
  }

  @Test
  void onlyTheTailIsKept() {
    for (int i = 0; i < 40; i++) {
      state.apply(i, batch(i), null);
    }
    assertThat(state.after(10, 1 << 20)).isNull();
    assertThat(state.after(30, 1 << 20)).hasSize(9);
    assertThat(state.after(39, 1 << 20)).isEmpty();
    assertThat(state.chainAfter(10)).isNull();
    assertThat(state.chainAfter(39)).isEqualTo(state.last().chain());
  }

  @Test
  void hazard11SnapshotCarriesStatePlaceAndChain() throws Exception {
    for (int i = 0; i < 5; i++) {
      state.apply(i, batch(i), null);
    }
    OrderedState copy = other();
    copy.install(state.snapshot());
    assertThat(copy.applied()).isEqualTo(4);
    assertThat(copy.last().chain()).isEqualTo(state.last().chain());
    assertThat(copy.snapshot()).isEqualTo(state.snapshot());
    assertThat(OrderedState.instanceOf(state.snapshot())).isEqualTo(4);
    copy.apply(5, batch(5), null);
    state.apply(5, batch(5), null);
    assertThat(copy.last().chain()).isEqualTo(state.last().chain());
  }
}
