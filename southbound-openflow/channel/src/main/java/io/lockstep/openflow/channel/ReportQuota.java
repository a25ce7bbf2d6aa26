package io.lockstep.openflow.channel;

/**
 * How much one switch may report unasked: port status, removed flows, errors, echo requests,
 * messages that are not understood, and flow entries that are not; packet-ins have a quota of their
 * own. The burst is that of a large flow table whose entries all end together; only a switch that
 * is broken or hostile exceeds it. Owned by the event loop; time is an argument, in nanoseconds.
 */
final class ReportQuota {
  /** Reports in one burst. */
  static final int BURST = 1 << 17;

  /** Reports a second in the long run. */
  static final int PER_SECOND = 10_000;

  private static final long COST_NANOS = 1_000_000_000L / PER_SECOND;
  private static final long CAPACITY_NANOS = BURST * COST_NANOS;

  /** Invariant: 0 <= levelNanos <= CAPACITY_NANOS. */
  private long levelNanos = CAPACITY_NANOS;

  private long updatedNanos;

  ReportQuota(long nowNanos) {
    this.updatedNanos = nowNanos;
  }

  /** Takes a report; false where it is one too many. */
  boolean take(long nowNanos) {
    return take(nowNanos, 1);
  }

  /** Takes some reports, or none of them and false where they are too many. */
  boolean take(long nowNanos, int reports) {
    long passed = Math.max(0, nowNanos - updatedNanos);
    updatedNanos = nowNanos;
    levelNanos = Math.min(CAPACITY_NANOS, levelNanos + Math.min(passed, CAPACITY_NANOS));
    long cost = reports * COST_NANOS;
    if (levelNanos < cost) {
      return false;
    }
    levelNanos -= cost;
    return true;
  }
}
