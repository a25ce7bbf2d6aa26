package io.lockstep.store.core;

import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Carries out the commands that read and write entries: alone, or as part of a batch. */
final class EntryCommands {
  private EntryCommands() {}

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
}
