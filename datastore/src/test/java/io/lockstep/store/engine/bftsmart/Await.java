package io.lockstep.store.engine.bftsmart;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for conditions with a deadline, never for a time. */
final class Await {
  /**
   * Usually a second. What takes longer than this is a defect, however loaded the machine: a leader
   * that is not replaced, a client that waits for a replica that is dead.
   */
  static final long LONGEST_STALL_MILLIS = 15_000;

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

  /** Prints how long something took; fails where it took longer than it may. */
  static void took(String what, long millis, long mostMillis) {
    System.out.println(what + ": " + millis + " ms");
    if (millis > mostMillis) {
      throw new AssertionError(what + ": " + millis + " ms, may be " + mostMillis);
    }
  }
}
