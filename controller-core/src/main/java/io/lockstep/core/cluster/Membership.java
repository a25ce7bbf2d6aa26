package io.lockstep.core.cluster;

import static io.lockstep.core.state.Continuations.after;

import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.ReplyWords;
import io.lockstep.core.state.TableView;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.logging.BoundedLog;
import io.lockstep.store.machine.ReplacedMachines;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.WriteOutcome;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * This node's place in the cluster. Its session with the store is its lease: while the lease surely
 * holds, the node takes part; when it runs out (no quorum answers), the node steps down by itself,
 * and it comes back when the lease holds again or a new session is open.
 *
 * <p>Owned by the control loop; what is not marked otherwise is called there.
 */
public final class Membership {
  private static final BoundedLog log = BoundedLog.of(Membership.class);

  /** How often a node that does not take part looks whether its lease holds. */
  private static final long LEASE_CHECK_MILLIS = 25;

  /** A lease that holds is looked at when it would run out, and this often. */
  private static final long LEASE_LOOK_MILLIS = 1_000;

  private static final long RETRY_MILLIS = 200;

  /** Each attempt waits for the store as long as its client does. */
  private static final int MAX_END_ATTEMPTS = 50;

  private final NodeConfig config;
  private final String version;
  private final StoreClient store;
  private final Store typed;
  private final ControlLoop loop;
  private final NodeState state;
  private final Lease lease;
  private final TableView<String, NodeRecord> nodes;
  private final TableView<Long, String> sessions;
  private final TableView<String, ReplacedMachines> machines;
  private final CopyOnWriteArrayList<Listener> listeners = new CopyOnWriteArrayList<>();

  /** The open session, whether joined or not; 0 where there is none. */
  private long session;

  /** The session under which this node's record is in the store and visible here, or 0. */
  private long joined;

  private boolean predecessorsEnded;
  private volatile long active;
  private volatile boolean retiring;
  private volatile String reason = "the node is starting: no session with the store yet";

  /**
   * A member that has not joined.
   *
   * @param store whose session it follows
   * @param typed the same store
   * @param version of this node's software, at most 64 bytes of UTF-8
   */
  public Membership(
      NodeConfig config,
      String version,
      StoreClient store,
      Store typed,
      NodeState state,
      Lease lease) {
    this.config = config;
    this.version = version;
    this.store = store;
    this.typed = typed;
    this.loop = state.loop();
    this.state = state;
    this.lease = lease;
    this.nodes = state.declare(NodeTable.NAME, new NodeTable());
    this.sessions = state.declare(SessionTable.NAME, new SessionTable());
    this.machines = state.declare(MachineTable.NAME, new MachineTable());
  }

  /** Begins to follow the session; from any thread, once, after the state was started. */
  public void start() {
    store.onSessionChange(
        new StoreClient.SessionListener() {
          @Override
          public void opened(long sessionId) {
            loop.execute(() -> sessionOpened(sessionId));
          }

          @Override
          public void ended(long sessionId) {
            loop.execute(() -> sessionEnded(sessionId));
          }
        });
    loop.execute(
        () -> {
          long already = store.session().sessionId();
          if (already != 0) {
            sessionOpened(already);
          }
        });
    loop.execute(this::watchLease);
  }

  /** Looks at the lease when it can have changed; {@link Lease#holds} itself is exact. */
  private void watchLease() {
    checkLease();
    long millis = LEASE_CHECK_MILLIS;
    if (active != 0) {
      // What is left of a millisecond counts as one: a look before the end would see no change.
      long left = TimeUnit.NANOSECONDS.toMillis(lease.leftNanos() + 999_999);
      millis = Math.max(1, Math.min(LEASE_LOOK_MILLIS, left));
    }
    loop.schedule(millis, this::watchLease);
  }

  /** Adds a listener before the start; it is called on the control loop. */
  public void addListener(Listener listener) {
    listeners.add(listener);
  }

