package io.lockstep.core.cluster;

import static io.lockstep.core.state.Continuations.after;

import io.lockstep.core.cluster.PublishConnections.Connected;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.TableView;
import io.lockstep.store.Bytes;
import io.lockstep.store.logging.BoundedLog;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.WriteOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes are connected to which switches: publishes this node's and knows the others'. One
 * write is on its way at a time and carries everything. The first change is written at once, those
 * of the next {@link #PACE_MILLIS} together: a burst of n changes costs neither n writes nor n
 * times n entries. Owned by the control loop.
 */
public final class Connections implements Membership.Listener {
  private static final BoundedLog log = BoundedLog.of(Connections.class);
  private static final long RETRY_MILLIS = 200;

  /** Between two writes, at least. */
  static final long PACE_MILLIS = 25;

  private final String node;
  private final Store store;
  private final ControlLoop loop;
  private final Membership membership;
  private final TableView<ConnectionTable.Key, Long> view;
  private final TreeSet<Long> own = new TreeSet<>();
  private boolean changed;

  /** Whether a write is on its way, or was so just now. */
  private boolean inFlight;

  /** Nothing is connected yet. */
  public Connections(NodeConfig config, Store store, NodeState state, Membership membership) {
    this.node = config.nodeId();
    this.store = store;
    this.loop = state.loop();
    this.membership = membership;
    this.view = state.declare(ConnectionTable.NAME, new ConnectionTable());
    membership.addListener(this);
  }

  /** What all nodes said. Thread-safe. */
  public TableView<ConnectionTable.Key, Long> view() {
    return view;
  }

  /** This node's connection to a switch opened; control loop only. */
  public void opened(long dpid) {
    if (own.size() >= PublishConnections.MAX_SWITCHES && !own.contains(dpid)) {
      log.error(
          "too many", "switch {} is one too many: it is not published", Long.toHexString(dpid));
      return;
    }
    if (own.add(dpid)) {
      changed = true;
      publish();
    }
  }

  /** This node's connection to a switch closed; control loop only. */
  public void closed(long dpid) {
    if (own.remove(dpid)) {
      changed = true;
      publish();
    }
  }

  /** Whether this node is connected to a switch now; control loop only. */
  public boolean own(long dpid) {
    return own.contains(dpid);
  }

  /** Whether a living node says that it is connected to a switch. Thread-safe. */
  public boolean connected(String of, long dpid) {
    Long session = view.known(new ConnectionTable.Key(of, dpid));
    return session != null && membership.sessionOf(of) == session;
  }

  /**
   * What a node said of its connection to a switch: the session in which it did, and the version of
   * the entry, which is another one after each reconnection. Null where it said nothing.
   * Thread-safe.
   */
  public TableView.@Nullable Held<Long> held(String of, long dpid) {
    return view.held(new ConnectionTable.Key(of, dpid));
  }

  /** The living nodes that are connected to a switch, by name. Thread-safe. */
  public List<String> nodesOf(long dpid) {
    List<String> connected = new ArrayList<>();
    for (String candidate : membership.liveNodes().keySet()) {
      if (connected(candidate, dpid)) {
        connected.add(candidate);
      }
    }
    return connected;
  }

  @Override
  public void quorumGained(long sessionId) {
    changed = true;
    publish();
  }

  @Override
  public void quorumLost(String reason) {}

  private void publish() {
    if (!changed || inFlight || membership.activeSession() == 0) {
      return;
    }
    changed = false;
    inFlight = true;
    Connected connected = new Connected(node, List.copyOf(own));
    after(store.call(PublishConnections.COMPONENT, connected), loop, this::answered);
  }

  private void answered(WriteOutcome<Bytes> outcome) {
    // To publish twice is as good as once, so an unknown outcome is tried again, too.
    outcome.handle(
        result -> result.ifDone(done -> publishAgain(PACE_MILLIS), this::notPublished),
        this::notPublished);
  }

  private void notPublished(String why) {
    log.warn(node, "{}: its connections could not be published: {}", node, why);
    changed = true;
    publishAgain(RETRY_MILLIS);
  }

  private void publishAgain(long delayMillis) {
    loop.schedule(
        delayMillis,
        () -> {
          inFlight = false;
          publish();
        });
  }
}
