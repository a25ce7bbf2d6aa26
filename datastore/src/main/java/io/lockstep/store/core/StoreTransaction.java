package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.Row;
import io.lockstep.store.TableSpec;
import io.lockstep.store.Transaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One call of a micro component, or one batch. Writes go to the tables at once, and the transaction
 * keeps the entries that they replace, so that it can undo all of them. Several writes to one key
 * become one change.
 */
final class StoreTransaction implements Transaction {
  private final StoreState state;
  private final long index;
  private final long callerSession;
  private final boolean onlyReads;

  /** Up to so many written keys are compared one by one; of more, a map finds one. */
  private static final int FEW = 8;

  /** The first written key; null before that. Usually it is the only one, so no list is needed. */
  private @Nullable WrittenEntry first;

  /** All keys written, in the order of their first writes; null before the second. */
  private @Nullable List<WrittenEntry> written;

  /** The same, to find one; null while there are {@link #FEW} at most. */
  private @Nullable Map<TableKey, WrittenEntry> byKey;

  private final EntryRoom.UsedBytes usedBefore;
  private long writtenBytes;
  private boolean over;

  private StoreTransaction(StoreState state, long index, long callerSession, boolean onlyReads) {
    this.state = state;
    this.index = index;
    this.callerSession = callerSession;
    this.onlyReads = onlyReads;
    this.usedBefore = state.tables().entryRoom().used();
  }

  /** A transaction that may write. */
  static StoreTransaction writing(StoreState state, long index, long callerSession) {
    return new StoreTransaction(state, index, callerSession, false);
  }

  /** A transaction that refuses to write. */
  static StoreTransaction reading(StoreState state, long index, long callerSession) {
    return new StoreTransaction(state, index, callerSession, true);
  }

  @Override
  public long index() {
    state.tables().dependency().onItsBatch();
    return index;
  }

  @Override
  public long timeMillis() {
    state.tables().dependency().onItsBatch();
    return state.clock().nowMillis();
  }

  @Override
  public long callerSession() {
    return callerSession;
  }

  @Override
  public boolean sessionAlive(long sessionId) {
    state.tables().dependency().onItsBatch();
    return state.sessions().findOpen(sessionId) != null;
  }

  @Override
  public @Nullable Entry get(String table, Bytes key) {
    Table found = state.tables().find(table);
    // The name of an existing table is valid.
    check(found == null ? CommandBounds.read(table, key) : CommandBounds.key(key));
    return (found == null ? find(table) : found).entry(key);
  }

  @Override
  public void put(String table, Bytes key, Bytes value) {
    Table found = state.tables().find(table);
    check(
        found == null || found.isSystem()
            ? CommandBounds.write(table, key, value)
            : CommandBounds.write(key, value));
    accept(open(found, table).put(key, value, index));
  }

  @Override
  public boolean remove(String table, Bytes key) {
    check(CommandBounds.write(table, key));
    return open(table).remove(key, index) instanceof Reply.Applied;
  }

  @Override
  public long increment(String table, Bytes key, long delta) {
    check(CommandBounds.write(table, key));
    return ((Reply.Counter) accept(open(table).increment(key, delta, index))).value();
  }

  @Override
  public @Nullable Row getColumns(String table, Bytes key, List<String> columns) {
    check(CommandBounds.read(table, key, columns));
    return accept(find(table).getColumns(key, columns)) instanceof Reply.Columns found
        ? found.columns()
        : null;
  }

  @Override
  public void putColumns(String table, Bytes key, Row columns) {
    check(CommandBounds.write(table, key, columns));
    accept(open(table).putColumns(key, columns, index));
  }

  @Override
  public boolean removeColumns(String table, Bytes key, List<String> columns) {
    check(CommandBounds.remove(table, key, columns));
    return accept(open(table).removeColumns(key, columns, index)) instanceof Reply.Applied;
  }

  @Override
  public List<Entry> getThrough(String table, Bytes key, List<String> columns) {
    check(CommandBounds.read(table, key, columns));
    Command.GetThrough command = new Command.GetThrough(table, key, columns);
    return accept(ReferenceReader.read(state.tables(), command)) instanceof Reply.Resolved found
        ? found.entries()
        : List.of();
  }

  @Override
  public List<Entry> scan(String table, Bytes from, @Nullable Bytes to, int limit) {
    check(CommandBounds.scan(table, from, to, limit));
    List<Entry> entries = new ArrayList<>();
    Table scanned = find(table);
    for (Entry entry : scanned.range(from, to)) {
      scanned.seen(entry);
      if (entries.size() == limit) {
        break;
      }
      entries.add(entry);
    }
    return entries;
  }

  private void check(@Nullable String violation) {
    if (over) {
      throw new IllegalStateException("the call is over");
    }
    if (violation != null) {
      throw new OutOfBoundsException(violation);
    }
  }

  private Table find(String name) {
    Table table = state.tables().find(name);
    if (table == null) {
      throw new OutOfBoundsException(Refusals.unknownTableText(name));
    }
    return table;
  }

  private TableOperations open(String name) {
    return open(state.tables().find(name), name);
  }

  private TableOperations open(@Nullable Table found, String name) {
    if (onlyReads) {
      throw new OutOfBoundsException("a query writes nothing: call it, to write");
    }
    return staged(found == null ? find(name) : found);
  }

