package io.lockstep.dataplane.flowtable;

import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Entries with a time-out, ordered by when to look at them next. A packet that matches an entry
 * does not touch this order: an entry looked at too early is filed again under its new time. At
 * most one place per live entry.
 */
final class Deadlines {
  /** No entry has a time-out. */
  static final long NEVER = Long.MAX_VALUE;

  private final TreeSet<FlowEntry> byDue =
      new TreeSet<>(
          Comparator.<FlowEntry>comparingLong(entry -> entry.dueNanos)
              .thenComparingLong(FlowEntry::serial));

  void add(FlowEntry entry) {
    if (entry.hasTimeout()) {
      entry.dueNanos = entry.expiryNanos();
      byDue.add(entry);
    }
  }

  void remove(FlowEntry entry) {
    if (entry.hasTimeout()) {
      byDue.remove(entry);
    }
  }

  /** Never later than the next expiry; {@link #NEVER} when nothing can expire. */
  long nextNanos() {
    return byDue.isEmpty() ? NEVER : byDue.first().dueNanos;
  }

  /** Takes out one entry whose time-out has passed; null when there is none. */
  @Nullable FlowEntry pollExpired(long nowNanos) {
    while (!byDue.isEmpty() && byDue.first().dueNanos <= nowNanos) {
      FlowEntry entry = byDue.pollFirst();
      if (entry.hardExpired(nowNanos) || entry.idleExpired(nowNanos)) {
        return entry;
      }
      add(entry);
    }
    return null;
  }
}
