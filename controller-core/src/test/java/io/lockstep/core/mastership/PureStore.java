package io.lockstep.core.mastership;

import io.lockstep.core.node.TestTables;
import io.lockstep.store.Command;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.codec.Request;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.Rules;
import io.lockstep.store.typed.Component;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The store's state machine with a clock at hand and the tables of a node. */
public final class PureStore {
  private final StoreStateMachine machine;
  private long nowMillis = 1_000_000;
  private long operations = 1;
  private long nonces = 1;

  public PureStore(List<MicroComponent> components) {
    machine = new StoreStateMachine(components);
    long session = open("tables");
    List<Command.CreateTable> tables = new ArrayList<>();
    TestTables.all().forEach((name, spec) -> tables.add(new Command.CreateTable(name, spec)));
    // References come behind the tables that they refer to.
    tables.sort(Comparator.comparing(create -> create.spec().target() != null));
    for (Command.CreateTable create : tables) {
      Reply reply = run(session, create);
      if (!(reply instanceof Reply.Applied)) {
        throw new IllegalStateException(create + ": " + reply);
      }
    }
    close(session);
  }

  /** Puts rules in force. */
  public void adopt(Rules rules) {
    machine.adopt(rules);
  }

  public long open(String owner) {
    Reply reply = send(0, 0, new Command.OpenSession(nonces++, owner, 3_000));
    return ((Reply.SessionOpened) reply).sessionId();
  }

  public void close(long session) {
    run(session, new Command.CloseSession(session));
  }

  public Reply run(long session, Command command) {
    return send(session, operations++, command);
  }

  public <A> Reply run(long session, Component<A, ?> component, A argument) {
    return run(session, component.command(argument));
  }

  /** Calls a component that does not refuse. */
  public <A, R> R call(long session, Component<A, R> component, A argument) {
    Reply reply = run(session, component, argument);
    return component.result().decode(((Reply.Returned) reply).result());
  }

  private Reply send(long session, long id, Command command) {
    Request request = new Request(session, 0, List.of(new Request.Operation(id, command)));
    return machine.apply(nowMillis++, request).replies().get(0);
  }
}
