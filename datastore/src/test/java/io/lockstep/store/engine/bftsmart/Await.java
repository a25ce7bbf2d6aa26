package io.lockstep.store.engine.bftsmart;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for conditions with a deadline, never for a time. */
final class Await {
  private Await() {}

  /** Returns when the condition holds; fails with the description of how things stand instead. */
  static void until(Duration most, Supplier<String> otherwise, BooleanSupplier condition) {
    long deadline = System.nanoTime() + most.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("after " + most.toMillis() + " ms: " + otherwise.get());
      }
      LockSupport.parkNanos(5_000_000);
    }
  }
}