  /**
   * The session under which this node takes part now, or 0 where it has no quorum. Thread-safe; for
   * certainty ask {@link Lease#holds} as well.
   */
  public long activeSession() {
    return active;
  }

  /** Why the node does not take part; empty where it does. Thread-safe. */
  public String inactiveReason() {
    return active != 0 ? "" : reason;
  }

  /** The lease of this node's session. */
  public Lease lease() {
    return lease;
  }

  /** The nodes that ever joined. Thread-safe. */
  public TableView<String, NodeRecord> nodes() {
    return nodes;
  }

  /** The machines that have replaced others, under one key. Thread-safe. */
  TableView<String, ReplacedMachines> machines() {
    return machines;
  }

  /** Where a peer's node is by the newest that this node knows. Thread-safe. */
  Member present(NodeConfig config, Member peer) {
    ReplacedMachines now = machines.known(MachineTable.KEY);
    return now == null
        ? peer
        : MachineAddresses.applied(config.processes(), now).stream()
            .filter(one -> one.kind() == ListedProcess.Kind.NODE && one.id().equals(peer.nodeId()))
            .findFirst()
            .map(one -> new Member(peer.nodeId(), one.host(), one.port()))
            .orElse(peer);
  }

  /** The open sessions of the store. Thread-safe. */
  public TableView<Long, String> sessions() {
    return sessions;
  }

  /** Whether a session is open, as this node knows. Thread-safe. */
  public boolean sessionOpen(long sessionId) {
    return sessions.held(sessionId) != null;
  }

  /** The open session of a node, or 0, as this node knows. Thread-safe. */
  public long sessionOf(String node) {
    NodeRecord known = nodes.known(node);
    return known != null && sessionOpen(known.sessionId()) ? known.sessionId() : 0;
  }

  /** The same, but 0 for a node that starts or stops and should be given nothing. Thread-safe. */
  public long availableSessionOf(String node) {
    NodeRecord known = nodes.known(node);
    return known != null && known.ready() ? sessionOf(node) : 0;
  }

  /** Whether a node is this one. */
  public boolean isSelf(String node) {
    return node.equals(config.nodeId());
  }

  /** Whether this node stops: it takes part, but takes no domain any more. Thread-safe. */
  public boolean retiring() {
    return retiring;
  }

  /** This node stops: the others are to give it nothing any more. Control loop. */
  public void retire() {
    retiring = true;
    if (joined != 0) {
      join(joined, false);
    }
  }

  /** The nodes whose session is open, and that session, by name. Thread-safe. */
  public Map<String, Long> liveNodes() {
    Map<String, Long> live = new TreeMap<>();
    for (String node : nodes.entries().keySet()) {
      long open = sessionOf(node);
      if (open != 0) {
        live.put(node, open);
      }
    }
    return live;
  }

  private void sessionOpened(long sessionId) {
    if (sessionId != session) {
      if (session != 0) {
        sessionEnded(session);
      }
      session = sessionId;
      log.info(config.nodeId(), "{}: session {} is open", config.nodeId(), sessionId);
      join(sessionId, false);
    }
  }

  private void sessionEnded(long sessionId) {
    if (sessionId != session) {
      return;
    }
    session = 0;
    joined = 0;
    stepDown("session " + sessionId + " ended");
  }

  private void join(long sessionId, boolean wasReady) {
    if (sessionId != session) {
      return;
    }
    boolean ready = wasReady && !retiring;
    after(
        typed.call(JoinCluster.COMPONENT, JoinCluster.Join.of(config.self(), version, ready)),
        loop,
        outcome -> joinAnswered(sessionId, ready, outcome));
  }

