package io.lockstep.store.simulation;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.codec.Request;
import io.lockstep.store.core.StoreStateMachine;
import java.util.ArrayList;
import java.util.List;

/** Reads a state machine when all is over. */
final class StoreReader {
  private final StoreStateMachine machine;
  private final long end;
  private final long session;
  private long operation;

  StoreReader(StoreStateMachine machine) {
    this.machine = machine;
    this.end = machine.index();
    Command open = new Command.OpenSession(-1, "reader", 600_000);
    this.session = ((Reply.SessionOpened) ask(0, open)).sessionId();
  }

  /** 0 where the counter, or even its table, does not exist. */
  long count(String table, String key) {
    Reply reply = ask(session, new Command.Increment(table, Bytes.utf8(key), 0));
    return reply instanceof Reply.Counter counter ? counter.value() : 0;
  }

  /** All changes of a table, from the first on. */
  List<Change> changes(String table) {
    List<Change> whole = new ArrayList<>();
    long after = 0;
    while (after < end) {
      Reply reply = ask(session, new Command.ReadChanges(List.of(table), after, 10_000));
      if (!(reply instanceof Reply.Changes page)) {
        return whole;
      }
      whole.addAll(page.changes());
      after = page.upToIndex();
    }
    return whole;
  }

  private Reply ask(long sender, Command command) {
    Request.Operation asked = new Request.Operation(++operation, command);
    return machine.apply(0, new Request(sender, operation, List.of(asked))).replies().get(0);
  }
}
