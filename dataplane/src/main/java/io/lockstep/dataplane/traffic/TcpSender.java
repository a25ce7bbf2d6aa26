package io.lockstep.dataplane.traffic;

import java.util.function.LongConsumer;

/**
 * The sender of a TCP connection that always has data: slow start and congestion avoidance (RFC
 * 5681), losses found by the time of sending (RFC 8985, without its probes), the proportional rate
 * reduction of RFC 6937, and the timer of RFC 6298 with Linux's lower bound of 200 ms. Numbers
 * count segments.
 */
final class TcpSender {
  private static final int INITIAL_WINDOW = 10;
  private static final long FIRST_TIMEOUT_NANOS = 1_000_000_000;
  private static final long SHORTEST_TIMEOUT_NANOS = 200_000_000;
  private static final long LONGEST_TIMEOUT_NANOS = 120_000_000_000L;

  /** Sent so long ago that it is lost. */
  private static final long LONG_AGO = -1;

  private final VirtualTime time;
  private final LongConsumer transmit;
  private final int receiveWindow;

  // By segment, modulo the receive window.
  private final long[] sentAtNanos;
  private final boolean[] repeated;

  private long unacknowledged;
  private long next;
  private Acknowledgement last = new Acknowledgement(0, Acknowledgement.NONE);
  private double window = INITIAL_WINDOW;
  private double threshold = Double.MAX_VALUE;
  private Recovery recovery = Recovery.NONE;
  private long recoverUpTo;
  private long flightAtLoss;
  private long deliveredSinceLoss;
  private long sentSinceLoss;

  /** When the segment was sent that was sent last of all that have arrived. */
  private long newestArrivedNanos;

  private double smoothedNanos;
  private double variationNanos;
  private long timeoutNanos = FIRST_TIMEOUT_NANOS;
  private long deadlineNanos;
  private boolean timerSet;
  private long retransmissions;

  private enum Recovery {
    NONE,
    FAST,
    AFTER_TIMEOUT
  }

  /**
   * @param transmit sends the segment with a number
   * @param receiveWindow segments that the receiver takes beyond the acknowledged ones
   */
  TcpSender(VirtualTime time, LongConsumer transmit, int receiveWindow) {
    this.time = time;
    this.transmit = transmit;
    this.receiveWindow = receiveWindow;
    this.sentAtNanos = new long[receiveWindow];
    this.repeated = new boolean[receiveWindow];
  }

  void start() {
    send(INITIAL_WINDOW);
  }

  long retransmissions() {
    return retransmissions;
  }

  void acknowledged(Acknowledgement news) {
    if (news.upTo() < unacknowledged) {
      return; // older than what is known
    }
    int delivered = look(news);
    long fresh = news.upTo() - unacknowledged;
    last = news;
    unacknowledged = news.upTo();
    if (fresh > 0) {
      deadlineNanos = time.nowNanos() + timeoutNanos;
    }
    if (recovery != Recovery.NONE && unacknowledged >= recoverUpTo) {
      window = recovery == Recovery.FAST ? threshold : window;
      recovery = Recovery.NONE;
    }
    if (recovery != Recovery.FAST) {
      window += window < threshold ? Math.min(fresh, 2) : fresh / window;
      window = Math.min(window, receiveWindow);
    }
    boolean gaps = !news.beyond().isEmpty() || recovery != Recovery.NONE;
    int inFlight = gaps ? inFlight() : (int) (next - unacknowledged);
    if (recovery == Recovery.NONE && gaps && anyLost()) {
      recovery = Recovery.FAST;
      recoverUpTo = next;
      flightAtLoss = next - unacknowledged;
      deliveredSinceLoss = 0;
      sentSinceLoss = 0;
      threshold = Math.max(window / 2, 2);
    }
    send(recovery == Recovery.FAST ? reduced(inFlight, delivered) : (int) window - inFlight);
  }

