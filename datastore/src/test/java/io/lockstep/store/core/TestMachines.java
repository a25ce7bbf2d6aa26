package io.lockstep.store.core;

import io.lockstep.store.core.OperationRecords.RecordMap;
import java.lang.reflect.Field;
import java.util.List;

/** State machines with bounds of their own, for tests in other packages. */
public final class TestMachines {
  private TestMachines() {}

  /** One that forgets all but the newest changes of each table. */
  public static StoreStateMachine forgetful(int changesPerTable) {
    return new StoreStateMachine(List.of(), new HistoryBounds(changesPerTable, 1L << 20, 1L << 20));
  }

  /**
   * Makes it forget the replies it has recorded for retries: a bug, for tests that must find it.
   */
  public static void forgetRecords(StoreStateMachine machine) {
    try {
      Field state = StoreStateMachine.class.getDeclaredField("state");
      Field replies = OperationRecords.class.getDeclaredField("replies");
      state.setAccessible(true);
      replies.setAccessible(true);
      for (Session session : ((StoreState) state.get(machine)).sessions().allOpen()) {
        RecordMap kept = (RecordMap) replies.get(session.records());
        kept.removeBelow(session.records().acknowledgedBelow(), Long.MAX_VALUE, any -> {});
      }
    } catch (ReflectiveOperationException changed) {
      throw new LinkageError("the records are kept elsewhere now", changed);
    }
  }
}
