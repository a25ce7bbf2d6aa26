package io.lockstep.store.core;

import io.lockstep.store.MicroComponent;
import io.lockstep.store.Release;
import io.lockstep.store.Reply;
import io.lockstep.store.codec.CodecException;
import io.lockstep.store.codec.Request;
import io.lockstep.store.codec.RequestDecoder;
import io.lockstep.store.codec.RequestEncoder;
import io.lockstep.store.codec.Response;
import io.lockstep.store.codec.ResponseEncoder;
import io.lockstep.store.codec.ResponseWeight;
import io.lockstep.store.engine.ChangeHints;
import io.lockstep.store.engine.OrderedReply;
import io.lockstep.store.engine.OrderedService;
import io.lockstep.store.engine.Rules;
import io.lockstep.store.engine.StateSnapshot;
import io.lockstep.store.machine.ReplacedMachines;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The store as the engine sees it. Each operation takes effect once: an open session's replies are
 * recorded until it acknowledges them, and a copy of an operation gets the recorded reply. Reads
 * leave no record; a copy reads again.
 *
 * <p>Every operation that is carried out takes the next index, whether it succeeds or not; a copy
 * takes none. The expiry of a session takes one, too.
 *
 * <p>Not thread-safe; the engine calls from one thread at a time. An {@link Error} in a micro
 * component, such as a lack of memory, passes through: the replica must halt, since the other
 * replicas may have carried the operation out.
 */
public final class StoreStateMachine implements OrderedService {
  private final RequestRunner runner;
  private final OperationCauses causes;
  private final HistoryBounds bounds;
  private final Rules offered;
  private final TableFollowers followers = new TableFollowers();
  private StoreState state;

  /** For any thread. */
  private volatile StateUse use;

  private final MachineRows machines = new MachineRows();

  private @Nullable PointInTimeSnapshot snapshot;

  /** An empty store whose state may become as large as there is memory; for tests. */
  public StoreStateMachine(Collection<? extends MicroComponent> components) {
    this(components, Rules.MOST_MEGABYTES);
  }

  /**
   * An empty store.
   *
   * @param components the micro components that can be called; the same on every replica
   * @param stateMegabytes how large the state may become, in MiB of memory, 1 to {@link
   *     Rules#MOST_MEGABYTES}; the least value of all replicas is in force
   * @throws IllegalArgumentException where a name is illegal or used twice
   */
  public StoreStateMachine(Collection<? extends MicroComponent> components, int stateMegabytes) {
    this(components, stateMegabytes, Release.newest());
  }

  /**
   * The same for a release that knows versions of the cluster up to another one, for tests.
   *
   * @param newest the newest version, 1 or more
   */
  public StoreStateMachine(
      Collection<? extends MicroComponent> components, int stateMegabytes, int newest) {
    this(components, stateMegabytes, HistoryBounds.STANDARD, newest);
  }

  StoreStateMachine(Collection<? extends MicroComponent> components, HistoryBounds bounds) {
    this(components, Rules.MOST_MEGABYTES, bounds, Release.newest());
  }

  private StoreStateMachine(
      Collection<? extends MicroComponent> components,
      int stateMegabytes,
      HistoryBounds bounds,
      int newest) {
    CommandInterpreter interpreter = new CommandInterpreter(new Components(components));
    this.runner = new RequestRunner(interpreter);
    this.causes = interpreter.causes();
    this.offered = new Rules(newest, stateMegabytes);
    this.bounds = bounds;
    this.state = new StoreState(bounds);
    this.use = StateUse.of(state);
  }

  /**
   * The most heap that a store with this limit uses, in bytes: the state with its histories and
   * recorded replies, and the replies to one batch.
   */
  public static long heapBytes(int stateMegabytes) {
    return ((long) stateMegabytes << 20) + Limits.BATCH_OWN_BYTES;
  }

  /**
   * A response that refers to values of the state, which never change: it is cheap until it is
   * encoded, and a replay drops it without encoding.
   */
  private static final class Answer implements OrderedReply.Content {
    private final Response response;

    /** Computed at the first call; two threads may both compute it. 0 before. */
    private volatile long weight;

    Answer(Response response) {
      this.response = response;
    }

    @Override
    public long weight() {
      long known = weight;
      if (known == 0) {
        known = ResponseWeight.of(response);
        weight = known;
      }
      return known;
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
    long ownBytes = 0;
    for (byte[] request : requests) {
      state.tables().dependency().clear();
      Response response = answer(request);
      for (Reply reply : response.replies()) {
        ownBytes += ReplySize.ownBytes(reply);
      }
      // Without this bound one batch of many small requests could use up the memory, and again in
      // each replay.
      replies.add(
          ownBytes <= Limits.BATCH_OWN_BYTES || replies.isEmpty()
              ? new OrderedReply(new Answer(response), state.tables().dependency().newest())
              : OrderedReply.DROPPED);
    }
    // After the requests: a sign of life in this batch still saves its session.
    state.expireSessions();
    followers.applied(state.tables());
    machines.applied(state.tables());
    use = StateUse.of(state);
    return replies;
  }

  /**
   * The same for one request that is its own batch and needs no bytes.
   *
   * @param timeMillis as in {@link OrderedService#apply}
   */
  public Response apply(long timeMillis, Request request) {
    state.clock().advance(timeMillis);
    causes.count(request);
    Response response = runner.run(state, request);
    state.expireSessions();
    followers.applied(state.tables());
    machines.applied(state.tables());
    use = StateUse.of(state);
    return response;
  }

  private Response answer(byte[] bytes) {
    try {
      Request request = RequestDecoder.decode(bytes, state.rules().number());
      causes.count(request);
      return runner.run(state, request);
    } catch (CodecException malformed) {
      causes.malformed();
      return new Response(
          Response.Status.MALFORMED, String.valueOf(malformed.getMessage()), List.of());
    }
  }

  @Override
  public Rules offered() {
    return offered;
  }

  @Override
  public Rules rules() {
    return state.rules();
  }

  @Override
  public void adopt(Rules rules) {
    OrderedService.super.adopt(rules);
    if (rules.number() > 1 && rules.number() >= state.rules().number()) {
      state.adopt(rules);
    }
  }

  @Override
  public int permitted() {
    return state.permitted();
  }

  @Override
  public int requestVersion() {
    return RequestEncoder.VERSION;
  }

  @Override
  public long index() {
    return state.index();
  }

  @Override
  public OptionalLong lastTimeMillis() {
    OrderedClock clock = state.clock();
    return clock.started() ? OptionalLong.of(clock.leaderMillis()) : OptionalLong.empty();
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

  @Override
  public void reset() {
    state = new StoreState(bounds);
    machines.replaced(state.tables());
  }

  /**
   * @throws CodecException where {@code in} is not a snapshot of a known version; the state is then
   *     as it was
   */
  @Override
  public void restore(InputStream in) throws IOException {
    state = SnapshotDecoder.decode(in, bounds, offered.number());
    followers.applied(state.tables());
    machines.replaced(state.tables());
    use = StateUse.of(state);
  }

  /** How many operations were ordered, by what they were for. Any thread. */
  public Map<String, Long> operations() {
    return causes.counts();
  }

  /** What the state takes of memory, and may take, after the last batch. Any thread. */
  public StateUse use() {
    return use;
  }

  @Override
  public ReplacedMachines machines() {
    return machines.present();
  }

  @Override
  public ChangeHints hints() {
    return followers;
  }
}
