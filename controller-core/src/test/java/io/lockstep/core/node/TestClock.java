package io.lockstep.core.node;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The time of nodes and their store under test. It moves only while the test waits for a condition:
 * 2 ms with each look, and a look takes at least as long. A machine that has no time for the nodes
 * has none for the test either, so no lease expires and no deadline passes because of that.
 *
 * <p>Thread-safe; one thread waits.
 */
final class TestClock {
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long DEADLINE_SECONDS = 30;

  private final AtomicLong nowNanos = new AtomicLong(TimeUnit.HOURS.toNanos(1));

  /** A monotone time. */
  long nanos() {
    return nowNanos.get();
  }

  /** The same in milliseconds. */
  long millis() {
    return TimeUnit.NANOSECONDS.toMillis(nanos());
  }

  /** Waits for a condition; fails after 30 s of this clock. */
  void await(String what, BooleanSupplier condition) {
    long deadline = nanos() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (!condition.getAsBoolean()) {
      if (nanos() - deadline > 0) {
        throw new AssertionError("not within " + DEADLINE_SECONDS + " s: " + what);
      }
      LockSupport.parkNanos(STEP_NANOS);
      nowNanos.addAndGet(STEP_NANOS);
    }
  }
}
