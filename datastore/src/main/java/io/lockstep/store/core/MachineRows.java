package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.machine.ReplacedMachines;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the list of replaced machines when its table has changed. The table takes nothing else, so
 * what is in force follows from the state alone, also after a start. {@link #present} is for any
 * thread, the rest for the replica's.
 */
final class MachineRows {
  private static final Set<String> TABLES = Set.of(ReplacedMachines.TABLE);

  private volatile ReplacedMachines present = ReplacedMachines.NONE;
  private long newest;

  ReplacedMachines present() {
    return present;
  }

  /** A batch was applied. */
  void applied(Tables tables) {
    long now = tables.newestOf(TABLES);
    if (now != newest) {
      newest = now;
      read(tables);
    }
  }

  /** The state is another one. */
  void replaced(Tables tables) {
    newest = tables.newestOf(TABLES);
    read(tables);
  }

  /** Why a list must not follow what is there; null where it may. */
  static @Nullable String misfit(@Nullable Entry present, Bytes next) {
    ReplacedMachines before =
        present == null ? ReplacedMachines.NONE : ReplacedMachines.decode(present.value());
    return ReplacedMachines.decode(next).misfit(before);
  }

  private void read(Tables tables) {
    Table table = tables.find(ReplacedMachines.TABLE);
    Entry entry = table == null ? null : table.entry(ReplacedMachines.KEY);
    if (entry == null) {
      present = ReplacedMachines.NONE;
      return;
    }
    present = ReplacedMachines.decode(entry.value());
  }
}
