package io.lockstep.dataplane.wire;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** The machine's monotonic clock. */
public final class RealTime implements NetworkClock {
  private final long originNanos = System.nanoTime();

  @Override
  public long nanos() {
    return System.nanoTime() - originNanos;
  }

  @Override
  public Timer schedule(EventExecutor owner, long delayNanos, Runnable task) {
    ScheduledFuture<?> future = owner.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
    return () -> future.cancel(false);
  }
}
