package io.lockstep.store.client.cache;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.TableSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The key under which the cache keeps an answer. */
sealed interface Slot {

  /** One entry, which {@link Command.Get} or {@link Command.GetColumns} of all columns reads. */
  record EntrySlot(String table, Bytes key) implements Slot {}

  /**
   * The answer to a {@link Command.GetThrough}.
   *
   * @param tables that the query reads through
   */
  record ReferenceSlot(Command.GetThrough query, List<String> tables) implements Slot {}

  /** What a component that only reads answered; it may rest on any entry. */
  record QuerySlot(Command.Query query) implements Slot {}

  /** The slot of the answer to {@code query}; null if the cache cannot keep it. */
  static @Nullable Slot of(Command query, Map<String, TableSpec> specs) {
    if (query instanceof Command.Get get) {
      return new EntrySlot(get.table(), get.key());
    } else if (query instanceof Command.GetColumns get) {
      return get.columns().isEmpty() ? new EntrySlot(get.table(), get.key()) : null;
    } else if (query instanceof Command.Query asked) {
      return new QuerySlot(asked);
    } else if (query instanceof Command.GetThrough get) {
      List<String> tables = new ArrayList<>();
      String table = get.table();
      while (table != null) {
        TableSpec spec = specs.get(table);
        if (spec == null || tables.contains(table)) {
          return null;
        }
        tables.add(table);
        table = spec.target();
      }
      return new ReferenceSlot(get, tables);
    }
    return null;
  }
}
