package io.lockstep.walks;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for conditions, at most {@value #PATIENCE_SECONDS} s: only a hung run reaches that. */
final class Await {
  static final long PATIENCE_SECONDS = 60;

  private Await() {}

  static void until(String what, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.call()) {
      if (System.nanoTime() - end > 0) {
        throw new TimeoutException("not within " + PATIENCE_SECONDS + " s: " + what);
      }
      Thread.sleep(1);
    }
  }
}
