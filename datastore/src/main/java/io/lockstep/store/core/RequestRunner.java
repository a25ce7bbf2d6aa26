package io.lockstep.store.core;

import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.Reply.Reason;
import io.lockstep.store.codec.Request;
import io.lockstep.store.codec.Response;
import io.lockstep.store.codec.ResponseWeight;
import java.util.ArrayList;
import java.util.List;

/**
 * Carries out requests, each operation once: finds the session and the recorded reply, and checks
 * whether there is room for one more record.
 *
 * <p>Under rules 1 a reply of any size is recorded; an operation without room is refused and leaves
 * no record, so a late copy of it may find room. Under rules 2 the records of all sessions share
 * one bound, and a refused operation stays refused.
 */
final class RequestRunner {
  /** Replaces the reply to an operation that was carried out, if that reply is too long. */
  private static final Reply TOO_LONG_TO_REPEAT =
      new Reply.Unknown("the reply is too long beside the others of its request");

  private static final long ANY_LENGTH = Long.MAX_VALUE;

  private final CommandInterpreter interpreter;

  RequestRunner(CommandInterpreter interpreter) {
    this.interpreter = interpreter;
  }

  /** Carries out {@code request} on {@code state}. */
  Response run(StoreState state, Request request) {
    long id = request.sessionId();
    Session session = id == 0 ? null : state.sessions().findOpen(id);
    boolean reads = onlyReads(request);
    if (session == null || !reads) {
      state.tables().dependency().onItsBatch();
    }
    if (id == 0) {
      return withoutSession(state, request);
    } else if (session == null) {
      return afterSession(state, request);
    }
    session.signOfLife(state.clock().nowMillis());
    session.records().acknowledgeBelow(request.acknowledgedBelow());
    List<Reply> replies = reads ? read(state, session, request) : all(state, session, request);
    if (state.rules().number() > 1) {
      // A request can open and end many sessions.
      state.sessions().forget(state.clock().nowMillis());
    }
    return new Response(Response.Status.OK, "", replies);
  }

  /**
   * A request without operations does not only read: it keeps the session alive, and that must be
   * durable.
   */
  private static boolean onlyReads(Request request) {
    for (Request.Operation operation : request.operations()) {
      if (!operation.command().isRead()) {
        return false;
      }
    }
    return !request.operations().isEmpty();
  }

  /**
   * The first replies to commands that only read, as many as fit into {@link Limits#READ_BYTES}, at
   * least one; the client asks again for the rest. The rest is not read. It uses up indices
   * nevertheless, so that these do not depend on the size of the answer.
   */
  private List<Reply> read(StoreState state, Session session, Request request) {
    List<Reply> replies = new ArrayList<>();
    long bytes = 0;
    for (Request.Operation operation : request.operations()) {
      if (bytes > Limits.READ_BYTES) {
        long id = operation.operationId();
        OperationRecords records = session.records();
        if (id >= records.acknowledgedBelow() && records.find(id) == null) {
          state.nextIndex();
        }
        continue;
      }
      Reply reply = once(state, session, operation, ANY_LENGTH);
      bytes += ResponseWeight.of(reply);
      if (bytes <= Limits.READ_BYTES || replies.isEmpty()) {
        replies.add(reply);
      }
    }
    return replies;
  }

  /** One reply for each operation, together no longer than {@link Limits#REQUEST_REPLY_BYTES}. */
  private List<Reply> all(StoreState state, Session session, Request request) {
    List<Reply> replies = new ArrayList<>(request.operations().size());
    boolean bounded = state.rules().number() > 1;
    long left = Limits.REQUEST_REPLY_BYTES;
    for (Request.Operation operation : request.operations()) {
      boolean first = replies.isEmpty();
      Reply reply = once(state, session, operation, first || !bounded ? ANY_LENGTH : left);
      long bytes = ReplySize.of(reply);
      if (!first && bytes > left) {
        // Only for a read is it true that it was not carried out.
        reply =
            session.records().find(operation.operationId()) == null
                ? Refusals.repliesTooLong()
                : TOO_LONG_TO_REPEAT;
        bytes = ReplySize.of(reply);
      }
      left -= Math.min(left, bytes);
      replies.add(reply);
    }
    return replies;
  }

  /**
   * @param most bytes that the request leaves for the reply
   */
  private Reply once(StoreState state, Session session, Request.Operation operation, long most) {
    OperationRecords records = session.records();
    long id = operation.operationId();
    Command command = operation.command();
    if (id < records.acknowledgedBelow()) {
      return new Reply.Unknown("the operation was acknowledged or given up; it is not applied now");
    }
    Reply recorded = records.find(id);
    if (recorded != null) {
      return recorded;
    }
    if (!session.isOpen()) {
      return sessionEnded(session.id());
    }
    if (!CommandInterpreter.leavesRecord(command)) {
      ReplyRoom room =
          most == ANY_LENGTH ? ReplyRoom.ANY : new ReplyRoom(most, Refusals.repliesTooLong());
      return interpreter.interpret(state, session, command, state.nextIndex(), room);
    }
    return state.rules().number() == 1
        ? onceByRulesOne(state, session, operation)
        : onceWithinRoom(state, session, operation, most);
  }

