package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.Row;
import io.lockstep.store.TableSpec;
import io.lockstep.store.TableSpec.Kind;
import io.lockstep.store.codec.References;
import io.lockstep.store.codec.RowCodec;
import io.lockstep.store.machine.ReplacedMachines;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the entries of one table: the operations of the paper's key-value table (section
 * IV), with compare-and-set by version in place of by value, and what the kind of the table
 * requires of a value. Each change takes the index of the operation that makes it, which becomes
 * the entry's version.
 *
 * <p>A {@link Table} applies changes at once; a {@link StoreTransaction} can undo them.
 */
abstract class TableOperations {
  private static final Reply ABSENT = new Reply.Absent();

  /**
   * Carries out {@code command}, which is within {@link Limits}.
   *
   * @param batch the transaction that can undo it; null where it takes effect at once
   */
  static Reply apply(Tables tables, @Nullable StoreTransaction batch, Command command, long index) {
    if (command instanceof Command.Get c) {
      return on(tables, batch, c.table(), table -> table.get(c.key()));
    } else if (command instanceof Command.Put c) {
      return on(tables, batch, c.table(), table -> table.put(c.key(), c.value(), index));
    } else if (command instanceof Command.PutIfAbsent c) {
      return on(tables, batch, c.table(), table -> table.putIfAbsent(c.key(), c.value(), index));
    } else if (command instanceof Command.Increment c) {
      return on(tables, batch, c.table(), table -> table.increment(c.key(), c.delta(), index));
    } else if (command instanceof Command.Replace c) {
      return on(
          tables,
          batch,
          c.table(),
          table -> table.replace(c.key(), c.expectedVersion(), c.value(), index));
    } else if (command instanceof Command.Remove c) {
      return on(tables, batch, c.table(), table -> table.remove(c.key(), index));
    } else if (command instanceof Command.RemoveVersion c) {
      return on(
          tables,
          batch,
          c.table(),
          table -> table.removeVersion(c.key(), c.expectedVersion(), index));
    } else if (command instanceof Command.Scan c) {
      return on(tables, batch, c.table(), table -> table.scan(c.from(), c.to(), c.limit()));
    } else if (command instanceof Command.GetThrough c) {
      return ReferenceReader.read(tables, c);
    }
    return applyToColumns(tables, batch, command, index);
  }

  private static Reply applyToColumns(
      Tables tables, @Nullable StoreTransaction batch, Command command, long index) {
    if (command instanceof Command.GetColumns c) {
      return on(tables, batch, c.table(), table -> table.getColumns(c.key(), c.columns()));
    } else if (command instanceof Command.PutColumns c) {
      return on(tables, batch, c.table(), table -> table.putColumns(c.key(), c.columns(), index));
    } else if (command instanceof Command.ReplaceColumns c) {
      return on(
          tables,
          batch,
          c.table(),
          table -> table.replaceColumns(c.key(), c.expectedVersion(), c.columns(), index));
    } else if (command instanceof Command.RemoveColumns c) {
      return on(
          tables, batch, c.table(), table -> table.removeColumns(c.key(), c.columns(), index));
    }
    throw new IllegalStateException("no meaning for " + command);
  }

  private static Reply on(
      Tables tables,
      @Nullable StoreTransaction batch,
      String name,
      Function<TableOperations, Reply> operation) {
    Table table = tables.find(name);
    if (table == null) {
      return Refusals.unknownTable(name);
    }
    return operation.apply(batch == null ? table : batch.staged(table));
  }

  abstract String name();

  abstract TableSpec spec();

  abstract @Nullable Entry entry(Bytes key);

  /**
   * The refusal if the state has no room for an entry; null if it has room, or if that is checked
   * later.
   */
  abstract @Nullable Reply noRoom(Bytes key, Bytes value);

  /** Writes an entry; its value fits the table's kind. */
  abstract void write(Bytes key, Bytes value, long index);

  /** Removes an existing entry. */
  abstract void erase(Bytes key, long index);

  abstract Reply scan(Bytes from, @Nullable Bytes to, int limit);

  final Reply get(Bytes key) {
    Entry entry = entry(key);
    return entry == null ? ABSENT : new Reply.Found(entry.value(), entry.version());
  }

  final Reply put(Bytes key, Bytes value, long index) {
    Reply unfit = unfit(value);
    return unfit == null ? written(key, value, index) : unfit;
  }

  final Reply putIfAbsent(Bytes key, Bytes value, long index) {
    Reply unfit = unfit(value);
    if (unfit != null) {
      return unfit;
    }
    Entry entry = entry(key);
    return entry == null ? written(key, value, index) : conflict(entry);
  }

  final Reply replace(Bytes key, long expectedVersion, Bytes value, long index) {
    Reply unfit = unfit(value);
    if (unfit != null) {
      return unfit;
    }
    Entry entry = entry(key);
    if (entry == null) {
      return ABSENT;
    }
    return entry.version() == expectedVersion ? written(key, value, index) : conflict(entry);
  }

  final Reply remove(Bytes key, long index) {
    return entry(key) == null ? ABSENT : erased(key, index);
  }

