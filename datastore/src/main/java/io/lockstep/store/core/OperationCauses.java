package io.lockstep.store.core;

import io.lockstep.store.Command;
import io.lockstep.store.codec.Request;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what the ordered operations of this replica were for, since the process started and those
 * included that it replayed from its log: a sign of life, a feed, a session, a table, or a micro
 * component and what that says of its call. A request without operations is one sign of life. The
 * counts are no part of the state.
 *
 * <p>The replica's thread counts, any thread reads.
 */
final class OperationCauses {
  /** Causes at most, {@link CauseNames#OTHER} not counted. */
  static final int MOST = 256;

  private final CauseNames names;
  private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();
  private final AtomicLong other = new AtomicLong();

  OperationCauses(Components components) {
    this.names = new CauseNames(components::newest);
  }

  /** Counts the operations of a request, copies of earlier ones included. */
  void count(Request request) {
    List<Request.Operation> operations = request.operations();
    if (operations.isEmpty()) {
      increment(begin(CauseNames.LEASE));
    }
    for (int i = 0; i < operations.size(); i++) {
      add(operations.get(i).command());
    }
  }

  /** Counts a request that cannot be read. */
  void malformed() {
    increment(other);
  }

  /** The counts by cause. Any thread. */
  Map<String, Long> counts() {
    Map<String, Long> all = new TreeMap<>();
    counts.forEach((cause, count) -> all.put(cause, count.get()));
    all.merge(CauseNames.OTHER, other.get(), Long::sum);
    return all;
  }

  private void add(Command command) {
    String cause = names.unchecked(command);
    AtomicLong count = counts.get(cause);
    increment(count != null ? count : begin(names.checked(cause, command)));
  }

  /** Clients choose the names of tables, so there may be too many. */
  private AtomicLong begin(String cause) {
    AtomicLong count = counts.get(cause);
    if (count != null || cause.equals(CauseNames.OTHER) || counts.size() >= MOST) {
      return count != null ? count : other;
    }
    AtomicLong first = new AtomicLong();
    counts.put(cause, first);
    return first;
  }

  /** There is one writer, so no thread can come between. */
  private static void increment(AtomicLong count) {
    count.lazySet(count.get() + 1);
  }
}
