package io.lockstep.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class DeactivateHooksTest {
  private static final long MINUTE_MILLIS = 60_000;

  private final DeactivateHooks hooks = new DeactivateHooks();
  private final List<String> ran = new CopyOnWriteArrayList<>();

  @Test
  void applicationThatCameLastIsDeactivatedFirstAndEachHookRunsOnce() {
    Runnable first = () -> ran.add("first");
    hooks.add("a", first);
    hooks.add("a", first);
    hooks.add("b", () -> ran.add("second"));
    hooks.add("a", () -> ran.add("third"));
    hooks.run(MINUTE_MILLIS);
    hooks.run(MINUTE_MILLIS);
    assertThat(ran).containsExactly("second", "first", "third");
  }

  @Test
  void hookThatFailsKeepsNoOtherFromRunning() {
    hooks.add("a", () -> ran.add("a"));
    hooks.add(
        "b",
        () -> {
          throw new IllegalStateException("a bad hook");
        });
    hooks.run(MINUTE_MILLIS);
    assertThat(ran).containsExactly("a");
  }

  @Test
  void hookThatDoesNotEndIsInterruptedAndThoseBehindItDoNotBegin() throws InterruptedException {
    CountDownLatch interrupted = new CountDownLatch(1);
    hooks.add("a", () -> ran.add("a"));
    hooks.add(
        "b",
        () -> {
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            interrupted.countDown();
          }
        });
    hooks.run(50);
    interrupted.await();
    assertThat(ran).isEmpty();
  }

  @Test
  void hookThatWouldNeverRunIsRefused() {
    hooks.run(MINUTE_MILLIS);
    assertThatIllegalStateException()
        .isThrownBy(() -> hooks.add("late", () -> {}))
        .withMessageContaining("late")
        .withMessageContaining("being closed");
  }

  @Test
  void hooksAreBounded() {
    for (int i = 0; i < DeactivateHooks.MAX_HOOKS; i++) {
      int number = i;
      hooks.add("a", () -> ran.add("" + number));
    }
    assertThatIllegalStateException()
        .isThrownBy(() -> hooks.add("a", () -> {}))
        .withMessageContaining("one too many");
  }
}
