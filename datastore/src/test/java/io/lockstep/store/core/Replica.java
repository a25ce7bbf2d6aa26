package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import io.lockstep.store.codec.Request;
import io.lockstep.store.codec.RequestEncoder;
import io.lockstep.store.codec.Response;
import io.lockstep.store.engine.OrderedReply;
import java.util.ArrayList;
import java.util.List;

/** A state machine with a clock and a session at hand, for tests. */
final class Replica {
  final StoreStateMachine machine;
  long nowMillis = 1_000_000;
  private long nextOperationId = 1_000;
  private long nextNonce = 1;

  Replica(MicroComponent... components) {
    this(HistoryBounds.STANDARD, components);
  }

  Replica(HistoryBounds bounds, MicroComponent... components) {
    this(new StoreStateMachine(List.of(components), bounds));
  }

  Replica(StoreStateMachine machine) {
    this.machine = machine;
  }

  long open(int timeToLiveMillis) {
    return open(nextNonce++, "owner", timeToLiveMillis) instanceof Reply.SessionOpened opened
        ? opened.sessionId()
        : -1;
  }

  Reply open(long nonce, String owner, int timeToLiveMillis) {
    return send(0, 0, 0, new Command.OpenSession(nonce, owner, timeToLiveMillis)).replies().get(0);
  }

  /** Declares tables of values, by a session that is gone again. */
  Replica declare(String... tables) {
    long session = open(600_000);
    for (String table : tables) {
      declare(session, table, TableSpec.values());
    }
    run(session, new Command.CloseSession(session));
    return this;
  }

  void declare(long session, String table, TableSpec spec) {
    Reply reply = run(session, new Command.CreateTable(table, spec));
    if (!(reply instanceof Reply.Applied)) {
      throw new IllegalStateException(reply.toString());
    }
  }

  /** A new operation of a session that acknowledges nothing. */
  Reply run(long session, Command command) {
    return send(session, 0, nextOperationId++, command).replies().get(0);
  }

  Response send(long session, long acknowledgedBelow, long firstId, Command... commands) {
    List<Request.Operation> operations = new ArrayList<>();
    for (Command command : commands) {
      operations.add(new Request.Operation(firstId + operations.size(), command));
    }
    return machine.apply(nowMillis, new Request(session, acknowledgedBelow, operations));
  }

  /** The same, as the engine is given it. */
  OrderedReply ordered(long session, Command... commands) {
    List<Request.Operation> operations = new ArrayList<>();
    for (Command command : commands) {
      operations.add(new Request.Operation(nextOperationId++, command));
    }
    byte[] request = RequestEncoder.encode(new Request(session, 0, operations));
    return machine.apply(0, nowMillis, List.of(request)).get(0);
  }

  /** Time passes in steps that the clock does not clamp. */
  void pass(long millis) {
    for (long left = millis; left > 0; left -= 100) {
      nowMillis += Math.min(left, 100);
      machine.apply(0, nowMillis, List.of());
    }
  }

  Reply put(long session, String table, String key, String value) {
    return run(session, new Command.Put(table, Bytes.utf8(key), Bytes.utf8(value)));
  }

  Reply get(long session, String table, String key) {
    return run(session, new Command.Get(table, Bytes.utf8(key)));
  }
}
