package io.lockstep.store.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import io.lockstep.store.Reply;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.local.LocalEngine;
import io.lockstep.store.typed.Failure.Cause;
import io.lockstep.store.typed.WriteResult.Done;
import io.lockstep.store.typed.WriteResult.NotDone;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls and queries over the real state machine, through a client that others use, too. */
class ComponentTest {
  /** Reads the result as text where the component returns a number. */
  private static final Component<String, Bytes> OF_ANOTHER_RELEASE =
      new Component<>(
          Tally.NAME,
          Codec.utf8(),
          Codec.of(
              bytes -> bytes,
              bytes -> {
                throw new IllegalArgumentException("no such format");
              }));

  private final AtomicLong nonces = new AtomicLong(1);
  private final LocalEngine engine =
      LocalEngine.start(new StoreStateMachine(List.of(new Tally(), new TallyRead())));
  private final BatchingStoreClient client =
      BatchingStoreClient.open(
          engine.connect(8),
          ClientOptions.of("test")
              .withTimeToLiveMillis(60_000)
              .withTables(Store.specs(Tally.TABLE)),
          System::nanoTime,
          nonces::getAndIncrement);
  private final Store store = Store.sharing(client, client.loop());

  @AfterEach
  void stop() throws Exception {
    client.close();
    engine.close();
  }

  private static <T> T ended(CompletableFuture<T> future) {
    return future.orTimeout(60, TimeUnit.SECONDS).join();
  }

  private WriteResult<Long> call(String name) {
    return ended(store.call(Tally.COMPONENT, name)).throwWhenUnknown();
  }

  @Test
  void aCallGivesWhatTheComponentReturned() {
    assertThat(call("a")).isEqualTo(new Done<>(1L));
    assertThat(call("a")).isEqualTo(new Done<>(2L));
    assertThat(ended(store.query(TallyRead.COMPONENT, "a")).orThrow()).isEqualTo(2);
    assertThat(ended(store.within(Duration.ofMinutes(1)).call(Tally.COMPONENT, "a")))
        .isEqualTo(new WriteOutcome.Known<>(new Done<>(3L)));
  }

  @Test
  void whatAComponentRefusesIsNamedInItsOwnWords() {
    Failure failure = call("").fold(done -> null, conflict -> null, refused -> refused);
    assertThat(failure)
        .isEqualTo(
            new Failure(
                Cause.COMPONENT_REFUSED,
                "component \"test.tally\": a name is needed",
                "a name is needed"));
  }

  @Test
  void anUnknownComponentIsRefusedByTheReplicas() {
    Component<String, Long> missing = new Component<>("test.missing", Codec.utf8(), Codec.int64());
    WriteResult<Long> result = ended(store.call(missing, "a")).throwWhenUnknown();
    assertThat(result)
        .isInstanceOfSatisfying(
            NotDone.class,
            notDone -> assertThat(notDone.failure().cause()).isEqualTo(Cause.REFUSED));
  }

  @Test
  void aQueryOfAComponentThatWritesChangesNothing() {
    call("a");
    assertThatThrownBy(() -> ended(store.query(Tally.COMPONENT, "a")).orThrow())
        .isInstanceOf(FailedException.class);
    assertThat(ended(store.query(TallyRead.COMPONENT, "a")).orThrow()).isEqualTo(1);
  }

  @Test
  void aResultThatCannotBeReadIsAnUnknownOutcomeOfACallThatTookEffect() {
    assertThat(ended(store.call(OF_ANOTHER_RELEASE, "a")))
        .isInstanceOfSatisfying(
            WriteOutcome.Unknown.class,
            unknown -> assertThat(unknown.message()).contains("carried out", "no such format"));
    assertThat(ended(store.query(TallyRead.COMPONENT, "a")).orThrow()).isEqualTo(1);
  }

  @Test
  void aCallWithoutAnswerIsOfUnknownOutcomeAndAQueryHasNone() {
    ScriptedStoreClient silent = new ScriptedStoreClient();
    Store scripted = Store.sharing(silent, client.loop());
    var called = scripted.call(Tally.COMPONENT, "a");
    var queried = scripted.query(TallyRead.COMPONENT, "a");
    silent.reply.complete(new Reply.Unknown("no quorum"));
    assertThat(ended(called))
        .isEqualTo(new WriteOutcome.Unknown<>("component \"test.tally\": no quorum"));
    assertThat(ended(queried).<Cause>fold(value -> null, Failure::cause))
        .isEqualTo(Cause.NO_ANSWER);
  }

  @Test
  void anArgumentOutOfBoundsIsNotSent() {
    WriteResult<Long> result = call("a".repeat((1 << 20) + 1));
    assertThat(result)
        .isInstanceOfSatisfying(
            NotDone.class,
            notDone -> assertThat(notDone.failure().cause()).isEqualTo(Cause.OUT_OF_BOUNDS));
    assertThatThrownBy(() -> new Component<>("No Name", Codec.utf8(), Codec.utf8()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("No Name");
  }

  @Test
  void aSharedClientStaysOpenAndCompletesOnItsLoop() {
    AtomicReference<Thread> thread = new AtomicReference<>();
    AtomicReference<Thread> loop = new AtomicReference<>();
    ended(CompletableFuture.runAsync(() -> loop.set(Thread.currentThread()), client.loop()));
    ended(
        CompletableFuture.completedFuture("a")
            .thenComposeAsync(
                key ->
                    store
                        .call(Tally.COMPONENT, key)
                        .thenAccept(outcome -> thread.set(Thread.currentThread())),
                client.loop()));
    assertThat(thread.get()).isSameAs(loop.get());
    store.close();
    assertThat(call("a")).isEqualTo(new Done<>(2L));
  }
}