  /** Sees which segments an acknowledgement tells of first; returns how many. */
  private int look(Acknowledgement news) {
    int delivered = 0;
    long end = news.upTo() + news.beyond().length();
    for (long segment = unacknowledged; segment < end; segment++) {
      if (news.has(segment) && !last.has(segment)) {
        delivered++;
        int at = at(segment);
        newestArrivedNanos = Math.max(newestArrivedNanos, sentAtNanos[at]);
        // Karn's rule: a segment that was sent twice tells nothing of the way.
        if (!repeated[at] && sentAtNanos[at] != LONG_AGO) {
          measured(time.nowNanos() - sentAtNanos[at]);
        }
      }
    }
    return delivered;
  }

  private int at(long segment) {
    return (int) (segment % receiveWindow);
  }

  private void measured(long tookNanos) {
    if (smoothedNanos == 0) {
      smoothedNanos = tookNanos;
      variationNanos = tookNanos / 2.0;
    } else {
      variationNanos += (Math.abs(tookNanos - smoothedNanos) - variationNanos) / 4;
      smoothedNanos += (tookNanos - smoothedNanos) / 8;
    }
    timeoutNanos = Math.max(SHORTEST_TIMEOUT_NANOS, (long) (smoothedNanos + 4 * variationNanos));
  }

  /** A segment has not arrived, and one that was sent clearly later has. */
  private boolean isLost(long segment) {
    long sent = sentAtNanos[at(segment)];
    return !last.has(segment)
        && (sent == LONG_AGO || sent + (long) (smoothedNanos / 4) < newestArrivedNanos);
  }

  private boolean anyLost() {
    for (long segment = unacknowledged; segment < next; segment++) {
      if (isLost(segment)) {
        return true;
      }
    }
    return false;
  }

  private int inFlight() {
    int count = 0;
    for (long segment = unacknowledged; segment < next; segment++) {
      count += !last.has(segment) && !isLost(segment) ? 1 : 0;
    }
    return count;
  }

  /** Segments to send now so that the flight shrinks to the threshold with the arrivals. */
  private int reduced(int inFlight, int delivered) {
    deliveredSinceLoss += delivered;
    if (inFlight > threshold) {
      double due = Math.ceil(deliveredSinceLoss * threshold / flightAtLoss);
      return (int) due - (int) sentSinceLoss;
    }
    long most = Math.max(deliveredSinceLoss - sentSinceLoss, delivered) + 1;
    return (int) Math.min(threshold - inFlight, (double) most);
  }

  private void send(int segments) {
    int left = segments;
    if (recovery != Recovery.NONE) {
      for (long segment = unacknowledged; segment < next && left > 0; segment++) {
        if (isLost(segment)) {
          repeated[at(segment)] = true;
          retransmissions++;
          transmit(segment);
          left--;
        }
      }
    }
    for (; left > 0 && next - unacknowledged < receiveWindow; left--) {
      repeated[at(next)] = false;
      transmit(next++);
    }
  }

  private void transmit(long segment) {
    sentAtNanos[at(segment)] = time.nowNanos();
    sentSinceLoss++;
    if (!timerSet) {
      deadlineNanos = time.nowNanos() + timeoutNanos;
      awaitDeadline();
    }
    transmit.accept(segment);
  }

  private void awaitDeadline() {
    timerSet = true;
    time.at(deadlineNanos, this::timeIsOver);
  }

  private void timeIsOver() {
    timerSet = false;
    if (time.nowNanos() < deadlineNanos) {
      awaitDeadline();
      return;
    }
    threshold = Math.max((next - unacknowledged) / 2.0, 2);
    window = 1;
    recovery = Recovery.AFTER_TIMEOUT;
    recoverUpTo = next;
    for (long segment = unacknowledged; segment < next; segment++) {
      sentAtNanos[at(segment)] = LONG_AGO;
    }
    timeoutNanos = Math.min(2 * timeoutNanos, LONGEST_TIMEOUT_NANOS);
    send(1);
  }
}
