package io.lockstep.bench.store;

import io.lockstep.store.Command;
import java.util.ArrayList;
import java.util.List;

/** The commands of the workloads that are one operation. */
public final class FlowCommands {
  private FlowCommands() {}

  /** What declares the tables of all of them. */
  public static List<Command> declarations() {
    List<Command> declarations = new ArrayList<>();
    Workloads.tables()
        .forEach((name, spec) -> declarations.add(new Command.CreateTable(name, spec)));
    return declarations;
  }

  /**
   * All commands of {@code put}, {@code get} or {@code ls-ucast-micro}, to be repeated in order.
   */
  public static List<Command> of(String name) {
    return switch (name) {
      case "put" -> new EntryWorkload(true, false).preparation();
      case "get" -> new EntryWorkload(false, true).reads();
      case "ls-ucast-micro" -> new ForwardWorkload().preparation();
      default -> throw new IllegalArgumentException("not one operation: " + name);
    };
  }
}