  private Reply onceByRulesOne(StoreState state, Session session, Request.Operation operation) {
    OperationRecords records = session.records();
    long id = operation.operationId();
    if (!records.admitsByRulesOne(id)) {
      return tooManyUnacknowledged(records, id);
    }
    Reply reply =
        interpreter.interpret(
            state, session, operation.command(), state.nextIndex(), ReplyRoom.ANY);
    records.record(id, reply);
    return reply;
  }

  private Reply onceWithinRoom(
      StoreState state, Session session, Request.Operation operation, long most) {
    OperationRecords records = session.records();
    long id = operation.operationId();
    if (!records.spans(id)) {
      records.refuseUpTo(id);
      return tooManyUnacknowledged(records, id);
    }
    long kept = records.room();
    if (id <= records.refusedUpTo() || kept < ReplyRoom.LEAST_BYTES) {
      records.refuseUpTo(id);
      return records.refusal();
    }
    ReplyRoom room =
        most < kept
            ? new ReplyRoom(most, Refusals.repliesTooLong())
            : new ReplyRoom(kept, records.refusal());
    Reply reply =
        room.bytes() < ReplyRoom.LEAST_BYTES
            ? room.refusal()
            : interpreter.interpret(state, session, operation.command(), state.nextIndex(), room);
    records.record(id, reply);
    state.sessions().giveWay();
    return reply;
  }

  private static Reply tooManyUnacknowledged(OperationRecords records, long id) {
    return new Reply.Rejected(
        Reason.OUT_OF_BOUNDS,
        "too many unacknowledged operations: operation "
            + id
            + ", acknowledged below "
            + records.acknowledgedBelow());
  }

  private static Response withoutSession(StoreState state, Request request) {
    List<Reply> replies = new ArrayList<>(request.operations().size());
    for (Request.Operation operation : request.operations()) {
      replies.add(
          operation.command() instanceof Command.OpenSession open
              ? openSession(state, open)
              : sessionEnded(0));
    }
    return new Response(Response.Status.OK, "", replies);
  }

  private static Reply openSession(StoreState state, Command.OpenSession open) {
    String violation = Limits.violation(open);
    if (violation != null) {
      return new Reply.Rejected(Reason.OUT_OF_BOUNDS, violation);
    }
    Session earlier = state.sessions().findByNonce(open.nonce());
    if (earlier == null) {
      return state.openSession(
          state.nextIndex(), open.nonce(), open.owner(), open.timeToLiveMillis());
    }
    if (!earlier.owner().equals(open.owner())) {
      return new Reply.Rejected(Reason.OUT_OF_BOUNDS, "the nonce is another owner's");
    }
    if (!earlier.isOpen()) {
      return sessionEnded(earlier.id());
    }
    earlier.signOfLife(state.clock().nowMillis());
    return new Reply.SessionOpened(earlier.id());
  }

  /**
   * The recorded replies of an ended session, together no longer than {@link
   * Limits#REQUEST_REPLY_BYTES}: a request can ask for one record many times.
   */
  private Response afterSession(StoreState state, Request request) {
    long id = request.sessionId();
    Session session = state.sessions().findEnded(id);
    List<Reply> replies = new ArrayList<>(request.operations().size());
    long left = Limits.REQUEST_REPLY_BYTES;
    for (Request.Operation operation : request.operations()) {
      Reply reply;
      if (session != null) {
        reply = once(state, session, operation, ANY_LENGTH);
      } else if (id < 0
          || Session.openedAt(id) > state.index()
          || !CommandInterpreter.leavesRecord(operation.command())) {
        reply = sessionEnded(id);
      } else {
        reply = new Reply.Unknown("session " + id + " ended too long ago to know");
      }
      long bytes = ReplySize.of(reply);
      if (!replies.isEmpty() && bytes > left) {
        reply = TOO_LONG_TO_REPEAT;
        bytes = ReplySize.of(reply);
      }
      left -= Math.min(left, bytes);
      replies.add(reply);
    }
    return new Response(Response.Status.SESSION_ENDED, "session " + id + " is not open", replies);
  }

  private static Reply sessionEnded(long sessionId) {
    return new Reply.Rejected(
        Reason.SESSION_ENDED,
        sessionId == 0 ? "no session" : "session " + sessionId + " is not open");
  }
}
