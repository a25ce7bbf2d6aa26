package io.lockstep.deploy.admin;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.jspecify.annotations.Nullable;

/**
 * Keeps slow clients from silencing the admin HTTP. A connection has a deadline for each request's
 * header, from when it was opened or its last answer was complete, and one for the exchange that
 * follows: the request's body and the answer. Where there are more connections than allowed, the
 * one that has waited longest without an exchange is closed for the newest. Where there are more
 * exchanges, each of which may hold a whole answer in memory, the oldest is closed for the newest.
 * No thread waits for a slow client, since Jetty calls the handler when the header is complete and
 * writes the answer when there is room.
 *
 * <p>Thread-safe.
 */
final class AdminConnections implements Connection.Listener {

  /** How often {@link #closeLate} is to be called. */
  static final long TICK_MILLIS = 500;

  /**
   * What connections may take.
   *
   * @param connections open at a time, more than exchanges
   * @param exchanges at a time, at least 1
   * @param headerMillis from the opening, or the last answer's end, to the end of a header
   * @param exchangeMillis from there to the end of the answer
   */
  record Limits(int connections, int exchanges, long headerMillis, long exchangeMillis) {
    /** 64 connections and 16 exchanges, 10 s for a header, 30 s for an exchange. */
    static final Limits STANDARD = new Limits(64, 16, 10_000, 30_000);

    Limits {
      if (exchanges < 1 || connections <= exchanges) {
        throw new IllegalArgumentException(connections + " connections, " + exchanges);
      }
    }
  }

  private static final class State {
    private final Connection connection;
    private final String machine;
    private long sinceNanos;
    private boolean exchanges;

    /** Events are followed here: without a deadline, and not to make room for others. */
    private boolean streams;

    State(Connection connection, long nowNanos) {
      this.connection = connection;
      this.machine = machine(connection.getEndPoint());
      this.sinceNanos = nowNanos;
    }
  }

  private final Limits limits;
  private final LongSupplier nanoTime;

  /** Guarded by itself; at most one more than {@link Limits#connections}. */
  private final Map<Connection, State> open = new HashMap<>();

  /**
   * No connections yet.
   *
   * @param nanoTime a monotone clock; any thread
   */
  AdminConnections(Limits limits, LongSupplier nanoTime) {
    this.limits = limits;
    this.nanoTime = nanoTime;
  }

  /** The address of the machine at the other end. */
  static String machine(EndPoint end) {
    return end.getRemoteSocketAddress() instanceof InetSocketAddress address
            && address.getAddress() != null
        ? address.getAddress().getHostAddress()
        : "unknown";
  }

  @Override
  public void onOpened(Connection connection) {
    State victim = null;
    synchronized (open) {
      if (open.size() >= limits.connections()) {
        victim = takeOldest(false);
      }
      open.put(connection, new State(connection, nanoTime.getAsLong()));
    }
    close(victim, "made room for a newer connection");
  }

  @Override
  public void onClosed(Connection connection) {
    synchronized (open) {
      open.remove(connection);
    }
  }

  /** A header is complete. */
  void exchangeBegins(Connection connection) {
    State victim = null;
    synchronized (open) {
      if (exchanges() >= limits.exchanges()) {
        victim = takeOldest(true);
      }
      become(connection, true);
    }
    close(victim, "made room for a newer request");
  }

  /** Guarded by {@link #open}. */
  private int exchanges() {
    int count = 0;
    for (State state : open.values()) {
      if (state.exchanges) {
        count++;
      }
    }
    return count;
  }

  /** An answer is complete, or failed. */
  void exchangeEnds(Connection connection) {
    synchronized (open) {
      become(connection, false);
    }
  }

  /** The answer of this exchange goes on as long as the client takes it. */
  void streamBegins(Connection connection) {
    synchronized (open) {
      become(connection, false);
      State state = open.get(connection);
      if (state != null) {
        state.streams = true;
      }
    }
  }

  /** Guarded by {@link #open}. */
  private void become(Connection connection, boolean exchanges) {
    State state = open.get(connection);
    if (state != null) {
      state.exchanges = exchanges;
      state.streams = false;
      state.sinceNanos = nanoTime.getAsLong();
    }
  }

  /**
   * The oldest in an exchange or without one, of the machine that has the most of them: one machine
   * takes places from itself first. Guarded by {@link #open}.
   */
  private @Nullable State takeOldest(boolean exchanges) {
    List<State> places =
        open.values().stream()
            .filter(state -> state.exchanges == exchanges && !state.streams)
            .toList();
    Map<String, Integer> crowds = new HashMap<>();
    places.forEach(state -> crowds.merge(state.machine, 1, Integer::sum));
    int largest = crowds.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    State oldest = null;
    for (State state : places) {
      if (crowds.getOrDefault(state.machine, 0) == largest
          && (oldest == null || state.sinceNanos - oldest.sinceNanos < 0)) {
        oldest = state;
      }
    }
    if (oldest != null) {
      open.remove(oldest.connection);
    }
    return oldest;
  }

  /** Closes the connections that took longer than they may. */
  void closeLate() {
    List<State> late = new ArrayList<>();
    synchronized (open) {
      long now = nanoTime.getAsLong();
      for (State state : open.values()) {
        long millis = state.exchanges ? limits.exchangeMillis() : limits.headerMillis();
        if (!state.streams && now - state.sinceNanos >= TimeUnit.MILLISECONDS.toNanos(millis)) {
          late.add(state);
        }
      }
      late.forEach(state -> open.remove(state.connection));
    }
    for (State state : late) {
      close(state, state.exchanges ? "the exchange took too long" : "no header in time");
    }
  }

  private static void close(@Nullable State state, String why) {
    if (state == null) {
      return;
    }
    state.connection.getEndPoint().close(new TimeoutException(why));
  }
}
