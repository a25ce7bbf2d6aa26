package io.lockstep.core.node;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The time of nodes and their store under test. It moves only while the test waits for a condition:
 * 2 ms with each look, and a look takes at least as long. A machine that has no time for the nodes
 * has none for the test either, so no lease expires and no deadline passes because of that. Nor
 * where a single thread has none: the time stands still until each of those given had its turn.
 *
 * <p>Thread-safe; one thread waits.
 */
final class TestClock {
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long DEADLINE_SECONDS = 30;

  /** So many looks lie between two turns of the threads at most: 64 ms. */
  private static final int LOOKS_OF_A_TURN = 32;

  /** Of the machine's time: only a thread that hangs has no turn for so long. */
  private static final long TURN_SECONDS = 60;

  private final Supplier<List<Executor>> threads;
  private int looks;

  private final AtomicLong nowNanos = new AtomicLong(TimeUnit.HOURS.toNanos(1));

  /** A clock that waits for no thread. */
  TestClock() {
    this(List::of);
  }

  /**
   * A clock that waits for threads.
   *
   * @param threads those that run at present; asked by the thread that waits
   */
  TestClock(Supplier<List<Executor>> threads) {
    this.threads = threads;
  }

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
      if (++looks % LOOKS_OF_A_TURN == 0) {
        awaitTurns();
      }
      nowNanos.addAndGet(STEP_NANOS);
    }
  }

  private void awaitTurns() {
    List<Executor> now = threads.get();
    CountDownLatch turns = new CountDownLatch(now.size());
    now.forEach(thread -> thread.execute(turns::countDown));
    try {
      if (!turns.await(TURN_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("a thread had no turn within " + TURN_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