  private void joinAnswered(
      long sessionId, boolean ready, WriteOutcome<JoinCluster.Joined> outcome) {
    if (sessionId == session) {
      // To join twice is as good as once, so an unknown outcome is tried again, too.
      Consumer<String> again = why -> notJoined(sessionId, ready, why);
      outcome.handle(
          result -> result.ifDone(answer -> joined(sessionId, ready, answer), again), again);
    }
  }

  private void joined(long sessionId, boolean ready, JoinCluster.Joined answer) {
    if (!ready && !retiring) {
      state.whenVisible(answer.index(), () -> joinVisible(sessionId, answer.otherSession()));
    }
  }

  private void notJoined(long sessionId, boolean ready, String why) {
    log.warn("join", "{}: cannot join under session {} yet: {}", config.nodeId(), sessionId, why);
    loop.schedule(RETRY_MILLIS, () -> join(sessionId, ready));
  }

  /** The views show at least what was there when the session joined. */
  private void joinVisible(long sessionId, long otherSession) {
    if (sessionId != session) {
      return;
    }
    if (!predecessorsEnded) {
      predecessorsEnded = true;
      endPredecessors(sessionId);
    } else if (otherSession != 0) {
      log.error(
          "twice",
          "another process takes part as node {} under session {}: node ids must be unique",
          config.nodeId(),
          otherSession);
    }
    joined = sessionId;
    checkLease();
    join(sessionId, true);
  }

  /** The sessions that earlier runs of this node left behind: their process is gone. */
  private void endPredecessors(long sessionId) {
    for (Map.Entry<Long, TableView.Held<String>> open : sessions.entries().entrySet()) {
      if (open.getValue().value().equals(config.nodeId()) && open.getKey() != sessionId) {
        log.info(
            config.nodeId(),
            "{}: ending session {} of an earlier run",
            config.nodeId(),
            open.getKey());
        endSession(config.nodeId(), open.getKey(), MAX_END_ATTEMPTS);
      }
    }
  }

  /**
   * A witness knows that the process that had this session is gone: ends the session, unless it has
   * ended already. Any thread.
   */
  void processGone(String node, long sessionId) {
    loop.execute(() -> endSession(node, sessionId, MAX_END_ATTEMPTS));
  }

  private void endSession(String node, long sessionId, int attempts) {
    if (sessionId == session || !sessionOpen(sessionId) || attempts == 0) {
      return;
    }
    after(
        store.submit(new Command.CloseSession(sessionId)),
        loop,
        reply -> {
          boolean ended = reply instanceof Reply.Applied || reply instanceof Reply.Absent;
          log.info(
              node,
              "session {} of {}, whose process is gone, {}",
              sessionId,
              node,
              ended ? "has ended" : "could not be ended yet: " + ReplyWords.of(reply));
          if (!ended) {
            loop.schedule(RETRY_MILLIS, () -> endSession(node, sessionId, attempts - 1));
          }
        });
  }

  private void checkLease() {
    if (joined == 0) {
      return;
    }
    boolean holds = lease.holds(joined);
    if (holds && active == 0) {
      active = joined;
      log.info(config.nodeId(), "{}: takes part under session {}", config.nodeId(), joined);
      listeners.forEach(listener -> listener.quorumGained(joined));
    } else if (!holds && active != 0) {
      stepDown("no quorum: the lease of session " + joined + " ran out");
    }
  }

  private void stepDown(String why) {
    reason = why;
    if (active == 0) {
      return;
    }
    active = 0;
    log.warn(config.nodeId(), "{}: steps down: {}", config.nodeId(), why);
    listeners.forEach(listener -> listener.quorumLost(why));
  }

  /** The node's record as it is known here, or null. Thread-safe. */
  public @Nullable NodeRecord record(String node) {
    return nodes.known(node);
  }

  /** Hears, on the control loop, whether this node takes part. */
  public interface Listener {

    /** The node takes part from now on, under this session: a new one or the one it had before. */
    void quorumGained(long sessionId);

    /** The node must not act for the cluster. */
    void quorumLost(String reason);
  }
}
