package io.lockstep.bench.atomix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SessionPoolTest {
  private final AtomicInteger opened = new AtomicInteger();
  private final SessionPool<Integer> pool =
      new SessionPool<>(() -> CompletableFuture.completedFuture(opened.incrementAndGet()), 2);

  private final List<CompletableFuture<String>> answers = new ArrayList<>();
  private final List<Integer> used = new ArrayList<>();

  /** An operation without an answer so far. */
  private CompletableFuture<String> ask() {
    CompletableFuture<String> answer = new CompletableFuture<>();
    answers.add(answer);
    return pool.use(
        session -> {
          used.add(session);
          return answer;
        });
  }

  @Test
  void operationsAtATimeHaveSessionsOfTheirOwn() {
    CompletableFuture<String> first = ask();
    CompletableFuture<String> second = ask();
    answers.get(1).complete("second");
    answers.get(0).complete("first");

    assertThat(used).containsExactly(1, 2);
    assertThat(first).isCompletedWithValue("first");
    assertThat(second).isCompletedWithValue("second");
  }

  @Test
  void whoContinuesUponTheAnswerFindsTheSessionIdle() {
    CompletableFuture<String> both = ask().thenCompose(answer -> ask());
    answers.get(0).complete("first");
    answers.get(1).complete("second");

    assertThat(both).isCompletedWithValue("second");
    assertThat(used).containsExactly(1, 1);
  }

  @Test
  void aSessionIsIdleAgainAfterAFailure() {
    CompletableFuture<String> failed = ask();
    answers.get(0).completeExceptionally(new IOException("no majority"));
    CompletableFuture<String> unused = ask();

    assertThat(failed).isCompletedExceptionally();
    assertThat(unused).isNotDone();
    assertThat(used).containsExactly(1, 1);
  }

  @Test
  void moreOperationsThanSessionsFail() {
    CompletableFuture<String> first = ask();
    CompletableFuture<String> second = ask();

    assertThatThrownBy(ask()::join).hasMessageContaining("more than 2 operations at a time");
    assertThat(first).isNotDone();
    assertThat(second).isNotDone();
  }

  @Test
  void aSessionThatDoesNotOpenIsNotCounted() {
    List<CompletableFuture<Integer>> opening = new ArrayList<>();
    SessionPool<Integer> slow =
        new SessionPool<>(
            () -> {
              CompletableFuture<Integer> session = new CompletableFuture<>();
              opening.add(session);
              return session;
            },
            1);

    CompletableFuture<?> failed = slow.open();
    opening.get(0).completeExceptionally(new IOException("no leader yet"));
    CompletableFuture<?> again = slow.open();
    opening.get(1).complete(7);

    assertThat(failed).isCompletedExceptionally();
    assertThat(again).isCompletedWithValueMatching(session -> session.equals(7));
    assertThat(slow.use(CompletableFuture::completedFuture)).isCompletedWithValue(7);
  }
}
