package io.lockstep.store.engine;

import java.util.Arrays;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The time that a leader writes into its proposals. It is the time of the last decision, plus the
 * time that this process has measured on its monotonic clock since it learned of that proposal. No
 * process learns of a proposal before it is made. So from one decision to the next this time
 * advances no further than the leader's clock has run between them. Neither a new leader nor a step
 * of a wall clock makes it jump. Leases depend on this (docs/adr/0015).
 *
 * <p>The clock reads the wall clock once, for the first proposal to an empty store.
 *
 * <p>Thread-safe.
 */
public final class LeaderClock {
  private final LongSupplier nanoClock;
  private final LongSupplier wallMillis;

  /**
   * Whether the time has a base: {@link #baseMillis} at {@link #baseNanos} of the monotonic clock.
   */
  private boolean started;

  private long baseMillis;
  private long baseNanos;

  /** This process's newest proposal since the base was set, if it may still be decided. */
  private byte @Nullable [] own;

  /** The newest proposal of another leader, and when it arrived. */
  private byte @Nullable [] seen;

  private long seenNanos;

  /**
   * A clock of an empty store.
   *
   * @param nanoClock monotonic
   * @param wallMillis since 1970
   */
  public LeaderClock(LongSupplier nanoClock, LongSupplier wallMillis) {
    this.nanoClock = nanoClock;
    this.wallMillis = wallMillis;
  }

  /**
   * The time for a proposal that is made now, in milliseconds. Call this when all requests of the
   * proposal have arrived: a lease that it renews must not be requested later.
   */
  public synchronized long nowMillis() {
    long nowNanos = nanoClock.getAsLong();
    if (!started) {
      begin(wallMillis.getAsLong(), nowNanos);
    }
    return baseMillis + (nowNanos - baseNanos) / 1_000_000;
  }

  /** This process has just made a proposal with the time that {@link #nowMillis} returned. */
  public synchronized void proposed(byte[] value) {
    own = value;
  }

  /** A proposal has arrived: a leader's, possibly this process's own, possibly again. */
  public synchronized void arrived(byte[] value) {
    if (!Arrays.equals(value, own) && !Arrays.equals(value, seen)) {
      seen = value;
      seenNanos = nanoClock.getAsLong();
    }
  }

  /**
   * A decision has been applied.
   *
   * @param value the proposal
   * @param timeMillis the time in the proposal
   */
  public synchronized void applied(byte[] value, long timeMillis) {
    if (Arrays.equals(value, own)) {
      // The base stays: the fractions of milliseconds between proposals add up.
      own = null;
    } else if (Arrays.equals(value, seen)) {
      begin(timeMillis, seenNanos);
    } else {
      begin(timeMillis, nanoClock.getAsLong());
    }
  }

  /**
   * The state was rebuilt.
   *
   * @param timeMillis of the last decision in the state, see {@link OrderedService#lastTimeMillis}
   */
  public synchronized void restored(OptionalLong timeMillis) {
    started = false;
    own = null;
    if (timeMillis.isPresent()) {
      begin(timeMillis.getAsLong(), nanoClock.getAsLong());
    }
  }

  private void begin(long timeMillis, long nanos) {
    started = true;
    baseMillis = timeMillis;
    baseNanos = nanos;
    own = null;
  }
}
