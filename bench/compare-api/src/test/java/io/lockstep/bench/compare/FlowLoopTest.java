package io.lockstep.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The closed loop, on a store that answers when it is told to, under a clock of its own. */
class FlowLoopTest {
  private final AtomicLong now = new AtomicLong();
  private final Deque<Asked> asked = new ArrayDeque<>();

  private record Asked(Operation operation, CompletableFuture<Answer> answer) {}

  private final PeerStore store =
      new PeerStore() {
        @Override
        public CompletableFuture<Void> declare(List<TableLayout> tables) {
          return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Answer> submit(Operation operation) {
          CompletableFuture<Answer> answer = new CompletableFuture<>();
          asked.add(new Asked(operation, answer));
          return answer;
        }

        @Override
        public void close() {}
      };

  /** Two operations: a read that says nothing, then a replace. */
  private final FlowPlan plan =
      new Plan(
          List.of(),
          List.of(),
          number ->
              new Step(
                  new Operation.Get("t", "k" + number),
                  read ->
                      new Step(
                          new Operation.ReplaceValue("t", "k", new byte[0], new byte[0]),
                          replaced -> null)));

  private FlowLoop loop(int flows) {
    return new FlowLoop(store, plan, now::get, flows, 0, 100, 1000);
  }

  private void answer(long atNanos, Answer answer) {
    now.set(atNanos);
    asked.removeFirst().answer().complete(answer);
  }

  @Test
  void operationsOfAFlowFollowEachOther() {
    CompletableFuture<Measured> over = loop(1).start(Runnable::run);
    assertThat(asked).hasSize(1);
    answer(10, Answer.nothing());
    assertThat(asked).hasSize(1);
    assertThat(asked.getFirst().operation().isReplace()).isTrue();
    assertThat(over).isNotDone();
  }

  @Test
  void whatEndsInTheWindowCountsAndWhatBeginsInItIsTimed() throws Exception {
    CompletableFuture<Measured> over = loop(1).start(Runnable::run);
    // The first flow begins before the window and ends in it.
    answer(50, Answer.nothing());
    answer(150, Answer.written());
    // The second lies in the window; its replace fails on its condition.
    answer(200, Answer.nothing());
    answer(250, Answer.nothing());
    // The third begins in the window and ends after it: timed, not counted.
    answer(1000, Answer.nothing());
    answer(1250, Answer.nothing());
    Measured measured = over.get();
    assertThat(measured.flows()).isEqualTo(2);
    assertThat(measured.windowNanos()).isEqualTo(1000);
    assertThat(measured.failedReplaces()).isEqualTo(1);
    assertThat(measured.p50Nanos()).isEqualTo(100);
    assertThat(measured.p99Nanos()).isBetween(1000L, 1001L);
    assertThat(asked).isEmpty();
  }

  @Test
  void asManyFlowsRunAsWanted() {
    CompletableFuture<Measured> over = loop(3).start(Runnable::run);
    assertThat(over).isNotDone();
    assertThat(asked)
        .extracting(one -> ((Operation.Get) one.operation()).key())
        .containsExactly("k0", "k1", "k2");
  }

  @Test
  void aFailureEndsTheLoop() {
    CompletableFuture<Measured> over = loop(2).start(Runnable::run);
    asked.removeFirst().answer().completeExceptionally(new IllegalStateException("gone"));
    answer(10, Answer.nothing());
    assertThat(over).isNotDone();
    answer(20, Answer.nothing());
    assertThat(asked).isEmpty();
    assertThatThrownBy(over::join)
        .isInstanceOf(CompletionException.class)
        .hasRootCauseMessage("gone");
  }

  /** Answers everything at once. */
  private static final PeerStore PROMPT =
      new PeerStore() {
        @Override
        public CompletableFuture<Void> declare(List<TableLayout> tables) {
          return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Answer> submit(Operation operation) {
          return CompletableFuture.completedFuture(Answer.written());
        }

        @Override
        public void close() {}
      };

  @Test
  void answersAtOnceGrowNoStackAndFlowsTakeTurns() throws Exception {
    AtomicLong ticks = new AtomicLong();
    Deque<Runnable> tasks = new ArrayDeque<>();
    List<Long> numbers = new ArrayList<>();
    FlowPlan numbered =
        new Plan(
            List.of(),
            List.of(),
            number -> {
              numbers.add(number);
              return Step.last(new Operation.Get("t", "k" + number % 2));
            });
    FlowLoop loop = new FlowLoop(PROMPT, numbered, ticks::getAndIncrement, 2, 0, 0, 100_000);
    CompletableFuture<Measured> over = loop.start(tasks::add);
    tasks.removeFirst().run();
    int alone = numbers.size();
    assertThat(alone).isBetween(2, 1000);
    assertThat(over).isNotDone();
    tasks.removeFirst().run();
    assertThat(numbers).hasSize(2 * alone);
    while (!tasks.isEmpty()) {
      tasks.removeFirst().run();
    }
    assertThat(over.get().flows()).isGreaterThan(10_000);
  }

  @Test
  void figuresSurviveTheirLine() {
    Measured measured = new Measured(1, 2, 3, 4, 5, 6);
    assertThat(Measured.parse(measured.line())).isEqualTo(measured);
    assertThatThrownBy(() -> Measured.parse("1 2 3")).isInstanceOf(IllegalArgumentException.class);
  }
}
