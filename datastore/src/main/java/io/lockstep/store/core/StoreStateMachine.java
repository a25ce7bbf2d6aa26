package io.lockstep.store.core;

import io.lockstep.store.Command;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.Reply.Reason;
import io.lockstep.store.codec.CodecException;
import io.lockstep.store.codec.Request;
import io.lockstep.store.codec.RequestDecoder;
import io.lockstep.store.codec.RequestEncoder;
import io.lockstep.store.codec.Response;
import io.lockstep.store.codec.ResponseEncoder;
import io.lockstep.store.codec.ResponseWeight;
import io.lockstep.store.engine.OrderedReply;
import io.lockstep.store.engine.OrderedService;
import io.lockstep.store.engine.StateSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The store as the engine sees it. Each operation takes effect once: an open session's replies are
 * recorded until it acknowledges them, and a copy of an operation gets the recorded reply. Reads
 * leave no record; a copy reads again.
 *
 * <p>Every operation that is carried out takes the next index, whatever comes of it; a copy takes
 * none. A session that expires takes one too.
 *
 * <p>Not thread-safe; the engine calls from one thread at a time. An {@link Error} in a micro
 * component, such as a lack of memory, passes through: the replica must halt, since the others may
 * not have had it.
 */
public final class StoreStateMachine implements OrderedService {
  /**
   * The most that consensus-ordered time passes from one batch to the next, in milliseconds. A loss
   * of quorum ages every lease by this much and no more.
   */
  public static final long MAX_TIME_STEP_MILLIS = OrderedClock.MAX_STEP_MILLIS;

  private final CommandInterpreter interpreter;
  private final HistoryBounds bounds;
  private StoreState state;
  private @Nullable PointInTimeSnapshot snapshot;

  /**
   * An empty store.
   *
   * @param components the micro components that can be called; the same on every replica
   * @throws IllegalArgumentException where a name is illegal or used twice
   */
  public StoreStateMachine(Collection<? extends MicroComponent> components) {
    this(components, HistoryBounds.STANDARD);
  }

  StoreStateMachine(Collection<? extends MicroComponent> components, HistoryBounds bounds) {
    this.interpreter = new CommandInterpreter(components);
    this.bounds = bounds;
    this.state = new StoreState(bounds);
  }

  /**
   * A response that refers to values of the state, which never change: it costs next to nothing
   * until it is encoded, and nothing at all where it is dropped, as in replay.
   */
  private record Answer(Response response) implements OrderedReply.Content {
    @Override
    public long weight() {
      return ResponseWeight.of(response);
    }

    @Override
    public byte[] encode() {
      return ResponseEncoder.encode(response);
    }
  }

  @Override
  public List<OrderedReply> apply(long instance, long timeMillis, List<byte[]> requests) {
    state.clock().advance(timeMillis);
    List<OrderedReply> replies = new ArrayList<>(requests.size());
    for (byte[] request : requests) {
      state.tables().basis().clear();
      Response response = answer(request);
      replies.add(new OrderedReply(new Answer(response), state.tables().basis().newest()));
    }
    // After the requests: a sign of life in this batch still saves its session.
    state.expireSessions();
    return replies;
  }

  /**
   * The same for one request that is its own batch and needs no bytes.
   *
   * @param timeMillis as in {@link OrderedService#apply}
   */
  public Response apply(long timeMillis, Request request) {
    state.clock().advance(timeMillis);
    Response response = answer(request);
    state.expireSessions();
    return response;
  }

  @Override
  public int requestVersion() {
    return RequestEncoder.VERSION;
  }

  @Override
  public long index() {
    return state.index();
  }

  /** Consensus-ordered time in milliseconds. */
  public long timeMillis() {
    return state.clock().nowMillis();
  }

  /** Whether this session is open now. */
  public boolean sessionAlive(long sessionId) {
    return state.sessions().findOpen(sessionId) != null;
  }

  @Override
  public StateSnapshot snapshot() {
    if (snapshot != null && snapshot.isOpen()) {
      throw new IllegalStateException("a snapshot is open already");
    }
    snapshot = PointInTimeSnapshot.begin(state);
    return snapshot;
  }

  /**
   * @throws CodecException where {@code in} is not a snapshot of this version; the state is then as
   *     it was
   */
  @Override
  public void restore(InputStream in) throws IOException {
    state = SnapshotDecoder.decode(in, bounds);
  }

