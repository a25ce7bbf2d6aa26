package io.lockstep.deploy.testbed;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for conditions. */
public final class Await {
  private static final long POLL_NANOS = 20_000_000;

  private Await() {}

  /**
   * Waits until a condition holds. A condition that throws does not hold yet.
   *
   * @param details shown when the time is up
   */
  public static void until(
      String what, Duration deadline, Callable<Boolean> condition, Supplier<String> details) {
    long end = System.nanoTime() + deadline.toNanos();
    Exception last = null;
    while (true) {
      try {
        if (condition.call()) {
          return;
        }
        last = null;
      } catch (Exception notYet) {
        last = notYet;
      }
      if (System.nanoTime() > end) {
        throw new AssertionError(
            "not within " + deadline.toSeconds() + " s: " + what + "\n" + details.get(), last);
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }
}
