package io.lockstep.demo;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pings between all ordered pairs of hosts, one after the other, round after round, and counts what
 * became of each by the phase of the story it belongs to. Most pairs are pinged in every round and
 * keep their flow entries; the slow pairs are pinged so rarely that every ping needs new ones, and
 * so a controller. All counting happens on the board's own thread; the methods may be called from
 * any.
 */
final class PingBoard implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PingBoard.class);

  /** Each pair that is not slow is pinged this often. */
  static final int ROUND_MILLIS = 500;

  /** Slow pairs are pinged in one round of this many: every 3 s. */
  static final int SLOW_ROUNDS = 6;

  /** A ping unanswered for so long is lost. */
  static final int TIMEOUT_MILLIS = 2000;

  /** When a ping was sent. */
  enum Phase {
    WARM_UP,
    BEFORE,
    DURING,
    AFTER,
    /** A link was cut or restored, or a host moved. */
    CHANGE
  }

  /** Sends one ping. */
  interface Pinger {
    /**
     * From one host to another, both numbered from 0.
     *
     * @param answered gets the round trip in nanoseconds, or -1 after {@link #TIMEOUT_MILLIS};
     *     once, on any thread
     */
    void ping(int from, int to, LongConsumer answered);
  }

  /** Pings with a known end. */
  record Counts(long sent, long lost) {
    static final Counts NONE = new Counts(0, 0);
  }

  /** What is known now. */
  record Tally(
      Map<Phase, Counts> counts, int inFlight, long longestGapMillis, boolean allAnswered) {
    Counts of(Phase phase) {
      return counts.getOrDefault(phase, Counts.NONE);
    }
  }

  private static final class Ping {
    final int pair;
    final boolean slow;
    Phase phase;

    Ping(int pair, boolean slow, Phase phase) {
      this.pair = pair;
      this.slow = slow;
      this.phase = phase;
    }
  }

  private final int hosts;
  private final Pinger pinger;
  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread created = new Thread(task, "ping-board");
            created.setDaemon(true);
            return created;
          },
          // Answers that come after the end are of no interest.
          new ThreadPoolExecutor.DiscardPolicy());

  // Owned by the thread.
  private final Map<Phase, Counts> counts = new EnumMap<>(Phase.class);
  private final Deque<Ping> inFlight = new ArrayDeque<>();
  private final long[] lastAnswerNanos;
  private final int[] answersInARow;
  private long longestGapNanos;
  private Phase phase = Phase.WARM_UP;
  private int nextPair;
  private long round;
  private boolean sending = true;
  private boolean failed;

  private volatile @Nullable Future<?> schedule;

  private PingBoard(int hosts, Pinger pinger) {
    this.hosts = hosts;
    this.pinger = pinger;
    this.lastAnswerNanos = new long[hosts * (hosts - 1)];
    this.answersInARow = new int[hosts * (hosts - 1)];
  }

  /**
   * A board that does not ping yet.
   *
   * @param hosts at least 2
   */
  static PingBoard idle(int hosts, Pinger pinger) {
    return new PingBoard(hosts, pinger);
  }

  /** Begins to ping. */
  void start() {
    long pauseMicros = TimeUnit.MILLISECONDS.toMicros(ROUND_MILLIS) / lastAnswerNanos.length;
    schedule = thread.scheduleAtFixedRate(this::send, 0, pauseMicros, TimeUnit.MICROSECONDS);
  }

  private void send() {
    if (!sending) {
      return;
    }
    int pair = nextPair++;
    if (nextPair == lastAnswerNanos.length) {
      nextPair = 0;
      round++;
    }
    int from = pair / (hosts - 1);
    int to = pair % (hosts - 1) + (pair % (hosts - 1) < from ? 0 : 1);
    // The board warms up at full pace.
    if (phase != Phase.WARM_UP && isSlow(from, to) && round % SLOW_ROUNDS != slot(from, to)) {
      return;
    }
    Ping ping = new Ping(pair, isSlow(from, to), phase);
    inFlight.add(ping);
    try {
      pinger.ping(from, to, rtt -> thread.execute(() -> ended(ping, rtt)));
    } catch (RuntimeException e) {
      // Out of here it would silently end the schedule.
      if (!failed) {
        log.warn("a ping from host {} to host {} was not sent and counts as lost", from, to, e);
      }
      failed = true;
      ended(ping, -1);
    }
  }

  /** The same in both directions: answers use the flow entries of the other direction. */
  static boolean isSlow(int from, int to) {
    return (from + to) % 4 == 0;
  }

  /** In which round a slow pair has its turn: both directions in the same one. */
  private static int slot(int from, int to) {
    return (Math.min(from, to) * 3 + Math.max(from, to)) % SLOW_ROUNDS;
  }

  private void ended(Ping ping, long rttNanos) {
    inFlight.remove(ping);
    boolean lost = rttNanos < 0;
    counts.merge(
        ping.phase,
        new Counts(1, lost ? 1 : 0),
        (a, b) -> new Counts(a.sent + b.sent, a.lost + b.lost));
    if (lost) {
      answersInARow[ping.pair] = 0;
      return;
    }
    answersInARow[ping.pair]++;
    long now = System.nanoTime();
    if (ping.phase != Phase.WARM_UP && !ping.slow && lastAnswerNanos[ping.pair] != 0) {
      longestGapNanos = Math.max(longestGapNanos, now - lastAnswerNanos[ping.pair]);
    }
    lastAnswerNanos[ping.pair] = now;
  }

  /**
   * Begins a phase and waits until it has begun. Pings on their way when {@link Phase#DURING} or
   * {@link Phase#CHANGE} begins belong to it: what becomes of them is decided after the kill or the
   * change.
   */
  void enter(Phase next) {
    ask(
        () -> {
          phase = next;
          for (Ping ping : inFlight) {
            boolean disturbs = next == Phase.DURING || next == Phase.CHANGE;
            if (disturbs && ping.phase != Phase.WARM_UP) {
              ping.phase = next;
            }
          }
          return next;
        });
  }

  /** Stops sending; pings on their way still end. */
  void stopSending() {
    ask(() -> sending = false);
  }

  /** The counts so far. Pings on their way are in none of them. */
  Tally tally() {
    return ask(
        () -> {
          boolean all = true;
          for (int answers : answersInARow) {
            all &= answers >= 2;
          }
          return new Tally(
              new EnumMap<>(counts),
              inFlight.size(),
              TimeUnit.NANOSECONDS.toMillis(longestGapNanos),
              all);
        });
  }

  private <T> T ask(Callable<T> question) {
    try {
      return thread.submit(question).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the ping board failed", e);
    }
  }

  @Override
  public void close() {
    Future<?> running = schedule;
    if (running != null) {
      running.cancel(true);
    }
    thread.shutdownNow();
  }
}
