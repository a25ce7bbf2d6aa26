package io.lockstep.openflow.channel;

/**
 * Decides when a silent connection is asked for an echo and when it is dead (OpenFlow 1.3.5 section
 * 6.3.3). Whatever the peer sends shows that it lives. Owned by the connection's event loop; time
 * is an argument, in nanoseconds.
 */
final class KeepAlive {
  /** What to do now. */
  enum Step {
    NOTHING,
    SEND_ECHO,
    GIVE_UP
  }

  private final long idleNanos;
  private final long deadlineNanos;
  private long heardNanos;
  private long askedNanos;
  private boolean asked;

  KeepAlive(long idleNanos, long deadlineNanos, long nowNanos) {
    this.idleNanos = idleNanos;
    this.deadlineNanos = deadlineNanos;
    this.heardNanos = nowNanos;
  }

  /** The peer sent something. */
  void heard(long nowNanos) {
    heardNanos = nowNanos;
    asked = false;
  }

  /** Call regularly and do what it says. */
  Step tick(long nowNanos) {
    if (asked) {
      return nowNanos - askedNanos >= deadlineNanos ? Step.GIVE_UP : Step.NOTHING;
    }
    if (nowNanos - heardNanos < idleNanos) {
      return Step.NOTHING;
    }
    asked = true;
    askedNanos = nowNanos;
    return Step.SEND_ECHO;
  }
}
