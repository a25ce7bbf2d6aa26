package io.lockstep.openflow.channel;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Why connections ended, at most {@link #LINES} lines in {@link #WINDOW_NANOS} for one address: a
 * peer that connects in a loop does not fill the disk. What was left out is counted in the next
 * line of that address. Thread-safe.
 */
final class ConnectionLog {
  static final int LINES = 10;
  static final long WINDOW_NANOS = 10_000_000_000L;
  private static final int MAX_ADDRESSES = 1024;
  private static final Logger LOG = LoggerFactory.getLogger(OpenFlowServer.class);

  /** Where lines go. */
  @FunctionalInterface
  interface Sink {
    void line(Severity severity, String text, @Nullable Throwable cause);
  }

  /** How bad it is. */
  enum Severity {
    /** Part of normal life. */
    INFO,
    /** The peer did what it must not do. */
    WARN
  }

  private static final class Window {
    private long startNanos;
    private int lines;
    private long leftOut;
  }

  private final Sink sink;
  private final Map<String, Window> windows =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Window> eldest) {
          return size() > MAX_ADDRESSES;
        }
      };

  ConnectionLog(Sink sink) {
    this.sink = sink;
  }

  /** To the program's log. */
  static void toLogger(Severity severity, String text, @Nullable Throwable cause) {
    if (severity == Severity.WARN) {
      LOG.warn(text, cause);
    } else {
      LOG.info(text, cause);
    }
  }

  /**
   * Writes a line unless the address had its share.
   *
   * @param address without the port
   * @param cause for its stack trace, where the fault is this program's
   */
  void report(
      Severity severity, String address, String text, @Nullable Throwable cause, long nowNanos) {
    String line = text;
    synchronized (windows) {
      Window window = windows.computeIfAbsent(address, key -> new Window());
      if (window.lines == 0 || nowNanos - window.startNanos >= WINDOW_NANOS) {
        window.startNanos = nowNanos;
        window.lines = 0;
      }
      if (window.lines == LINES) {
        window.leftOut++;
        return;
      }
      window.lines++;
      if (window.leftOut > 0) {
        line += " (" + window.leftOut + " lines about " + address + " left out before)";
        window.leftOut = 0;
      }
    }
    sink.line(severity, line, cause);
  }
}
