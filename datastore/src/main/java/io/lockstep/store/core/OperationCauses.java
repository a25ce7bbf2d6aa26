package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.MicroComponent;
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
  /** Signs of life of sessions. */
  static final String LEASE = "lease";

  /** Sessions that were opened or closed. */
  static final String SESSION = "session";

  /** Questions of feeds for changes. */
  static final String FEED = "feed";

  /** Batches of several commands. */
  static final String BATCH = "batch";

  /** What was no request, and causes for which there was no room. */
  static final String OTHER = "other";

  /** Causes at most, {@link #OTHER} not counted. */
  static final int MOST = 256;

  private final NameIndex<MicroComponent> components;
  private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();
  private final AtomicLong other = new AtomicLong();

  OperationCauses(NameIndex<MicroComponent> components) {
    this.components = components;
  }

  /** Counts the operations of a request, copies of earlier ones included. */
  void count(Request request) {
    List<Request.Operation> operations = request.operations();
    if (operations.isEmpty()) {
      add(LEASE, OTHER);
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
    all.merge(OTHER, other.get(), Long::sum);
    return all;
  }

  private void add(Command command) {
    if (command instanceof Command.Call call) {
      add(call.component(), call.argument());
    } else if (command instanceof Command.Query query) {
      add(query.component(), query.argument());
    } else {
      add(cause(command), OTHER);
    }
  }

  private static String cause(Command command) {
    if (command instanceof Command.ReadChanges) {
      return FEED;
    } else if (command instanceof Command.KeepAlive) {
      return LEASE;
    } else if (command instanceof Command.OpenSession || command instanceof Command.CloseSession) {
      return SESSION;
    }
    String table = command.table();
    return table == null ? BATCH : table;
  }

  private void add(String name, Bytes argument) {
    MicroComponent component = components.find(name);
    if (component == null) {
      increment(other);
      return;
    }
    String cause;
    try {
      cause = component.cause(argument);
    } catch (RuntimeException unreadable) {
      cause = component.name();
    }
    add(cause, component.name());
  }

  /**
   * @param otherwise counts in the place of a cause that is no name
   */
  private void add(String cause, String otherwise) {
    AtomicLong count = counts.get(cause);
    increment(count != null ? count : begin(Limits.isName(cause) ? cause : otherwise));
  }

  /** Clients choose the names of tables, so there may be too many. */
  private AtomicLong begin(String cause) {
    AtomicLong count = counts.get(cause);
    if (count != null || cause.equals(OTHER) || counts.size() >= MOST) {
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
