package io.lockstep.core.packet;

import io.lockstep.core.state.ErrorLine;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How often each application or packet processor failed since the start of the node, and its last
 * error. An application that never failed has no entry. Beyond {@link #MAX_NAMES} names, further
 * ones share an entry. Thread-safe.
 */
public final class ApplicationFailures {
  /** The entry of all names beyond {@link #MAX_NAMES}. */
  public static final String OTHERS = "others";

  static final int MAX_NAMES = 256;

  private final LongSupplier wallMillis;

  /** Guarded by this. */
  private final Map<String, Failures> byName = new HashMap<>();

  /**
   * The failures of one application.
   *
   * @param application its name; of a packet processor the name of its class
   * @param lastError one printable line of at most 200 characters, and three dots where it was cut
   * @param lastMillis when the last failure was, in milliseconds since 1970
   */
  public record Failures(String application, long count, String lastError, long lastMillis) {}

  /**
   * No failures yet.
   *
   * @param wallMillis milliseconds since 1970; any thread
   */
  public ApplicationFailures(LongSupplier wallMillis) {
    this.wallMillis = wallMillis;
  }

  /**
   * Counts a failure. Any thread.
   *
   * @param what it did, for example "failed on a packet"
   * @param cause what it threw; null where it broke its contract without
   */
  public void count(String application, String what, @Nullable Throwable cause) {
    String error = ErrorLine.of(cause == null ? what : what + ": " + ErrorLine.text(cause));
    long now = wallMillis.getAsLong();
    synchronized (this) {
      String name =
          byName.containsKey(application) || byName.size() < MAX_NAMES ? application : OTHERS;
      Failures before = byName.get(name);
      byName.put(name, new Failures(name, before == null ? 1 : before.count() + 1, error, now));
    }
  }

  /** Those that failed, by name. */
  public synchronized List<Failures> all() {
    return byName.values().stream().sorted(Comparator.comparing(Failures::application)).toList();
  }
}
