package io.lockstep.bench.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CallbacksTest {
  private final IllegalStateException broken = new IllegalStateException("broken");

  private final List<Object> values = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();

  @Test
  void valueGoesToTheCallback() {
    CompletableFuture<String> future = new CompletableFuture<>();
    Callbacks.when(future, values::add, failures::add);
    assertThat(values).isEmpty();
    future.complete("value");
    assertThat(values).containsExactly("value");
    assertThat(failures).isEmpty();
  }

  @Test
  void failureOfTheFutureIsPassedOn() {
    Callbacks.when(CompletableFuture.failedFuture(broken), values::add, failures::add);
    assertThat(values).isEmpty();
    assertThat(failures).containsExactly(broken);
  }

  @Test
  void failureOfTheCallbackIsPassedOn() {
    Callbacks.when(
        CompletableFuture.completedFuture("value"),
        value -> {
          throw broken;
        },
        failures::add);
    assertThat(failures).containsExactly(broken);
  }

  @Test
  void failureOfAScheduledTaskIsPassedOn() throws Exception {
    ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor();
    Callbacks.after(
        loop,
        1,
        () -> {
          throw broken;
        },
        failures::add);
    loop.shutdown();
    assertThat(loop.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    assertThat(failures).containsExactly(broken);
  }

  @Test
  void closedLoopRejectsATask() {
    ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor();
    loop.shutdown();
    assertThatThrownBy(() -> Callbacks.after(loop, 1, () -> {}, failures::add))
        .isInstanceOf(RejectedExecutionException.class);
    assertThat(failures).isEmpty();
  }
}
