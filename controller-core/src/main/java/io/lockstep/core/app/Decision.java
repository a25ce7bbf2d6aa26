package io.lockstep.core.app;

import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * What an application wants done. The first application that claims a packet is the last that sees
 * it.
 */
public sealed interface Decision {

  /** Not mine: ask the next application. */
  Decision PASS = new Pass();

  /** Mine, and it goes nowhere. */
  Decision DROP = new Act(List.of());

  /** Not mine: ask the next application. */
  record Pass() implements Decision {}

  /**
   * Ask the store, then decide; {@link Pass} then, too, asks the next application. The continuation
   * runs on the switch's event loop; the node drops it where it lost the mastership of the switch
   * meanwhile.
   */
  record Ask(Command command, Freshness freshness, Function<Reply, Decision> then)
      implements Decision {
    /**
     * A question whose answer may come from the node's cache.
     *
     * @throws IllegalArgumentException where no such answer can
     */
    public Ask {
      Objects.requireNonNull(command, "command");
      Objects.requireNonNull(then, "then");
      if (!freshness.isExact()) {
        freshness.requireFor(command);
      }
    }

    /** A question that the store itself answers: linearizable. */
    public Ask(Command command, Function<Reply, Decision> then) {
      this(command, Freshness.EXACT, then);
    }
  }

  /**
   * Do this, in order.
   *
   * @param passesOn whether the next application is asked afterwards: this one only watched, and
   *     must not send the packet itself
   */
  record Act(List<Instruction> instructions, boolean passesOn) implements Decision {
    public Act {
      instructions = List.copyOf(instructions);
    }

    /** Claims the packet. */
    public Act(List<Instruction> instructions) {
      this(instructions, false);
    }

    /** The same, and then asks the next application. */
    public Act thenPass() {
      return new Act(instructions, true);
    }
  }

  /** A decision to do one thing or several; it claims the packet. */
  static Act act(Instruction... instructions) {
    return new Act(List.of(instructions));
  }
}
