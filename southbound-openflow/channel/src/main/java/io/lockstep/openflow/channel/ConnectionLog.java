package io.lockstep.openflow.channel;

import io.lockstep.store.logging.LogLimit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Why connections ended, at most {@link LogLimit#LINES} lines of a severity in a minute for one
 * address: a peer that connects in a loop does not fill the disk. Thread-safe.
 */
final class ConnectionLog {
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

  private final Sink sink;
  private final LogLimit limit;

  ConnectionLog(Sink sink, LongSupplier nanoTime) {
    this.sink = sink;
    this.limit = new LogLimit(nanoTime);
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
  void report(Severity severity, String address, String text, @Nullable Throwable cause) {
    String more = limit.admit(severity + " " + address);
    if (more != null) {
      sink.line(severity, text + more, cause);
    }
  }
}
