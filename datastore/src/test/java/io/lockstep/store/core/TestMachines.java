package io.lockstep.store.core;

import java.util.List;

/** State machines with bounds of their own, for tests in other packages. */
public final class TestMachines {
  private TestMachines() {}

  /** One that forgets all but the newest changes of each table. */
  public static StoreStateMachine forgetful(int changesPerTable) {
    return new StoreStateMachine(List.of(), new HistoryBounds(changesPerTable, 1L << 20, 1L << 20));
  }
}
