package io.lockstep.core.app;

import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.util.List;
import java.util.function.Function;

/** What an application wants. Anything but {@link Pass} claims the packet. */
public sealed interface Decision {

  /** Not mine: ask the next application. */
  Decision PASS = new Pass();

  /** Mine, and it goes nowhere. */
  Decision DROP = new Act(List.of());

  /** Not mine: ask the next application. */
  record Pass() implements Decision {}

  /**
   * Ask the store, then decide. The continuation runs on the switch's event loop; the node drops it
   * where it lost the mastership of the switch meanwhile. It must not answer {@link Pass}.
   */
  record Ask(Command command, Function<Reply, Decision> then) implements Decision {}

  /** Do this, in order. */
  record Act(List<Instruction> instructions) implements Decision {
    public Act {
      instructions = List.copyOf(instructions);
    }
  }

  /** A decision to do one thing or several. */
  static Decision act(Instruction... instructions) {
    return new Act(List.of(instructions));
  }
}
