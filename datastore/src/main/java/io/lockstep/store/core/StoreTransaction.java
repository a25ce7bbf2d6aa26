package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.Row;
import io.lockstep.store.TableSpec;
import io.lockstep.store.Transaction;
import java.util.ArrayList;
import java.util.List;
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

  private final WrittenEntries written = new WrittenEntries();
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
    return accept(open(table).remove(key, index)) instanceof Reply.Applied;
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

  /**
   * Adds the changes to the histories and returns {@code reply}; or undoes them and returns a
   * refusal, if the state has no room for them or the reply is too long. The transaction has ended
   * on return.
   */
  Reply end(Reply reply, ReplyRoom room) {
    EntryRoom entries = state.tables().entryRoom();
    if (!entries.admitsSince(usedBefore, written.added())) {
      Reply refusal = entries.refusal();
      undo();
      return refusal;
    } else if (!room.admits(reply)) {
      undo();
      return room.refusal();
    }
    over = true;
    written.record(index);
    return reply;
  }

  /** Undoes all writes. The transaction has ended on return. */
  void undo() {
    over = true;
    written.undo();
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
      written.of(table, key).is(entry, table.store(entry));
    }

    @Override
    void erase(Bytes key, long at) {
      written.of(table, key).is(null, table.erase(key));
    }

    @Override
    Reply scan(Bytes from, @Nullable Bytes to, int limit) {
      return table.scan(from, to, limit);
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
