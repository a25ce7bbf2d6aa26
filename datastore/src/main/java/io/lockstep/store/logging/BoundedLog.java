package io.lockstep.store.logging;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The log of a class for lines that others than this process can cause: a peer, a switch, a host, a
 * client, or a store that refuses. In {@link LogLimit#PERIOD_SECONDS} it writes {@link
 * LogLimit#LINES} lines for one peer and cause, which is the format of the line, and {@link
 * LogLimit#MAX_LINES_OF_ALL} for the whole class. It reports how many it left out. Each class has
 * one, beside its logger, so the bound holds for the process. Thread-safe.
 *
 * <p>Arguments are as in slf4j: {@code {}} stands for the next one, and an exception behind the
 * last one is written with its stack trace.
 */
public final class BoundedLog {
  /** The period of {@link #seldom}. */
  public static final long SELDOM_SECONDS = 600;

  private final Logger log;
  private final LogLimit limit;

  /** A log that writes through another, as often as a limit admits. */
  BoundedLog(Logger log, LogLimit limit) {
    this.log = log;
    this.limit = limit;
  }

  /** The log of a class. */
  public static BoundedLog of(Class<?> owner) {
    return new BoundedLog(LoggerFactory.getLogger(owner), new LogLimit(System::nanoTime));
  }

  /**
   * The log of a class for what a peer repeats until a person changes something: one line in {@link
   * #SELDOM_SECONDS} for one cause and peer, which counts those left out before it.
   */
  public static BoundedLog seldom(Class<?> owner) {
    return new BoundedLog(
        LoggerFactory.getLogger(owner), new LogLimit(System::nanoTime, 1, SELDOM_SECONDS));
  }

  /**
   * Writes a line, if there were not too many.
   *
   * @param peer whom the line is about, without what changes from line to line
   */
  public void info(Object peer, String format, @Nullable Object... arguments) {
    write(Level.INFO, peer, format, arguments);
  }

  /** The same as a warning. */
  public void warn(Object peer, String format, @Nullable Object... arguments) {
    write(Level.WARN, peer, format, arguments);
  }

  /** The same as an error. */
  public void error(Object peer, String format, @Nullable Object... arguments) {
    write(Level.ERROR, peer, format, arguments);
  }

  private void write(Level level, Object peer, String format, @Nullable Object[] arguments) {
    if (!log.isEnabledForLevel(level)) {
      return;
    }
    String more = limit.admit(peer + " " + format);
    if (more == null) {
      return;
    }
    String line = format + more;
    switch (level) {
      case ERROR -> log.error(line, arguments);
      case WARN -> log.warn(line, arguments);
      default -> log.info(line, arguments);
    }
  }
}
