package io.lockstep.history.replica;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.codec.Request;
import io.lockstep.store.codec.RequestDecoder;
import io.lockstep.store.codec.RequestEncoder;
import io.lockstep.store.codec.Response;
import io.lockstep.store.codec.ResponseDecoder;
import io.lockstep.store.codec.ResponseEncoder;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.OrderedReply;
import io.lockstep.store.engine.OrderedService;
import io.lockstep.store.engine.Rules;
import io.lockstep.store.engine.StateSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A store that breaks its promise now and then, in the same way on every replica. It exists to show
 * that the checker notices. It keeps notes that a snapshot does not hold, so replicas of it must
 * not be restarted.
 *
 * <p>Not thread-safe, as the state machine.
 */
final class BrokenService implements OrderedService {
  /** Of the operations that can be spoilt, one in so many is. */
  private static final int EVERY = 25;

  /** A second copy is applied after so many requests. */
  private static final int LATER = 30;

  private record Name(String table, Bytes key) {}

  private record Late(long due, Command command) {}

  private final StoreStateMachine store;
  private final Breakage breakage;
  private final Map<Name, Reply> newest = new HashMap<>();
  private final Map<Name, Reply> before = new HashMap<>();
  private final Deque<Late> late = new ArrayDeque<>();
  private long spoilable;
  private long requests;
  private long ownSession;
  private long ownOperations;

  BrokenService(StoreStateMachine store, Breakage breakage) {
    this.store = store;
    this.breakage = breakage;
  }

  @Override
  public List<OrderedReply> apply(long instance, long timeMillis, List<byte[]> all) {
    List<OrderedReply> replies = new ArrayList<>();
    for (byte[] bytes : all) {
      requests++;
      applyLate(timeMillis);
      Request request = RequestDecoder.decode(bytes);
      OrderedReply reply =
          store.apply(instance, timeMillis, List.of(encode(spoilt(request)))).get(0);
      Response response = spoilt(request, ResponseDecoder.decode(reply.bytes()));
      replies.add(new OrderedReply(ResponseEncoder.encode(response), reply.restsOn()));
    }
    return replies;
  }

  @Override
  public int requestVersion() {
    return store.requestVersion();
  }

  @Override
  public Rules offered() {
    return store.offered();
  }

  @Override
  public Rules rules() {
    return store.rules();
  }

  @Override
  public void adopt(Rules rules) {
    store.adopt(rules);
  }

  @Override
  public long index() {
    return store.index();
  }

  @Override
  public OptionalLong lastTimeMillis() {
    return store.lastTimeMillis();
  }

  private static byte[] encode(Request request) {
    return RequestEncoder.encode(request);
  }

  @Override
  public StateSnapshot snapshot() {
    return store.snapshot();
  }

  @Override
  public void reset() {
    store.reset();
  }

  @Override
  public void restore(InputStream in) throws IOException {
    store.restore(in);
  }

  /** A put that is to be lost reads instead. */
  private Request spoilt(Request request) {
    List<Request.Operation> operations = new ArrayList<>();
    for (Request.Operation operation : request.operations()) {
      Command command = operation.command();
      boolean put = command instanceof Command.Put;
      if (breakage == Breakage.LOST_WRITES && put && spoilable++ % EVERY == EVERY - 1) {
        Command.Put lost = (Command.Put) command;
        command = new Command.Get(lost.table(), lost.key());
      }
      boolean changes = put || command instanceof Command.Increment;
      if (breakage == Breakage.DOUBLE_APPLY && changes && spoilable++ % EVERY == EVERY - 1) {
        late.add(new Late(requests + LATER, command));
      }
      operations.add(new Request.Operation(operation.operationId(), command));
    }
    return new Request(request.sessionId(), request.acknowledgedBelow(), operations);
  }

  private Response spoilt(Request request, Response response) {
    List<Reply> replies = new ArrayList<>();
    for (int i = 0; i < response.replies().size(); i++) {
      Command command = request.operations().get(i).command();
      Reply reply = response.replies().get(i);
      if (command instanceof Command.Put && !isAnswerToPut(reply)) {
        reply = new Reply.Applied(store.index());
      } else if (command instanceof Command.Get get) {
        reply = spoilt(get, reply);
      }
      replies.add(reply);
    }
    return new Response(response.status(), response.message(), replies);
  }

  private static boolean isAnswerToPut(Reply reply) {
    return !(reply instanceof Reply.Found || reply instanceof Reply.Absent);
  }

  private Reply spoilt(Command.Get get, Reply reply) {
    if (breakage != Breakage.STALE_READS) {
      return reply;
    }
    Name name = new Name(get.table(), get.key());
    Reply last = newest.put(name, reply);
    if (last != null && !last.equals(reply)) {
      before.put(name, last);
    }
    Reply old = before.get(name);
    return old != null && spoilable++ % EVERY == EVERY - 1 ? old : reply;
  }

  private void applyLate(long timeMillis) {
    Late first = late.peek();
    if (first == null || first.due() > requests) {
      return;
    }
    late.remove();
    if (ownSession == 0 || !store.sessionAlive(ownSession)) {
      Command open = new Command.OpenSession(requests, "late copies", 600_000);
      Reply opened = own(timeMillis, 0, 0, open);
      ownSession = ((Reply.SessionOpened) opened).sessionId();
      ownOperations = 0;
    }
    own(timeMillis, ownSession, ownOperations++, first.command());
  }

  private Reply own(long timeMillis, long session, long operation, Command command) {
    Request request =
        new Request(session, operation, List.of(new Request.Operation(operation, command)));
    return store.apply(timeMillis, request).replies().get(0);
  }
}
