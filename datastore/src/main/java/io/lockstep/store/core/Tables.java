package io.lockstep.store.core;

import io.lockstep.store.TableSpec;
import io.lockstep.store.engine.OrderedReply;
import java.util.Collection;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All tables by name: the store's own, and those that were declared ({@link Catalogue}). */
final class Tables {
  private final HistoryBounds bounds;
  private final ChangeHistory.Total historyTotal = new ChangeHistory.Total();
  private final EntryRoom entryRoom = new EntryRoom();
  private final ReplyDependency dependency = new ReplyDependency();
  private final NameIndex<Table> byName = new NameIndex<>();

  /** The same, in the order in which they are written and trimmed. */
  private final TreeMap<String, Table> inOrder = new TreeMap<>();

  /** The bound on the histories of all tables together, in bytes. */
  private long historyBytes;

  private Set<String> followed = Set.of();

  Tables(HistoryBounds bounds) {
    this.bounds = bounds;
    this.historyBytes = bounds.bytesInAll();
  }

  /** Adopts other bounds; drops changes that the histories have beyond them. */
  void bounds(StateBounds inForce) {
    historyBytes = Math.min(bounds.bytesInAll(), inForce.changeBytes());
    entryRoom.bounds(inForce);
    trimHistories();
  }

  /** The room for the entries of all tables. */
  EntryRoom entryRoom() {
    return entryRoom;
  }

  /** The bytes of the histories of all tables. */
  long changeBytes() {
    return historyTotal.bytes();
  }

  Collection<Table> all() {
    return inOrder.values();
  }

  /** The operation that the reply to the present request depends on. */
  ReplyDependency dependency() {
    return dependency;
  }

  @Nullable Table find(String name) {
    Table table = byName.find(name);
    if (table != null) {
      dependency.on(table.declaredAt());
    }
    return table;
  }

  /** Follows these tables, now and when they are declared. */
  void follow(Set<String> names) {
    followed = Set.copyOf(names);
    for (Table table : inOrder.values()) {
      if (followed.contains(table.name())) {
        table.history().follow();
      } else {
        table.history().unfollow();
      }
    }
  }

  /** The index of the newest change of any of these tables, 0 if there was none. */
  long newestOf(Set<String> names) {
    long newest = 0;
    for (String name : names) {
      Table table = byName.find(name);
      if (table != null) {
        newest = Math.max(newest, table.history().newest());
      }
    }
    return newest;
  }

  /** The index of the newest change of a followed table; 0 if there was none. */
  long newestFollowed() {
    return historyTotal.newestFollowed();
  }

  /** One of the store's own tables, which are always there. */
  Table system(String name) {
    Table table = byName.find(name);
    if (table == null) {
      throw new IllegalStateException("the store has lost its table " + name);
    }
    return table;
  }

  /** Puts an empty table, whose history begins after {@code droppedUpTo}, and returns it. */
  Table restore(String name, TableSpec spec, long droppedUpTo) {
    Table table =
        new Table(
            name,
            spec,
            new ChangeHistory(bounds, historyTotal, droppedUpTo),
            dependency,
            entryRoom);
    byName.put(name, table);
    inOrder.put(name, table);
    if (followed.contains(name)) {
      table.history().follow();
    }
    return table;
  }

  /**
   * Keeps the histories within their common bound; called after every operation. Which changes it
   * drops depends on the histories only, so a replica that was restored from a snapshot drops the
   * same.
   */
  void trimHistories() {
    if (historyTotal.bytes() > historyBytes) {
      dropOldestChanges();
    }
  }

  private void dropOldestChanges() {
    PriorityQueue<Table> byOldest =
        new PriorityQueue<>(Comparator.comparingLong(Tables::oldest).thenComparing(Table::name));
    for (Table table : inOrder.values()) {
      if (table.history().size() > 0) {
        byOldest.add(table);
      }
    }
    long target = historyBytes / 8 * 7;
    while (historyTotal.bytes() > target) {
      Table table = byOldest.remove();
      table.history().dropOldest();
      if (table.history().size() > 0) {
        byOldest.add(table);
      }
    }
  }

  private static long oldest(Table table) {
    return table.history().get(0).index();
  }

  /**
   * The newest operation that the reply to the present request depends on: the last one that wrote
   * or removed an entry which the request has read. Tables record it with every read.
   *
   * <p>It is not part of the state: a replica that was restored from a snapshot may know of older
   * removals only, all of which are durable there.
   */
  static final class ReplyDependency {
    private long newest;

    /** A request begins. */
    void clear() {
      newest = 0;
    }

    /** The request has read something that the operation {@code index} wrote or removed. */
    void on(long index) {
      newest = Math.max(newest, index);
    }

    /** The request changed something, or its reply shows its own place in the order. */
    void onItsBatch() {
      newest = OrderedReply.ITS_BATCH;
    }

    /** The operation, see {@link OrderedReply#restsOn}. */
    long newest() {
      return newest;
    }
  }
}
