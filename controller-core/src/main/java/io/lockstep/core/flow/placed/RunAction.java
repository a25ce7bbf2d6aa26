package io.lockstep.core.flow.placed;

import io.lockstep.core.southbound.FlowMod;
import java.util.List;

/**
 * What a {@link SwitchRun} needs next.
 *
 * @param <R> what the run ends with
 */
sealed interface RunAction<R> {
  /**
   * One method for each action. A class that lacks the method for a new action does not compile.
   *
   * @param <R> what the run ends with
   */
  interface Cases<R> {
    void store();

    void send(List<FlowMod> mods);

    void end(R result);

    void readAnew(String reason);
  }

  /** Calls the method for this action. */
  void match(Cases<R> cases);

  /** The store must have the ledger before the run goes on with {@link SwitchRun#stored}. */
  record Store<R>() implements RunAction<R> {
    @Override
    public void match(Cases<R> cases) {
      cases.store();
    }
  }

  /** The switch must answer these flow-mods; {@link SwitchRun#answered} takes the outcomes. */
  record Send<R>(List<FlowMod> mods) implements RunAction<R> {
    public Send {
      mods = List.copyOf(mods);
    }

    @Override
    public void match(Cases<R> cases) {
      cases.send(mods);
    }
  }

  /** The run is over. */
  record End<R>(R result) implements RunAction<R> {
    @Override
    public void match(Cases<R> cases) {
      cases.end(result);
    }
  }

  /** The run is over, and nothing tells what the switch holds now but a reading. */
  record ReadAnew<R>(String reason) implements RunAction<R> {
    @Override
    public void match(Cases<R> cases) {
      cases.readAnew(reason);
    }
  }
}
