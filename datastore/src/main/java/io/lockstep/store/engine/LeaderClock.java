package io.lockstep.store.engine;

import java.util.Arrays;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The time that a leader writes into its proposals. It goes on from the time of the last decision,
 * whoever proposed that, by what this process has measured on its monotonic clock since it knew of
 * that proposal. Nothing is known of a proposal before it was made, so from one decision to the
 * next this time advances no further than the leader's clock has run between them: neither a new
 * leader nor a step of a wall clock makes it jump. Leases rest on this (docs/adr/0015).
 *
 * <p>The wall clock is asked once, for the first proposal to an empty store.
 *
 * <p>Thread-safe.
 */
public final class LeaderClock {
  private final LongSupplier nanoClock;
  private final LongSupplier wallMillis;

  /** At {@link #baseNanos} of the monotonic clock the time was {@link #baseMillis}. */
  private boolean started;

  private long baseMillis;
  private long baseNanos;

  /** This process's newest proposal since the base was set, where it may still be decided. */
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
   * The time for a proposal that is made now, in milliseconds. To be asked when all its requests
   * are there: what it renews must not have been sent later.
   */
  public synchronized long nowMillis() {
    long nowNanos = nanoClock.getAsLong();
    if (!started) {
      begin(wallMillis.getAsLong(), nowNanos);
    }
    return baseMillis + (nowNanos - baseNanos) / 1_000_000;
  }

  /** This process has just made a proposal with the time that {@link #nowMillis} gave. */
  public synchronized void proposed(byte[] value) {
    own = value;
  }

  /** A proposal has arrived; this process's own may too, and any of them again. */
  public synchronized void arrived(byte[] value) {
    if (!Arrays.equals(value, own) && !Arrays.equals(value, seen)) {
      seen = value;
      seenNanos = nanoClock.getAsLong();
    }
  }

  /**
   * A decision has been applied.
   *
   * @param value as it was proposed
   * @param timeMillis the time in it
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
   * The state was made anew.
   *
   * @param timeMillis of the last decision in it, see {@link OrderedService#lastTimeMillis}
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
