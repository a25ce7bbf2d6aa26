package io.lockstep.dataplane.wire;

import io.netty.util.concurrent.EventExecutor;

/** Time of the emulated network: flow time-outs, link delays, hosts' timers. Thread-safe. */
public interface NetworkClock {
  /** Nanoseconds since the clock was made; never goes back. */
  long nanos();

  /**
   * Runs a task on {@code owner} after a delay.
   *
   * @param delayNanos zero or less for as soon as possible
   */
  Timer schedule(EventExecutor owner, long delayNanos, Runnable task);

  /** A task to come. */
  interface Timer {
    /** Stops the task from running if it has not begun; harmless otherwise. */
    void cancel();
  }
}
