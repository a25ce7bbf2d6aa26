package io.lockstep.dataplane.network;

import io.lockstep.dataplane.network.ContinuousPing.Pair;
import io.lockstep.dataplane.wire.NetworkClock;
import java.util.Arrays;
import java.util.List;

/** What continuous pings achieved in a stretch of time. Thread-safe. */
public final class PingWindow {
  private final String name;
  private final List<Pair> pairs;
  private final NetworkClock clock;
  private final long startNanos;
  private final long[] lastAnswerNanos;
  private long endNanos = -1;
  private long longestGapNanos;
  private int longestGapPair;
  private long sent;
  private long answered;
  private long lost;

  PingWindow(String name, List<Pair> pairs, NetworkClock clock) {
    this.name = name;
    this.pairs = pairs;
    this.clock = clock;
    this.startNanos = clock.nanos();
    this.lastAnswerNanos = new long[pairs.size()];
    Arrays.fill(lastAnswerNanos, startNanos);
  }

  synchronized void sent() {
    sent++;
  }

  /** A request sent in this window was answered or given up, perhaps after the window's end. */
  synchronized void decided(boolean wasAnswered) {
    if (wasAnswered) {
      answered++;
    } else {
      lost++;
    }
  }

  /** An answer arrived during this window, perhaps to a request from before it. */
  synchronized void answered(int pair) {
    if (endNanos < 0) {
      noteGap(pair, clock.nanos());
      lastAnswerNanos[pair] = clock.nanos();
    }
  }

  private void noteGap(int pair, long untilNanos) {
    long gap = untilNanos - lastAnswerNanos[pair];
    if (gap > longestGapNanos) {
      longestGapNanos = gap;
      longestGapPair = pair;
    }
  }

  synchronized void end() {
    if (endNanos < 0) {
      noteGaps(clock.nanos());
      endNanos = clock.nanos();
    }
  }

  private void noteGaps(long untilNanos) {
    for (int pair = 0; pair < pairs.size(); pair++) {
      noteGap(pair, untilNanos);
    }
  }

  /** The counts so far; final once the window has ended and nothing is undecided. */
  public synchronized Counts counts() {
    if (endNanos < 0) {
      noteGaps(clock.nanos());
    }
    long until = endNanos < 0 ? clock.nanos() : endNanos;
    return new Counts(
        name,
        sent,
        answered,
        lost,
        until - startNanos,
        longestGapNanos,
        pairs.isEmpty() ? "" : pairs.get(longestGapPair).toString());
  }

  /**
   * Numbers of a window.
   *
   * @param sent requests sent in the window
   * @param answered of those, answered in time
   * @param lost of those, given up
   * @param longestGapNanos longest stretch of the window in which one pair had no answer; never
   *     much below the interval between requests
   * @param longestGapPair the pair that had it
   */
  public record Counts(
      String name,
      long sent,
      long answered,
      long lost,
      long durationNanos,
      long longestGapNanos,
      String longestGapPair) {
    /** Requests neither answered nor given up yet. */
    public long undecided() {
      return sent - answered - lost;
    }
  }
}