  private Response answer(byte[] bytes) {
    Request request;
    try {
      request = RequestDecoder.decode(bytes);
    } catch (CodecException malformed) {
      return new Response(
          Response.Status.MALFORMED, String.valueOf(malformed.getMessage()), List.of());
    }
    return answer(request);
  }

  private Response answer(Request request) {
    long id = request.sessionId();
    Session session = id == 0 ? null : state.sessions().findOpen(id);
    if (session == null || !onlyReads(request)) {
      state.tables().basis().onItsBatch();
    }
    if (id == 0) {
      return answerWithoutSession(request);
    } else if (session == null) {
      return answerAfterSession(request);
    }
    session.signOfLife(state.clock().nowMillis());
    session.records().acknowledgeBelow(request.acknowledgedBelow());
    List<Reply> replies = new ArrayList<>(request.operations().size());
    for (Request.Operation operation : request.operations()) {
      replies.add(once(session, operation.operationId(), operation.command()));
    }
    return new Response(Response.Status.OK, "", onlyReads(request) ? cut(replies) : replies);
  }

  /**
   * The first replies to commands that only read, as many as fit into {@link Limits#READ_BYTES}, at
   * least one: the client asks again for the rest. All were carried out, so that the index does not
   * depend on what the answer says.
   */
  private static List<Reply> cut(List<Reply> replies) {
    long bytes = 0;
    for (int i = 0; i < replies.size(); i++) {
      bytes += ResponseWeight.of(replies.get(i));
      if (bytes > Limits.READ_BYTES && i > 0) {
        return replies.subList(0, i);
      }
    }
    return replies;
  }

  /** A bare sign of life is not one: what it is for is that it lasts. */
  private static boolean onlyReads(Request request) {
    for (Request.Operation operation : request.operations()) {
      if (!operation.command().isRead()) {
        return false;
      }
    }
    return !request.operations().isEmpty();
  }

  private Reply once(Session session, long operationId, Command command) {
    OperationRecords records = session.records();
    if (operationId < records.acknowledgedBelow()) {
      return acknowledged();
    }
    Reply recorded = records.find(operationId);
    if (recorded != null) {
      return recorded;
    }
    if (!session.isOpen()) {
      return sessionEnded(session.id());
    }
    if (!CommandInterpreter.leavesRecord(command)) {
      return interpreter.interpret(state, session, command, state.nextIndex());
    }
    if (!records.admits(operationId)) {
      return new Reply.Rejected(
          Reason.OUT_OF_BOUNDS,
          "too many unacknowledged operations: operation "
              + operationId
              + ", acknowledged below "
              + records.acknowledgedBelow());
    }
    Reply reply = interpreter.interpret(state, session, command, state.nextIndex());
    records.record(operationId, reply);
    return reply;
  }

  private Response answerWithoutSession(Request request) {
    List<Reply> replies = new ArrayList<>(request.operations().size());
    for (Request.Operation operation : request.operations()) {
      replies.add(
          operation.command() instanceof Command.OpenSession open
              ? openSession(open)
              : sessionEnded(0));
    }
    return new Response(Response.Status.OK, "", replies);
  }

  private Reply openSession(Command.OpenSession open) {
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

  private Response answerAfterSession(Request request) {
    long id = request.sessionId();
    Session session = state.sessions().findEnded(id);
    List<Reply> replies = new ArrayList<>(request.operations().size());
    for (Request.Operation operation : request.operations()) {
      if (session != null) {
        replies.add(once(session, operation.operationId(), operation.command()));
      } else if (id < 0
          || Session.openedAt(id) > state.index()
          || !CommandInterpreter.leavesRecord(operation.command())) {
        replies.add(sessionEnded(id));
      } else {
        replies.add(new Reply.Unknown("session " + id + " ended too long ago to know"));
      }
    }
    return new Response(Response.Status.SESSION_ENDED, "session " + id + " is not open", replies);
  }

  private static Reply acknowledged() {
    return new Reply.Unknown("the operation was acknowledged or given up; it is not applied now");
  }

  private static Reply sessionEnded(long sessionId) {
    return new Reply.Rejected(
        Reason.SESSION_ENDED,
        sessionId == 0 ? "no session" : "session " + sessionId + " is not open");
  }
}
