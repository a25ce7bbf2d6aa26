package io.lockstep.core.noun;

import io.lockstep.store.Command;
import java.util.Set;

/** Which commands an application may change its resources with. Pure. */
final class OwnTables {
  private OwnTables() {}

  /**
   * Checks a command: it writes entries of the application's own tables, or calls a micro
   * component.
   *
   * @throws IllegalStateException for any other one, and for none
   */
  static void require(Set<String> own, Command command) {
    if (command instanceof Command.Call) {
      return;
    }
    if (command instanceof Command.Batch batch) {
      batch.guards().forEach(guard -> requireOwn(own, guard.table()));
      batch.commands().forEach(each -> requireWrite(own, each));
      return;
    }
    requireWrite(own, command);
  }

  private static void requireWrite(Set<String> own, Command command) {
    boolean isWrite =
        command instanceof Command.Put
            || command instanceof Command.PutIfAbsent
            || command instanceof Command.Replace
            || command instanceof Command.Remove
            || command instanceof Command.RemoveVersion
            || command instanceof Command.PutColumns
            || command instanceof Command.ReplaceColumns
            || command instanceof Command.RemoveColumns
            || command instanceof Command.Increment;
    if (!isWrite) {
      throw new IllegalStateException(
          "changes it with "
              + (command == null ? "nothing" : command.getClass().getSimpleName())
              + ", which writes no entry");
    }
    requireOwn(own, String.valueOf(command.table()));
  }

  private static void requireOwn(Set<String> own, String table) {
    if (!own.contains(table)) {
      throw new IllegalStateException("writes the table '" + table + "', not its own");
    }
  }
}
