package io.lockstep.core.host;

import io.lockstep.core.link.SwitchPort;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ports for which the store had no room for a host or an address: it is not asked again for {@link
 * #PAUSE_MILLIS}, so a flood at a full port costs one operation in that time. Any thread. Bounded:
 * {@link #MAX_PORTS}.
 */
final class FullPorts {
  /** After a refusal until the next attempt. */
  static final long PAUSE_MILLIS = 1_000;

  /** Ports that are remembered at most; others are asked for again at once. */
  static final int MAX_PORTS = 4_096;

  private final HostWarnings warnings;
  private final LongSupplier nanoTime;
  private final Map<SwitchPort, Long> sinceNanos = new ConcurrentHashMap<>();

  FullPorts(HostWarnings warnings, LongSupplier nanoTime) {
    this.warnings = warnings;
    this.nanoTime = nanoTime;
  }

  /** Whether the store had no room for the port a moment ago. Counts what is left out for that. */
  boolean isFull(SwitchPort port) {
    Long since = sinceNanos.get(port);
    if (since == null) {
      return false;
    }
    if (nanoTime.getAsLong() - since >= TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS)) {
      sinceNanos.remove(port, since);
      return false;
    }
    warnings.noRoom(port);
    return true;
  }

  /** A change for a port was answered; null where that failed. */
  void answered(SwitchPort port, @Nullable HostOutcome outcome) {
    if (outcome == HostOutcome.FULL) {
      warnings.noRoom(port);
      if (sinceNanos.size() < MAX_PORTS) {
        sinceNanos.put(port, nanoTime.getAsLong());
      }
    }
  }
}
