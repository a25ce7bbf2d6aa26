package io.lockstep.core.mastership;

import io.lockstep.store.logging.BoundedLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The log of what happens to domains. Its lines carry the fields {@code domain} and, where it is
 * known, {@code epoch}, so that a collector of logs can select by them. Thread-safe.
 */
final class DomainLog {
  private static final String DOMAIN = "domain";
  private static final String EPOCH = "epoch";

  private final BoundedLog log;

  private DomainLog(BoundedLog log) {
    this.log = log;
  }

  /** The log of a class. */
  static DomainLog of(Class<?> owner) {
    return new DomainLog(BoundedLog.of(owner));
  }

  /**
   * Writes a line, if there were not too many about the domain.
   *
   * @param epoch of the domain; 0 where it has none
   */
  void info(String domain, long epoch, String format, @Nullable Object... arguments) {
    begin(domain, epoch);
    try {
      log.info(domain, format, arguments);
    } finally {
      end();
    }
  }

  /** The same as a warning. */
  void warn(String domain, long epoch, String format, @Nullable Object... arguments) {
    begin(domain, epoch);
    try {
      log.warn(domain, format, arguments);
    } finally {
      end();
    }
  }

  private static void begin(String domain, long epoch) {
    MDC.put(DOMAIN, domain);
    if (epoch > 0) {
      MDC.put(EPOCH, Long.toString(epoch));
    }
  }

  private static void end() {
    MDC.remove(DOMAIN);
    MDC.remove(EPOCH);
  }
}
