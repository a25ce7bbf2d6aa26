package io.lockstep.core.state;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Lets one log line of a kind through per period, so that a storm of bad input cannot fill the log.
 * What is held back is counted elsewhere. Thread-safe.
 */
public final class LogLimit {
  private final LongSupplier nanoTime;
  private final long periodNanos;
  private final AtomicLong nextNanos;

  /** A limit of one line in {@code periodSeconds}; the first line passes. */
  public LogLimit(LongSupplier nanoTime, long periodSeconds) {
    this.nanoTime = nanoTime;
    this.periodNanos = TimeUnit.SECONDS.toNanos(periodSeconds);
    this.nextNanos = new AtomicLong(nanoTime.getAsLong());
  }

  /** Whether a line may be written now. */
  public boolean permits() {
    long now = nanoTime.getAsLong();
    long next = nextNanos.get();
    return now - next >= 0 && nextNanos.compareAndSet(next, now + periodNanos);
  }
}
