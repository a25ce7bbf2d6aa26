package io.lockstep.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.NodeState;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.typed.Store;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onosproject.core.IdGenerator;

/** What the service makes of the store's replies. */
class StoreCoreServiceTest {
  private final ScheduledExecutorService storeLoop = Executors.newSingleThreadScheduledExecutor();
  private final Answers store = new Answers();
  private final ControlLoop loop =
      new ControlLoop(
          "control",
          (where, failure) -> {
            throw new AssertionError(where, failure);
          });
  private final StoreCoreService service =
      new StoreCoreService(
          Store.sharing(store, storeLoop), new NodeState(loop), "1.2.3", new DeactivateHooks());

  @AfterEach
  void stop() {
    loop.close();
    storeLoop.shutdownNow();
  }

  @Test
  void numberOfAnApplicationIsWhatTheComponentReturned() {
    store.replies.add(new Reply.Returned(new ApplicationTable().encodeValue((short) 5)));
    assertThat(service.registerApplication("fwd").id()).isEqualTo((short) 5);
    assertThat(store.asked).containsExactly(new Command.Call("core.register", Bytes.utf8("fwd")));
  }

  @Test
  void refusalCarriesTheWordsOfTheComponent() {
    store.replies.add(
        new Reply.Rejected(Reply.Reason.COMPONENT_REFUSED, "all 32767 numbers are taken"));
    assertThatThrownBy(() -> service.registerApplication("fwd"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("cannot register application fwd")
        .hasMessageContaining("all 32767 numbers are taken");
  }

  @Test
  void idsAreDrawnInBlocksAndOneWithoutAnAnswerIsLeftOut() {
    store.replies.addAll(
        List.of(
            new Reply.Counter(1_000, 1),
            new Reply.Unknown("no quorum"),
            new Reply.Counter(3_000, 3)));
    IdGenerator ids = service.getIdGenerator("topic");
    for (int id = 0; id < 1_000; id++) {
      assertThat(ids.getNewId()).isEqualTo(id);
    }
    assertThatThrownBy(ids::getNewId)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("cannot draw ids")
        .hasMessageContaining("no quorum");
    assertThat(ids.getNewId()).isEqualTo(2_000);
    assertThat(store.asked)
        .hasSize(3)
        .containsOnly(new Command.Increment("core.counters", Bytes.utf8("ids:topic"), 1_000));
  }

  /** A store that answers at once with what the test prepared. */
  private static final class Answers implements StoreClient {
    final Deque<Reply> replies = new ArrayDeque<>();
    final Deque<Command> asked = new ArrayDeque<>();

    @Override
    public CompletableFuture<Reply> submit(Command command) {
      asked.add(command);
      return CompletableFuture.completedFuture(replies.remove());
    }

    @Override
    public SessionState session() {
      return new SessionState(1, Long.MAX_VALUE);
    }

    @Override
    public void onSessionChange(SessionListener listener) {}

    @Override
    public void close() {}
  }
}
