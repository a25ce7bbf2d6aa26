package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import io.lockstep.store.TableSpec.Kind;
import io.lockstep.store.codec.References;
import io.lockstep.store.codec.RowCodec;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads through reference tables (section IV-A of the paper), one table after the other: each
 * step's keys are the references of the step before, in order. The catalogue guarantees that the
 * chain of tables ends. References to entries that do not exist are left out.
 */
final class ReferenceReader {
  private ReferenceReader() {}

  /** Answers {@code command}, which is within {@link Limits}. */
  static Reply read(Tables tables, Command.GetThrough command) {
    Table table = tables.find(command.table());
    if (table == null) {
      return Refusals.unknownTable(command.table());
    }
    if (!isReference(table.spec())) {
      return Refusals.wrongKind("GetThrough", table);
    }
    if (table.entry(command.key()) == null) {
      return new Reply.Absent();
    }
    List<Bytes> keys = List.of(command.key());
    long followed = 0;
    while (isReference(table.spec())) {
      List<Bytes> next = new ArrayList<>();
      for (Bytes key : keys) {
        Entry entry = table.entry(key);
        if (entry == null) {
          continue;
        }
        boolean one = table.spec().kind() == Kind.REFERENCE;
        followed += one ? 1 : References.size(entry.value());
        if (followed > Limits.RANGE_ENTRIES) {
          return tooMuch(command, Limits.RANGE_ENTRIES + " references");
        }
        if (one) {
          next.add(entry.value());
        } else {
          next.addAll(References.decode(entry.value()));
        }
      }
      keys = next;
      table = target(tables, table);
    }
    return resolve(command, table, keys);
  }

  private static Reply resolve(Command.GetThrough command, Table end, List<Bytes> keys) {
    boolean all = command.columns().isEmpty();
    if (!all && end.spec().kind() != Kind.COLUMNS) {
      return Refusals.wrongKind("GetThrough of columns", end);
    }
    List<Entry> found = new ArrayList<>();
    long bytes = 0;
    for (Bytes key : keys) {
      Entry entry = end.entry(key);
      if (entry == null) {
        continue;
      }
      if (bytes > Limits.RANGE_BYTES) {
        return tooMuch(command, Limits.RANGE_BYTES + " bytes");
      }
      Entry wanted =
          all
              ? entry
              : new Entry(key, RowCodec.select(entry.value(), command.columns()), entry.version());
      found.add(wanted);
      bytes += Table.bytesOf(wanted);
    }
    return new Reply.Resolved(found);
  }

  private static boolean isReference(TableSpec spec) {
    return spec.kind() == Kind.REFERENCE || spec.kind() == Kind.REFERENCES;
  }

  private static Table target(Tables tables, Table table) {
    String name = table.spec().target();
    Table target = name == null ? null : tables.find(name);
    if (target == null) {
      throw new IllegalStateException("table " + table.name() + " leads to none");
    }
    return target;
  }

  private static Reply tooMuch(Command.GetThrough command, String bound) {
    return Refusals.outOfBounds(
        "key "
            + command.key()
            + " of table \""
            + command.table()
            + "\" leads to more than "
            + bound
            + ": read in steps");
  }
}
