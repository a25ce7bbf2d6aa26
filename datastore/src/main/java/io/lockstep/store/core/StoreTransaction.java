package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.TableSpec;
import io.lockstep.store.Transaction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One call of a micro component: writes go to the tables at once, and what was there before is
 * kept, so that the call can be undone. Several writes to one key become one change.
 */
final class StoreTransaction implements Transaction {
  private final StoreState state;
  private final long index;
  private final long callerSession;

  /** What was there before the first write to each key, in the order of these first writes. */
  private final Map<TableKey, Before> before = new LinkedHashMap<>();

  private boolean over;

  StoreTransaction(StoreState state, long index, long callerSession) {
    this.state = state;
    this.index = index;
    this.callerSession = callerSession;
  }

  @Override
  public long index() {
    return index;
  }

  @Override
  public long timeMillis() {
    return state.clock().nowMillis();
  }

  @Override
  public long callerSession() {
    return callerSession;
  }

  @Override
  public boolean sessionAlive(long sessionId) {
    return state.sessions().findOpen(sessionId) != null;
  }

  @Override
  public @Nullable Entry get(String table, Bytes key) {
    check(Limits.read(table, key));
    return find(table).entry(key);
  }

  @Override
  public void put(String table, Bytes key, Bytes value) {
    check(Limits.write(table, key, value));
    Table target = find(table);
    check(KindRules.violation(target, value));
    keep(target, key);
    target.store(new Entry(key, value, index));
  }

  @Override
  public boolean remove(String table, Bytes key) {
    check(Limits.write(table, key, Bytes.empty()));
    Table target = find(table);
    if (target.entry(key) == null) {
      return false;
    }
    keep(target, key);
    target.erase(key);
    return true;
  }

  @Override
  public long increment(String table, Bytes key, long delta) {
    check(Limits.write(table, key, Bytes.empty()));
    Table target = find(table);
    if (target.spec().kind() != TableSpec.Kind.VALUES) {
      throw new OutOfBoundsException(Refusals.wrongKindText("increment", target));
    }
    Entry entry = target.entry(key);
    if (!Counters.isCounter(entry)) {
      throw new OutOfBoundsException("not a counter: the value is not 8 bytes long");
    }
    long sum = Counters.valueOf(entry) + delta;
    keep(target, key);
    target.store(new Entry(key, Counters.bytesOf(sum), index));
    return sum;
  }

  @Override
  public List<Entry> scan(String table, Bytes from, @Nullable Bytes to, int limit) {
    check(Limits.scan(table, from, to, limit));
    List<Entry> entries = new ArrayList<>();
    for (Entry entry : find(table).range(from, to)) {
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

  private void keep(Table table, Bytes key) {
    TableKey place = new TableKey(table.name(), key);
    if (before.containsKey(place)) {
      return;
    }
    if (before.size() == Limits.CALL_WRITES) {
      throw new OutOfBoundsException("a call writes at most " + Limits.CALL_WRITES + " keys");
    }
    before.put(place, new Before(table, table.entry(key)));
  }

  /** Makes the call's changes known; the transaction is over. */
  void commit() {
    over = true;
    before.forEach(
        (place, was) -> {
          Entry now = was.table().entry(place.key());
          if (now != null || was.entry() != null) {
            was.table().record(index, place.key(), now == null ? null : now.value());
          }
        });
  }

  /** Puts everything back as it was; the transaction is over. */
  void undo() {
    over = true;
    before.forEach(
        (place, was) -> {
          Entry entry = was.entry();
          if (entry == null) {
            was.table().erase(place.key());
          } else {
            was.table().store(entry);
          }
        });
  }

  private record TableKey(String table, Bytes key) {}

  private record Before(Table table, @Nullable Entry entry) {}

  /** A bound was crossed; unlike other exceptions' messages, this one's is the same everywhere. */
  static final class OutOfBoundsException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    OutOfBoundsException(String message) {
      super(message);
    }
  }
}
