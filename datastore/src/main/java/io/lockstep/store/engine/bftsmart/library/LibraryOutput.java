package io.lockstep.store.engine.bftsmart.library;

import io.lockstep.store.logging.LogLimit;
import java.io.EOFException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the library's prints. The library writes to standard output, standard error and
 * java.util.logging; its rewritten classes call this class instead. It logs at debug level under
 * the name {@code bftsmart}, and stack traces as warnings.
 */
public final class LibraryOutput {
  private static final Logger log = LoggerFactory.getLogger("bftsmart");
  private static final LogLimit LIMIT = new LogLimit(System::nanoTime);

  /** Read by the rewritten classes in place of {@code System.out} and {@code System.err}. */
  public static final PrintStream SINK = new Sink();

  /** Held because java.util.logging keeps its loggers only weakly. */
  private static final java.util.logging.Logger JUL =
      java.util.logging.Logger.getLogger("bftsmart");

  private LibraryOutput() {}

  /**
   * Called by the rewritten classes in place of {@link Throwable#printStackTrace()}. The library
   * truncates every STOP message without requests and then reports its end; that is no warning.
   */
  public static void stackTrace(Throwable thrown) {
    if (thrown instanceof EOFException) {
      log.debug("the ordering library reports {}", thrown.toString());
      return;
    }
    String more = LIMIT.admit(thrown.getClass().getName());
    if (more != null) {
      log.warn("the ordering library reports {}{}", thrown, more, thrown);
    }
  }

  static void captureJavaUtilLogging() {
    JUL.setUseParentHandlers(false);
    for (Handler handler : JUL.getHandlers()) {
      JUL.removeHandler(handler);
    }
    JUL.addHandler(new Forwarder());
  }

  private static final class Sink extends PrintStream {
    Sink() {
      super(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    }

    @Override
    public void println(String line) {
      log.debug(line);
    }

    @Override
    public void println(Object object) {
      log.debug(String.valueOf(object));
    }

    @Override
    public void print(String text) {
      log.debug(text);
    }
  }

  private static final class Forwarder extends Handler {
    @Override
    public void publish(LogRecord event) {
      boolean expected = event.getThrown() instanceof EOFException;
      if (event.getLevel().intValue() >= Level.WARNING.intValue() && !expected) {
        String more = LIMIT.admit(event.getLoggerName());
        if (more != null) {
          log.warn("{}: {}{}", event.getLoggerName(), event.getMessage(), more, event.getThrown());
        }
      } else {
        log.debug("{}: {}", event.getLoggerName(), event.getMessage());
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
