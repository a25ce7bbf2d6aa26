package io.lockstep.dataplane.network;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition another thread brings about. */
public final class Await {
  private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(120);

  private Await() {}

  /** Returns when the condition holds; fails when it does not within 120 s. */
  public static void until(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + DEADLINE_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not in time: " + what);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }
}
