package io.lockstep.core.cluster;

import io.lockstep.core.state.ListenerRegistry;
import io.lockstep.core.state.TableView;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.IpAddress;
import org.onosproject.cluster.ClusterEvent;
import org.onosproject.cluster.ClusterEventListener;
import org.onosproject.cluster.ClusterService;
import org.onosproject.cluster.ControllerNode;
import org.onosproject.cluster.DefaultControllerNode;
import org.onosproject.cluster.Node;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.Version;

/**
 * onos-api's cluster service over the node's views. A node is active while its session is open,
 * ready when it says so, and inactive otherwise, whatever it may think itself. Thread-safe.
 */
public final class StoreClusterService implements ClusterService {
  private final NodeConfig config;
  private final Membership membership;
  private final ListenerRegistry<ClusterEvent, ClusterEventListener> listeners;

  /** What the listeners were told last; control loop only. */
  private final Map<String, ControllerNode.State> told = new HashMap<>();

  /** When a node's state last changed, by the local clock, in milliseconds since 1970. */
  private final ConcurrentHashMap<String, Long> changedMillis = new ConcurrentHashMap<>();

  /** A service over the members' views; events are delivered on {@code events}. */
  public StoreClusterService(NodeConfig config, Membership membership, Executor events) {
    this.config = config;
    this.membership = membership;
    this.listeners = new ListenerRegistry<>(events);
    membership.nodes().addListener((node, old, now) -> review());
    membership.sessions().addListener((session, old, now) -> review());
  }

  @Override
  public ControllerNode getLocalNode() {
    Member self = config.self();
    return node(self.nodeId(), self.host(), self.witnessPort());
  }

  @Override
  public Set<ControllerNode> getNodes() {
    Set<ControllerNode> nodes = new LinkedHashSet<>();
    for (Member member : config.members()) {
      nodes.add(node(member.nodeId(), member.host(), member.witnessPort()));
    }
    for (Map.Entry<String, TableView.Held<NodeRecord>> known :
        membership.nodes().entries().entrySet()) {
      NodeRecord record = known.getValue().value();
      nodes.add(node(known.getKey(), record.host(), record.port()));
    }
    return nodes;
  }

  @Override
  public Set<Node> getConsensusNodes() {
    return new LinkedHashSet<>(getNodes());
  }

  /** Null where no node of this name is configured or known, as onos-api has it. */
  @Override
  @SuppressWarnings("NullAway") // onos-api answers null and says so only in its documentation.
  public ControllerNode getNode(NodeId nodeId) {
    return find(nodeId);
  }

  private @Nullable ControllerNode find(NodeId nodeId) {
    for (ControllerNode node : getNodes()) {
      if (node.id().equals(nodeId)) {
        return node;
      }
    }
    return null;
  }

  @Override
  public ControllerNode.State getState(NodeId nodeId) {
    return state(nodeId.id());
  }

  private ControllerNode.State state(String node) {
    NodeRecord record = membership.record(node);
    if (record == null || !membership.sessionOpen(record.sessionId())) {
      return ControllerNode.State.INACTIVE;
    }
    return record.ready() ? ControllerNode.State.READY : ControllerNode.State.ACTIVE;
  }

  /** The version of a node's software; null where it never joined or has another form. */
  @Override
  @SuppressWarnings("NullAway") // As getNode.
  public Version getVersion(NodeId nodeId) {
    NodeRecord record = membership.record(nodeId.id());
    return record == null ? null : Versions.parse(record.version());
  }

  @Override
  public Instant getLastUpdatedInstant(NodeId nodeId) {
    Long millis = changedMillis.get(nodeId.id());
    return millis == null ? Instant.EPOCH : Instant.ofEpochMilli(millis);
  }

  @Override
  public void addListener(ClusterEventListener listener) {
    listeners.addListener(listener);
  }

  @Override
  public void removeListener(ClusterEventListener listener) {
    listeners.removeListener(listener);
  }

  /** Tells what changed since the last review; control loop. */
  private void review() {
    for (ControllerNode node : getNodes()) {
      String name = node.id().id();
      ControllerNode.State now = state(name);
      ControllerNode.State before = told.getOrDefault(name, ControllerNode.State.INACTIVE);
      if (now == before) {
        continue;
      }
      told.put(name, now);
      long millis = System.currentTimeMillis();
      changedMillis.put(name, millis);
      if (now == ControllerNode.State.INACTIVE) {
        post(ClusterEvent.Type.INSTANCE_DEACTIVATED, node, millis);
        continue;
      }
      if (before == ControllerNode.State.INACTIVE) {
        post(ClusterEvent.Type.INSTANCE_ACTIVATED, node, millis);
      }
      if (now == ControllerNode.State.READY) {
        post(ClusterEvent.Type.INSTANCE_READY, node, millis);
      }
    }
  }

  private void post(ClusterEvent.Type type, ControllerNode node, long millis) {
    listeners.post(new ClusterEvent(type, node, millis));
  }

  private static ControllerNode node(String name, String host, int port) {
    NodeId id = NodeId.nodeId(name);
    try {
      return new DefaultControllerNode(id, IpAddress.valueOf(host), port);
    } catch (IllegalArgumentException hostName) {
      return new DefaultControllerNode(id, host, port);
    }
  }
}
