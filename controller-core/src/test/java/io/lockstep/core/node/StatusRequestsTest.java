package io.lockstep.core.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** One report for all who wait for it, and none that is older than the question. */
class StatusRequestsTest {
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private final AtomicLong taken = new AtomicLong();
  private final StatusRequests requests = new StatusRequests(tasks::add, this::take);

  private NodeStatus take() {
    return status(taken.incrementAndGet());
  }

  private static NodeStatus status(long session) {
    return new NodeStatus(
        "test",
        "n1",
        "1",
        true,
        "",
        session,
        Set.of(),
        List.of(),
        List.of(),
        new NodeStatus.DomainVersions(1, 0, List.of(), ""),
        List.of(),
        List.of(),
        "",
        List.of());
  }

  @Test
  void whoWaitsTogetherGetsTheSameReport() {
    CompletableFuture<NodeStatus> first = requests.ask();
    CompletableFuture<NodeStatus> second = requests.ask();
    assertThat(tasks).hasSize(1);
    tasks.remove().run();
    assertThat(first.join()).isSameAs(second.join());
    assertThat(taken).hasValue(1);
  }

  @Test
  void aQuestionDuringAReportGetsTheNextOne() {
    List<CompletableFuture<NodeStatus>> during = new ArrayList<>();
    StatusRequests[] self = new StatusRequests[1];
    self[0] =
        new StatusRequests(
            tasks::add,
            () -> {
              if (during.isEmpty()) {
                during.add(self[0].ask());
              }
              return take();
            });
    CompletableFuture<NodeStatus> first = self[0].ask();
    tasks.remove().run();
    assertThat(first.join().sessionId()).isEqualTo(1);
    assertThat(during.get(0)).isNotDone();
    tasks.remove().run();
    assertThat(during.get(0).join().sessionId()).isEqualTo(2);
  }

  @Test
  void oneWhoGivesUpTakesNothingFromOthers() {
    CompletableFuture<NodeStatus> impatient = requests.ask();
    CompletableFuture<NodeStatus> patient = requests.ask();
    impatient.cancel(false);
    tasks.remove().run();
    assertThat(patient.join().sessionId()).isEqualTo(1);
  }

  @Test
  void afterAFailureOrARefusalTheNextQuestionIsAsked() {
    AtomicBoolean full = new AtomicBoolean(true);
    StatusRequests one =
        new StatusRequests(
            task -> {
              if (full.get()) {
                throw new RejectedExecutionException("full");
              }
              tasks.add(task);
            },
            () -> {
              if (taken.incrementAndGet() == 1) {
                throw new IllegalStateException("broken");
              }
              return status(taken.get());
            });
    assertThatThrownBy(one::ask).isInstanceOf(RejectedExecutionException.class);
    full.set(false);
    CompletableFuture<NodeStatus> broken = one.ask();
    assertThatThrownBy(() -> tasks.remove().run()).hasMessage("broken");
    assertThat(broken).isCompletedExceptionally();
    CompletableFuture<NodeStatus> next = one.ask();
    tasks.remove().run();
    assertThat(next.join().sessionId()).isEqualTo(2);
  }
}
