package io.lockstep.dataplane.network;

import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.wire.NetworkClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Pings chosen pairs of hosts again and again, and counts per time window what was sent and lost
 * and how long a pair was without an answer at most. Thread-safe; runs on the hosts' loops.
 */
public final class ContinuousPing implements AutoCloseable {
  private final NetworkClock clock;
  private final List<Pair> pairs;
  private final Duration interval;
  private final Duration timeout;
  private volatile PingWindow window;
  private volatile boolean closed;

  private ContinuousPing(
      NetworkClock clock, List<Pair> pairs, Duration interval, Duration timeout) {
    this.clock = clock;
    this.pairs = List.copyOf(pairs);
    this.interval = interval;
    this.timeout = timeout;
    this.window = new PingWindow("start", this.pairs, clock);
  }

  /**
   * Starts to ping.
   *
   * @param interval between two requests of one pair; the pairs are spread over it
   * @param timeout after which a request counts as lost
   */
  static ContinuousPing start(
      NetworkClock clock, List<Pair> pairs, Duration interval, Duration timeout) {
    ContinuousPing ping = new ContinuousPing(clock, pairs, interval, timeout);
    for (int i = 0; i < ping.pairs.size(); i++) {
      Pair pair = ping.pairs.get(i);
      int index = i;
      long offsetNanos = interval.toNanos() * i / ping.pairs.size();
      clock.schedule(pair.from().loop(), offsetNanos, () -> ping.send(index, pair));
    }
    return ping;
  }

  private void send(int index, Pair pair) {
    if (closed) {
      return;
    }
    PingWindow sentIn = window;
    sentIn.sent();
    pair.from()
        .pingOnce(
            pair.to().address(),
            timeout,
            rttNanos -> {
              sentIn.decided(rttNanos >= 0);
              if (rttNanos >= 0) {
                window.answered(index);
              }
            });
    clock.schedule(pair.from().loop(), interval.toNanos(), () -> send(index, pair));
  }

  /** Ends the current window, which is returned, and begins one with this name. */
  public PingWindow next(String name) {
    PingWindow ended = window;
    window = new PingWindow(name, pairs, clock);
    ended.end();
    return ended;
  }

  /** The window in progress. */
  public PingWindow window() {
    return window;
  }

  /** Sends no more; requests under way are still decided. */
  @Override
  public void close() {
    closed = true;
    window.end();
  }

  /** All ordered pairs of different hosts. */
  public static List<Pair> everyPair(List<EmulatedHost> hosts) {
    List<Pair> pairs = new ArrayList<>();
    for (EmulatedHost from : hosts) {
      for (EmulatedHost to : hosts) {
        if (from != to) {
          pairs.add(new Pair(from, to));
        }
      }
    }
    return pairs;
  }

  /** Who pings whom. */
  public record Pair(EmulatedHost from, EmulatedHost to) {
    @Override
    public String toString() {
      return from.name() + " -> " + to.name();
    }
  }
}
