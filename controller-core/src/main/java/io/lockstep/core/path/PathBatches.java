package io.lockstep.core.path;

import io.lockstep.core.flow.RoomRules;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Command.Guard;
import java.util.ArrayList;
import java.util.List;

/** Makes one batch of the store of what is to be written of a path. Pure. */
final class PathBatches {
  private static final PathTable PATHS = new PathTable();
  private static final TagTable TAGS = new TagTable();

  private PathBatches() {}

  /**
   * The batch of a move: all of it or nothing, and only on the row's version.
   *
   * @param version of the row on which the move was decided
   */
  static Command.Batch of(String name, PathFlow flow, long version, NextStep.Write write) {
    List<Guard> guards = new ArrayList<>();
    List<Command> commands = new ArrayList<>();
    Bytes key = PATHS.encodeKey(name);
    guards.add(new Guard(PathTable.NAME, key, version));
    PathRow next = write.row();
    commands.add(
        next == null
            ? new Command.Remove(PathTable.NAME, key)
            : new Command.Put(PathTable.NAME, key, PATHS.encodeValue(next)));
    if (write.takes() != 0) {
      Bytes tag = TAGS.encodeKey(write.takes());
      guards.add(new Guard(TagTable.NAME, tag, 0));
      commands.add(new Command.Put(TagTable.NAME, tag, TAGS.encodeValue(name)));
    }
    write.frees().stream()
        .sorted()
        .forEach(tag -> commands.add(new Command.Remove(TagTable.NAME, TAGS.encodeKey(tag))));
    write.puts().forEach(rule -> commands.add(RoomRules.put(PathRules.rule(name, flow, rule))));
    write
        .removes()
        .forEach(rule -> commands.add(RoomRules.remove(PathRules.rule(name, flow, rule))));
    return new Command.Batch(guards, commands);
  }

  /**
   * The batch of a wish.
   *
   * @param version of the row before; 0 where there is none
   */
  static Command.Batch wish(String name, long version, PathRow next) {
    return of(name, next.flow(), version, NextStep.Write.of(next, List.of(), List.of()));
  }
}
