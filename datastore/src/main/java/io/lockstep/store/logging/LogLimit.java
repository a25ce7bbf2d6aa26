package io.lockstep.store.logging;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the log lines that input from outside can cause: in any period a few for one cause and
 * peer, and {@link #MAX_LINES_OF_ALL} for all of them together, since a peer may invent addresses
 * and names. The lines report how many were left out. Use it if a peer, switch, host or client
 * decides how often a line is written:
 *
 * <pre>{@code
 * String more = limit.admit(peer + " " + cause);
 * if (more != null) {
 *   log.warn("{} refused: {}{}", peer, cause, more);
 * }
 * }</pre>
 *
 * <p>Holds {@link #MAX_KEYS} causes; beyond that it forgets the one that came least recently.
 * Thread-safe.
 */
public final class LogLimit {

  /** Lines for one cause and peer in {@link #PERIOD_SECONDS}, where nothing else is said. */
  public static final int LINES = 10;

  /** The period where nothing else is said. */
  public static final long PERIOD_SECONDS = 60;

  /** Lines of one limit in its period, about all subjects together. */
  public static final int MAX_LINES_OF_ALL = 100;

  static final int MAX_KEYS = 1024;

  private final LongSupplier nanoTime;
  private final int lines;
  private final long periodSeconds;
  private final long periodNanos;

  // All guarded by this.
  private final Window all = new Window(MAX_LINES_OF_ALL);
  private final Map<String, Window> windows =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Window> eldest) {
          if (size() <= MAX_KEYS) {
            return false;
          }
          all.leftOut += eldest.getValue().leftOut;
          return true;
        }
      };
  private long leftOut;

  /** The times of the last lines about one cause and peer, or about all. */
  private static final class Window {
    private final long[] writtenNanos;
    private int written;

    /** Lines left out since the last one, of causes that are forgotten where this is for all. */
    private long leftOut;

    Window(int lines) {
      writtenNanos = new long[lines];
    }

    boolean isFull(long nowNanos, long periodNanos) {
      return written >= writtenNanos.length
          && nowNanos - writtenNanos[written % writtenNanos.length] < periodNanos;
    }

    void write(long nowNanos) {
      int at = written % writtenNanos.length;
      writtenNanos[at] = nowNanos;
      written = written + 1 == 2 * writtenNanos.length ? writtenNanos.length : written + 1;
    }
  }

  /**
   * {@link #LINES} lines in {@link #PERIOD_SECONDS}.
   *
   * @param nanoTime a monotone clock; any thread
   */
  public LogLimit(LongSupplier nanoTime) {
    this(nanoTime, LINES, PERIOD_SECONDS);
  }

  /**
   * A limit of its own.
   *
   * @param nanoTime a monotone clock; any thread
   * @param lines for one cause and peer in a period, 1 to {@link #MAX_LINES_OF_ALL}
   * @param periodSeconds at least 1
   */
  public LogLimit(LongSupplier nanoTime, int lines, long periodSeconds) {
    if (lines < 1 || lines > MAX_LINES_OF_ALL || periodSeconds < 1) {
      throw new IllegalArgumentException(lines + " lines in " + periodSeconds + " s");
    }
    this.nanoTime = nanoTime;
    this.lines = lines;
    this.periodSeconds = periodSeconds;
    this.periodNanos = TimeUnit.SECONDS.toNanos(periodSeconds);
  }

  /**
   * Asks for a line.
   *
   * @param causeAndPeer what the line is about, without what changes from line to line, such as the
   *     peer's port
   * @return null where the line must not be written; else what to write behind it, often nothing
   */
  public @Nullable String admit(String causeAndPeer) {
    return admit(causeAndPeer, nanoTime.getAsLong());
  }

  private synchronized @Nullable String admit(String causeAndPeer, long now) {
    Window window = windows.computeIfAbsent(causeAndPeer, key -> new Window(lines));
    if (window.isFull(now, periodNanos) || all.isFull(now, periodNanos)) {
      window.leftOut++;
      leftOut++;
      return null;
    }
    window.write(now);
    all.write(now);
    StringBuilder more = new StringBuilder();
    if (window.leftOut > 0) {
      more.append(" (").append(window.leftOut).append(" lines like this were left out)");
      window.leftOut = 0;
    }
    if (all.leftOut > 0) {
      more.append(" (").append(all.leftOut).append(" lines about others were left out)");
      all.leftOut = 0;
    }
    if (lines > 1 && window.isFull(now, periodNanos)) {
      more.append(" (further lines like this are left out, ")
          .append(lines)
          .append(" are written in ")
          .append(periodSeconds)
          .append(" s)");
    }
    return more.toString();
  }

  /** Lines left out so far. */
  public synchronized long leftOut() {
    return leftOut;
  }
}
