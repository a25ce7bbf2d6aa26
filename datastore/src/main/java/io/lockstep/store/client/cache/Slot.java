package io.lockstep.store.client.cache;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.TableSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an answer is kept under. */
sealed interface Slot {

  /** One entry, which {@link Command.Get} or {@link Command.GetColumns} of all columns reads. */
  record Place(String table, Bytes key) implements Slot {}

  /**
   * What a {@link Command.GetThrough} leads to.
   *
   * @param tables those on the way, which follow from the query
   */
  record Through(Command.GetThrough query, List<String> tables) implements Slot {}

  /** Where the answer to {@code query} is kept; null where it cannot be. */
  static @Nullable Slot of(Command query, Map<String, TableSpec> specs) {
    if (query instanceof Command.Get get) {
      return new Place(get.table(), get.key());
    } else if (query instanceof Command.GetColumns get) {
      return get.columns().isEmpty() ? new Place(get.table(), get.key()) : null;
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
      return new Through(get, tables);
    }
    return null;
  }
}
