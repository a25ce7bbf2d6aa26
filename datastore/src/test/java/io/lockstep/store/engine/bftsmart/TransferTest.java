package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.engine.OrderedService;
import io.lockstep.store.engine.SnapshotBytes;
import io.lockstep.store.engine.StateSnapshot;
import io.lockstep.store.engine.bftsmart.OrderedState.Decision;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two transfers joined by a queue. */
@ExtendWith(IsolatedLibrary.class)
class TransferTest {
  private final Deque<Runnable> network = new ArrayDeque<>();

  /** A state of a given size. */
  private static final class Bulk implements OrderedService {
    private byte[] bytes;

    Bulk(int size) {
      bytes = new byte[size];
      for (int i = 0; i < size; i++) {
        bytes[i] = (byte) (i * 31);
      }
    }

    @Override
    public List<byte[]> apply(long instance, long timeMillis, List<byte[]> requests) {
      return requests;
    }

    @Override
    public StateSnapshot snapshot() {
      return SnapshotBytes.taken(bytes.clone());
    }

    @Override
    public void restore(InputStream in) throws IOException {
      bytes = in.readAllBytes();
    }
  }

  private final class Side implements Transfer.Host {
    final OrderedState state;
    final Transfer transfer;
    final List<String> events = new ArrayList<>();
    Transfer peer;
    boolean drained = true;

    Side(OrderedService service) {
      state = new OrderedState(service, OrderedStateTest.LIMITS, (i, c, r, a) -> {});
      transfer = new Transfer(state, OrderedStateTest.LIMITS.maxSnapshotBytes(), this);
      peer = transfer;
    }

    @Override
    public void send(int to, PeerNote note) {
      network.add(() -> deliver(peer, note));
    }

    private void deliver(Transfer to, PeerNote note) {
      if (note instanceof PeerNote.FetchTail fetch) {
        to.serve(0, fetch, 0);
      } else if (note instanceof PeerNote.FetchSnapshot fetch) {
        to.serve(0, fetch, 0);
      } else if (note instanceof PeerNote.Tail tail) {
        to.received(0, tail);
      } else if (note instanceof PeerNote.SnapshotPiece piece) {
        events.add("piece");
        to.received(0, piece, 0);
      } else if (note instanceof PeerNote.OtherHistory other) {
        to.received(0, other);
      }
    }

    @Override
    public boolean drained() {
      return drained;
    }

    @Override
    public void learned(List<Decision> decisions) {
      events.add("learned " + decisions.size());
    }

    @Override
    public void installed() {
      events.add("installed");
    }

    @Override
    public void differs(int other, String what) {
      events.add("differs");
    }
  }

  private final Bulk fullService = new Bulk(3_500_000);
  private final Bulk emptyService = new Bulk(0);
  private final Side full = new Side(fullService);
  private final Side empty = new Side(emptyService);

  TransferTest() {
    full.peer = empty.transfer;
    empty.peer = full.transfer;
  }

  private void run() {
    while (!network.isEmpty()) {
      network.remove().run();
    }
  }

  private static void apply(Side side, int from, int to) {
    for (int i = from; i < to; i++) {
      side.state.apply(i, OrderedStateTest.batch(i), null);
    }
  }

  @Test
  void recentDecisionsAreLearned() {
    apply(full, 0, 5);
    apply(empty, 0, 2);
    empty.transfer.fetch(0, 0);
    run();
    assertThat(empty.events).containsExactly("learned 3");
    assertThat(empty.state.last().chain()).isEqualTo(full.state.last().chain());
  }

  @Test
  void lostTailIsReplacedByASnapshotInPieces() {
    apply(full, 0, 100);
    empty.transfer.fetch(0, 0);
    run();
    assertThat(full.events).hasSize(4).containsOnly("piece");
    assertThat(empty.events).containsExactly("installed");
    assertThat(empty.state.applied()).isEqualTo(99);
    assertThat(emptyService.bytes).isEqualTo(fullService.bytes);
  }

  @Test
  void snapshotOverTheLimitIsNotSentAndNothingBreaks() {
    Side large = new Side(new Bulk(OrderedStateTest.LIMITS.maxSnapshotBytes()));
    large.peer = empty.transfer;
    empty.peer = large.transfer;
    apply(large, 0, 100);
    empty.transfer.fetch(0, 0);
    run();
    assertThat(large.events).isEmpty();
    assertThat(empty.state.applied()).isEqualTo(-1);
  }

  @Test
  void peerWithAnotherHistorySaysSo() {
    apply(full, 0, 5);
    empty.state.apply(0, OrderedStateTest.batch(77), null);
    empty.transfer.fetch(0, 0);
    run();
    assertThat(empty.events).containsExactly("differs");
    assertThat(empty.state.applied()).isZero();
  }

  @Test
  void nothingIsAppliedWhileDecisionsWaitForDelivery() {
    apply(full, 0, 5);
    empty.drained = false;
    empty.transfer.fetch(0, 0);
    run();
    assertThat(empty.events).isEmpty();
    empty.drained = true;
    empty.transfer.fetch(0, 500);
    run();
    assertThat(empty.events).containsExactly("learned 5");
  }

  @Test
  void oneQuestionAtATime() {
    apply(full, 0, 5);
    empty.transfer.fetch(0, 0);
    empty.transfer.fetch(0, 100);
    assertThat(network).hasSize(1);
    empty.transfer.fetch(0, 500);
    assertThat(network).hasSize(2);
  }
}
