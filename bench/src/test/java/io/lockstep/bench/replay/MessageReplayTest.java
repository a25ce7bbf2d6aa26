package io.lockstep.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Command;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.local.LocalEngine;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Messages against the state machine itself. */
class MessageReplayTest {
  private static final int RUNS = 3_000;

  private LocalEngine engine =
      LocalEngine.start(new StoreStateMachine(List.of(new WriteAndReturn())));
  private BatchingStoreClient client = connect();
  private final ReplayCounts counts = new ReplayCounts();

  private BatchingStoreClient connect() {
    return BatchingStoreClient.open(
        engine.connect(16),
        ClientOptions.of("test").withTables(Map.of()),
        System::nanoTime,
        () -> 1L);
  }

  @AfterEach
  void close() {
    client.close();
    engine.close();
  }

  private ReplayResult run(ReplayPlan plan, int flows, long runs) throws Exception {
    ReplayLoop loop =
        new ReplayLoop(
            plan,
            counts,
            System::nanoTime,
            new ReplayLoop.Limits(flows, runs, 0, TimeUnit.MINUTES.toNanos(1)),
            0);
    return loop.start(client.loop()).get(60, TimeUnit.SECONDS);
  }

  @Test
  void allFlowsRunWithTheirOperationsOneAfterAnother() throws Exception {
    MessageReplay plan =
        new MessageReplay(
            client,
            List.of(
                List.of(
                    new Message(false, 36, 77),
                    new Message(true, 113, 1),
                    new Message(false, 408, 0),
                    new Message(true, 49, 45))));
    plan.prepare();
    ReplayResult result = run(plan, 64, RUNS);
    assertThat(result.runs()).isEqualTo(RUNS);
    assertThat(result.gaveUp()).isZero();
    assertThat(result.p90Millis()).isGreaterThanOrEqualTo(result.p50Millis()).isPositive();
  }

  @Test
  void asManyFlowsAsWantedAreUnderWayAndNoneAsksTwiceAtOnce() throws Exception {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    ReplayPlan plan =
        new ReplayPlan() {
          @Override
          public void prepare() {}

          @Override
          public ReplayStep first(long number) {
            return step(3);
          }

          private ReplayStep step(int left) {
            return () -> {
              most.accumulateAndGet(now.incrementAndGet(), Math::max);
              return client
                  .submit(new Command.Get("none", io.lockstep.store.Bytes.utf8("k")))
                  .thenApply(
                      reply -> {
                        now.decrementAndGet();
                        return left == 1 ? null : step(left - 1);
                      });
            };
          }
        };
    assertThat(run(plan, 7, RUNS).runs()).isEqualTo(RUNS);
    assertThat(most.get()).isBetween(2, 7);
    assertThat(now.get()).isZero();
  }

  /** The clock stands still for the first flows, and then jumps. */
  @Test
  void flowsGoOnForTheLeastTimeAndEndAfterTheMost() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    MessageReplay plan = new MessageReplay(client, List.of(List.of()));
    ReplayLoop least =
        new ReplayLoop(
            plan, counts, reads::getAndIncrement, new ReplayLoop.Limits(1, 10, 500, 1_000), 0);
    assertThat(least.start(client.loop()).get(60, TimeUnit.SECONDS).runs()).isBetween(400L, 500L);
    ReplayLoop most =
        new ReplayLoop(
            plan, counts, reads::getAndIncrement, new ReplayLoop.Limits(1, 10_000, 0, 300), 0);
    assertThat(most.start(client.loop()).get(60, TimeUnit.SECONDS).runs()).isBetween(200L, 300L);
  }

  @Test
  void flowsThatAskNothingEndAtOnce() throws Exception {
    MessageReplay plan = new MessageReplay(client, List.of(List.of()));
    plan.prepare();
    assertThat(run(plan, 64, 50_000).runs()).isEqualTo(50_000);
  }

  @Test
  void firstWrongAnswerEndsTheLoopAndNamesIt() throws Exception {
    MessageReplay plan = new MessageReplay(client, List.of(List.of(new Message(false, 36, 77))));
    // Not prepared: there is no such table.
    assertThatThrownBy(() -> run(plan, 4, RUNS))
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("a Get was answered with");
  }

  @Test
  void stepThatThrowsEndsTheLoop() {
    ReplayPlan plan =
        new ReplayPlan() {
          @Override
          public void prepare() {}

          @Override
          public ReplayStep first(long number) {
            return () -> CompletableFuture.failedFuture(new IllegalStateException("broken"));
          }
        };
    assertThatThrownBy(() -> run(plan, 4, RUNS)).hasMessageContaining("broken");
  }

  @Test
  void everyKeyIsDrawn() {
    Set<Integer> drawn = new HashSet<>();
    for (long number = 0; number < 50L * MessageReplay.KEYS; number++) {
      drawn.add(MessageReplay.drawn(number));
    }
    assertThat(drawn).hasSize(MessageReplay.KEYS);
    assertThat(drawn).allMatch(key -> key >= 0 && key < MessageReplay.KEYS);
  }
}
