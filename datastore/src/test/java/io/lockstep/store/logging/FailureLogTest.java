package io.lockstep.store.logging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class FailureLogTest {
  private final List<String> lines = new ArrayList<>();
  private final FailureLog failures =
      new FailureLog(new BoundedLog(recording(), new LogLimit(() -> 0)));

  private Logger recording() {
    return (Logger)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Logger.class},
            (proxy, method, arguments) -> {
              if (!method.getName().equals("isEnabledForLevel")) {
                lines.add(method.getName() + " " + Arrays.deepToString(arguments));
                return null;
              }
              return true;
            });
  }

  @Test
  void taskThatFailsIsLoggedAndStillFails() {
    Runnable task =
        failures.logging(
            "n1",
            "a tick",
            () -> {
              throw new IllegalStateException("late");
            });
    assertThatThrownBy(task::run).isInstanceOf(IllegalStateException.class);
    assertThat(lines)
        .containsExactly(
            "error [{} of {} failed, [a tick, n1, java.lang.IllegalStateException: late]]");
    List<String> ran = new ArrayList<>();
    failures.logging("n1", "a tick", () -> ran.add("tick")).run();
    assertThat(ran).hasSize(1);
    assertThat(lines).hasSize(1);
  }

  @Test
  void failureOfAFutureIsLoggedOnce() {
    CompletableFuture<String> future = new CompletableFuture<>();
    failures.watch("n1", "closing", future);
    failures.watch("n2", "closing", CompletableFuture.completedFuture("done"));
    assertThat(lines).isEmpty();
    future.completeExceptionally(new IllegalStateException("stuck"));
    assertThat(lines)
        .containsExactly(
            "error [{} of {} failed, [closing, n1, java.lang.IllegalStateException: stuck]]");
  }

  @Test
  void whatTheCallbackThrowsIsLoggedAndNotWhatItWasGiven() {
    List<String> given = new ArrayList<>();
    CompletableFuture<String> failed = CompletableFuture.failedFuture(new Exception("refused"));
    failures.handle("n1", "an answer", failed, (text, failure) -> given.add(text + " " + failure));
    assertThat(given).containsExactly("null java.lang.Exception: refused");
    assertThat(lines).isEmpty();
    failures.handle(
        "n1",
        "an answer",
        CompletableFuture.completedFuture("text"),
        (text, failure) -> {
          throw new IllegalStateException(text);
        });
    assertThat(lines).hasSize(1);
    assertThat(lines.get(0)).contains("an answer, n1, ").contains("IllegalStateException: text");
  }
}