  private static Reply accept(Reply reply) {
    if (reply instanceof Reply.Rejected rejected) {
      throw new OutOfBoundsException(rejected.message());
    }
    return reply;
  }

  /** The operations on {@code table}, as part of this transaction. */
  TableOperations staged(Table table) {
    return new StagedTable(table);
  }

  /** Checks the bounds of a key that is about to be written. */
  private WrittenEntry writing(Table table, Bytes key) {
    WrittenEntry only = first;
    if (only == null) {
      WrittenEntry fresh = new WrittenEntry(table, key);
      first = fresh;
      return fresh;
    }
    WrittenEntry known = written(table, key);
    if (known != null) {
      return known;
    }
    List<WrittenEntry> all = written;
    if (all == null) {
      all = new ArrayList<>(FEW);
      all.add(only);
      written = all;
    }
    if (all.size() == Limits.CALL_WRITES) {
      throw new OutOfBoundsException("a call writes at most " + Limits.CALL_WRITES + " keys");
    }
    WrittenEntry fresh = new WrittenEntry(table, key);
    all.add(fresh);
    if (byKey != null) {
      byKey.put(fresh.place(), fresh);
    } else if (all.size() > FEW) {
      byKey = new HashMap<>();
      for (WrittenEntry one : all) {
        byKey.put(one.place(), one);
      }
    }
    return fresh;
  }

  /** What was written to a key so far; null for nothing. */
  private @Nullable WrittenEntry written(Table table, Bytes key) {
    if (byKey != null) {
      return byKey.get(new TableKey(table.name(), key));
    }
    for (WrittenEntry one : all()) {
      if (one.table == table && one.key.equals(key)) {
        return one;
      }
    }
    return null;
  }

  private List<WrittenEntry> all() {
    if (written != null) {
      return written;
    }
    return first == null ? List.of() : List.of(first);
  }

  /**
   * Adds the changes to the histories and returns {@code reply}; or undoes them and returns a
   * refusal, if the state has no room for them or the reply is too long. The transaction has ended
   * on return.
   */
  Reply end(Reply reply, ReplyRoom room) {
    EntryRoom entries = state.tables().entryRoom();
    if (!entries.admitsSince(usedBefore, added())) {
      Reply refusal = entries.refusal();
      undo();
      return refusal;
    } else if (!room.admits(reply)) {
      undo();
      return room.refusal();
    }
    commit();
    return reply;
  }

  /** Whether the transaction added entries to tables other than the cluster's own. */
  private boolean added() {
    if (written == null) {
      return first != null && first.isAdded();
    }
    for (WrittenEntry one : written) {
      if (one.isAdded()) {
        return true;
      }
    }
    return false;
  }

  private void commit() {
    over = true;
    if (written != null) {
      for (WrittenEntry one : written) {
        one.record(index);
      }
    } else if (first != null) {
      first.record(index);
    }
  }

  /** Undoes all writes. The transaction has ended on return. */
  void undo() {
    over = true;
    for (WrittenEntry one : all()) {
      Entry before = one.before;
      if (before == null) {
        one.table.erase(one.key);
      } else {
        one.table.store(before);
      }
    }
  }

  /** Writes to the table at once, and keeps the entry that was there. */
  private final class StagedTable extends TableOperations {
    private final Table table;

    StagedTable(Table table) {
      this.table = table;
    }

    @Override
    String name() {
      return table.name();
    }

    @Override
    TableSpec spec() {
      return table.spec();
    }

    @Override
    @Nullable Entry entry(Bytes key) {
      return table.entry(key);
    }

    /** The room is checked at the end: one command may need the room that another frees. */
    @Override
    @Nullable Reply noRoom(Bytes key, Bytes value) {
      return null;
    }

    @Override
    void write(Bytes key, Bytes value, long at) {
      writtenBytes += EntryRoom.bytesOf(key, value);
      if (writtenBytes > Limits.TRANSACTION_BYTES && state.rules().number() > 1) {
        throw new OutOfBoundsException(
            "keys and values that are written at once are at most "
                + Limits.TRANSACTION_BYTES
                + " bytes");
      }
      Entry entry = new Entry(key, value, at);
      writing(table, key).is(entry, table.store(entry));
    }

    @Override
    void erase(Bytes key, long at) {
      writing(table, key).is(null, table.erase(key));
    }

    @Override
    Reply scan(Bytes from, @Nullable Bytes to, int limit) {
      return table.scan(from, to, limit);
    }
  }

  private record TableKey(String table, Bytes key) {}

  /** A written key, with its entry before the transaction and its entry now. */
  private static final class WrittenEntry {
    final Table table;
    final Bytes key;
    @Nullable Entry before;
    @Nullable Entry now;
    private boolean known;

    WrittenEntry(Table table, Bytes key) {
      this.table = table;
      this.key = key;
    }

    void is(@Nullable Entry after, @Nullable Entry replaced) {
      before = known ? before : replaced;
      known = true;
      now = after;
    }

    TableKey place() {
      return new TableKey(table.name(), key);
    }

    boolean isAdded() {
      return before == null && now != null && !table.isOfCluster();
    }

    void record(long index) {
      if (now != null || before != null) {
        table.record(index, key, now == null ? null : now.value());
      }
    }
  }

  /**
   * A bound was exceeded. Unlike the messages of other exceptions, this one is the same on every
   * replica.
   */
  static final class OutOfBoundsException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    OutOfBoundsException(String message) {
      super(message);
    }
  }
}
