package io.lockstep.core.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ControlLoopTest {
  private final List<Throwable> fatal = new CopyOnWriteArrayList<>();
  private final ControlLoop loop = new ControlLoop("control-test", (where, e) -> fatal.add(e));

  @AfterEach
  void close() {
    loop.close();
  }

  @Test
  void runsTasksInOrderOnItsOwnThreadAfterTheStart() throws Exception {
    List<Integer> ran = new CopyOnWriteArrayList<>();
    CompletableFuture<String> last = new CompletableFuture<>();
    for (int i = 0; i < 100; i++) {
      int task = i;
      loop.execute(() -> ran.add(task));
    }
    loop.execute(() -> last.complete(Thread.currentThread().getName() + loop.isCurrent()));
    assertThat(ran).isEmpty();
    loop.start();
    assertThat(last.get(60, TimeUnit.SECONDS)).isEqualTo("control-testtrue");
    assertThat(ran).hasSize(100).isSorted();
    assertThat(loop.isCurrent()).isFalse();
  }

  @Test
  void reportsWhatATaskThrowsAndGoesOn() throws Exception {
    loop.start();
    RuntimeException broken = new IllegalStateException("broken");
    CountDownLatch done = new CountDownLatch(1);
    loop.execute(
        () -> {
          throw broken;
        });
    loop.execute(done::countDown);
    assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(fatal).containsExactly(broken);
  }

  @Test
  void runsTimersInOrderOfTheirTimeAndNoneThatWasCancelled() throws Exception {
    List<String> ran = new CopyOnWriteArrayList<>();
    CountDownLatch done = new CountDownLatch(1);
    loop.schedule(
        80,
        () -> {
          ran.add("late");
          done.countDown();
        });
    loop.schedule(40, () -> ran.add("cancelled")).cancel();
    // Due before the late one also where the machine paused between these calls.
    loop.schedule(-60_000, () -> ran.add("early"));
    loop.start();
    assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(ran).containsExactly("early", "late");
  }

  @Test
  void repeatsUntilCancelled() throws Exception {
    loop.start();
    CountDownLatch thrice = new CountDownLatch(3);
    ControlLoop.Timeout repetition = loop.scheduleEvery(1, thrice::countDown);
    assertThat(thrice.await(60, TimeUnit.SECONDS)).isTrue();
    repetition.cancel();
  }

  @Test
  void repetitionsMeetAtTheMultiplesOfTheirPeriods() {
    assertThat(ControlLoop.nextMultiple(0, 100)).isEqualTo(100);
    assertThat(ControlLoop.nextMultiple(1, 100)).isEqualTo(100);
    assertThat(ControlLoop.nextMultiple(50, 100)).isEqualTo(100);
    assertThat(ControlLoop.nextMultiple(51, 100)).as("half a period at least").isEqualTo(200);
    assertThat(ControlLoop.nextMultiple(100, 100)).isEqualTo(200);
    assertThat(ControlLoop.nextMultiple(207, 50)).isEqualTo(250);
    for (long now = 0; now < 1_000; now++) {
      assertThat(ControlLoop.nextMultiple(now, 100) % 50).isZero();
    }
  }

  @Test
  void asksForThePeriodAfterEachRun() throws Exception {
    loop.start();
    AtomicInteger asked = new AtomicInteger();
    CountDownLatch thrice = new CountDownLatch(3);
    ControlLoop.Timeout repetition =
        loop.scheduleEvery(() -> 1 + asked.getAndIncrement() % 2, thrice::countDown);
    assertThat(thrice.await(60, TimeUnit.SECONDS)).isTrue();
    repetition.cancel();
    assertThat(asked.get()).isGreaterThanOrEqualTo(3);
  }

  @Test
  void rejectsBeyondItsBoundAndReportsIt() {
    for (int i = 0; i < ControlLoop.MAX_QUEUED; i++) {
      loop.execute(() -> {});
    }
    assertThatThrownBy(() -> loop.execute(() -> {}))
        .isInstanceOf(RejectedExecutionException.class)
        .hasMessageContaining("control-test");
    assertThat(fatal).hasSize(1);
  }

  @Test
  void dropsTasksAfterClose() throws Exception {
    loop.start();
    loop.close();
    List<String> ran = new CopyOnWriteArrayList<>();
    loop.execute(() -> ran.add("late"));
    loop.schedule(0, () -> ran.add("late timer"));
    assertThat(ran).isEmpty();
    assertThat(fatal).isEmpty();
  }
}