  final Reply removeVersion(Bytes key, long expectedVersion, long index) {
    Entry entry = entry(key);
    if (entry == null) {
      return ABSENT;
    }
    return entry.version() == expectedVersion ? erased(key, index) : conflict(entry);
  }

  final Reply increment(Bytes key, long delta, long index) {
    if (spec().kind() != Kind.VALUES) {
      return Refusals.wrongKind("Increment", this);
    }
    Entry entry = entry(key);
    if (!Counters.isCounter(entry)) {
      return Refusals.outOfBounds("not a counter: the value is not 8 bytes long");
    }
    long sum = Counters.valueOf(entry) + delta;
    Bytes value = Counters.bytesOf(sum);
    Reply unfit = unfit(value);
    if (unfit != null) {
      return unfit;
    }
    Reply refusal = noRoom(key, value);
    if (refusal != null) {
      return refusal;
    }
    write(key, value, index);
    return new Reply.Counter(sum, index);
  }

  final Reply getColumns(Bytes key, List<String> columns) {
    if (spec().kind() != Kind.COLUMNS) {
      return Refusals.wrongKind("GetColumns", this);
    }
    Entry entry = entry(key);
    return entry == null
        ? ABSENT
        : new Reply.Columns(RowCodec.decode(entry.value(), columns), entry.version());
  }

  final Reply putColumns(Bytes key, Row columns, long index) {
    return spec().kind() == Kind.COLUMNS
        ? merged(entry(key), key, columns, index)
        : Refusals.wrongKind("PutColumns", this);
  }

  final Reply replaceColumns(Bytes key, long expectedVersion, Row columns, long index) {
    if (spec().kind() != Kind.COLUMNS) {
      return Refusals.wrongKind("ReplaceColumns", this);
    }
    Entry entry = entry(key);
    if (entry == null) {
      return ABSENT;
    }
    return entry.version() == expectedVersion
        ? merged(entry, key, columns, index)
        : conflict(entry);
  }

  private Reply merged(@Nullable Entry entry, Bytes key, Row columns, long index) {
    Bytes row = RowCodec.merge(entry == null ? null : entry.value(), columns);
    if (row.length() > Limits.VALUE_BYTES || RowCodec.size(row) > Row.MAX_COLUMNS) {
      return Refusals.outOfBounds(
          "a row is at most "
              + Limits.VALUE_BYTES
              + " bytes and "
              + Row.MAX_COLUMNS
              + " columns, not "
              + row.length()
              + " and "
              + RowCodec.size(row));
    }
    return written(key, row, index);
  }

  final Reply removeColumns(Bytes key, List<String> columns, long index) {
    if (spec().kind() != Kind.COLUMNS) {
      return Refusals.wrongKind("RemoveColumns", this);
    }
    Entry entry = entry(key);
    if (entry == null) {
      return ABSENT;
    }
    if (columns.isEmpty()) {
      return erased(key, index);
    }
    Bytes row = RowCodec.without(entry.value(), columns);
    if (row.length() == entry.value().length()) {
      return ABSENT;
    }
    return RowCodec.size(row) == 0 ? erased(key, index) : written(key, row, index);
  }

  /** The refusal of a value that does not fit the table's kind; null where it fits. */
  private @Nullable Reply unfit(Bytes value) {
    String violation = violation(name(), spec(), value);
    return violation == null ? null : Refusals.outOfBounds(violation);
  }

  private Reply written(Bytes key, Bytes value, long index) {
    String misfit = listsMachines() ? MachineRows.misfit(entry(key), value) : null;
    if (misfit != null) {
      return Refusals.outOfBounds(misfit);
    }
    Reply refusal = noRoom(key, value);
    if (refusal != null) {
      return refusal;
    }
    write(key, value, index);
    return new Reply.Applied(index);
  }

  private Reply erased(Bytes key, long index) {
    if (listsMachines()) {
      return Refusals.outOfBounds("the list of machines is never removed");
    }
    erase(key, index);
    return new Reply.Applied(index);
  }

  private boolean listsMachines() {
    return name().equals(ReplacedMachines.TABLE);
  }

  private static Reply conflict(Entry entry) {
    return new Reply.Conflict(entry.value(), entry.version());
  }

  /** What is wrong with {@code value} as a value of the table, or null where nothing is. */
  static @Nullable String violation(String table, TableSpec spec, Bytes value) {
    return switch (spec.kind()) {
      case VALUES ->
          table.equals(ReplacedMachines.TABLE)
              ? named("a list of machines", table, ReplacedMachines.violation(value))
              : null;
      case COLUMNS -> named("a row", table, RowCodec.violation(value));
      case REFERENCES -> named("a list of keys", table, References.violation(value));
      case REFERENCE ->
          value.length() > Limits.KEY_BYTES
              ? named(
                  "a key",
                  table,
                  "it is at most " + Limits.KEY_BYTES + " bytes, not " + value.length())
              : null;
    };
  }

  private static @Nullable String named(String what, String table, @Nullable String violation) {
    return violation == null
        ? null
        : "a value of table \"" + table + "\" is " + what + ": " + violation;
  }
}
