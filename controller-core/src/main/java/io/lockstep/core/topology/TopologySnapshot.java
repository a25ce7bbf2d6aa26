package io.lockstep.core.topology;

import io.lockstep.core.link.SwitchPort;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.onlab.graph.AdjacencyListsGraph;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.onosproject.net.provider.ProviderId;
import org.onosproject.net.topology.ClusterId;
import org.onosproject.net.topology.DefaultTopologyCluster;
import org.onosproject.net.topology.DefaultTopologyEdge;
import org.onosproject.net.topology.DefaultTopologyVertex;
import org.onosproject.net.topology.Topology;
import org.onosproject.net.topology.TopologyCluster;
import org.onosproject.net.topology.TopologyEdge;
import org.onosproject.net.topology.TopologyGraph;
import org.onosproject.net.topology.TopologyVertex;

/** One immutable topology as onos-api shows it. Thread-safe. */
final class TopologySnapshot implements Topology {

  private final ProviderId provider;
  private final long generation;
  private final long computeNanos;
  private final Graph graph;
  private final BroadcastTree tree;
  private final Set<SwitchPort> infrastructure = new HashSet<>();
  private final Map<ClusterId, TopologyCluster> clusters = new LinkedHashMap<>();
  private final Map<DeviceId, ClusterId> clusterOf = new HashMap<>();

  /**
   * A snapshot.
   *
   * @param generation grows from one to the next
   * @param computeNanos how long the computation took
   */
  TopologySnapshot(
      ProviderId provider,
      long generation,
      long computeNanos,
      Collection<DeviceId> devices,
      Collection<Link> links,
      BroadcastTree tree) {
    this.provider = provider;
    this.generation = generation;
    this.computeNanos = computeNanos;
    this.tree = tree;
    this.graph = graphOf(devices, links);
    for (Link link : links) {
      infrastructure.add(SwitchPort.of(link.src()));
      infrastructure.add(SwitchPort.of(link.dst()));
    }
    cluster(links);
  }

  private static Graph graphOf(Collection<DeviceId> devices, Collection<Link> links) {
    Map<DeviceId, TopologyVertex> vertices = new LinkedHashMap<>();
    devices.forEach(device -> vertices.put(device, new DefaultTopologyVertex(device)));
    Set<TopologyEdge> edges = new LinkedHashSet<>();
    for (Link link : links) {
      TopologyVertex src =
          vertices.computeIfAbsent(link.src().deviceId(), DefaultTopologyVertex::new);
      TopologyVertex dst =
          vertices.computeIfAbsent(link.dst().deviceId(), DefaultTopologyVertex::new);
      edges.add(new DefaultTopologyEdge(src, dst, link));
    }
    return new Graph(new LinkedHashSet<>(vertices.values()), edges);
  }

  /** Clusters are numbered in the order of their lowest datapath id. */
  private void cluster(Collection<Link> links) {
    Map<Long, TreeSet<Long>> members = new HashMap<>();
    TreeSet<Long> roots = new TreeSet<>(Long::compareUnsigned);
    for (TopologyVertex vertex : graph.getVertexes()) {
      long dpid = SwitchPort.dpid(vertex.deviceId());
      long root = tree.rootOf().getOrDefault(dpid, dpid);
      roots.add(root);
      members.computeIfAbsent(root, r -> new TreeSet<>(Long::compareUnsigned)).add(dpid);
    }
    int number = 0;
    for (long root : roots) {
      ClusterId id = ClusterId.clusterId(number++);
      Set<Long> dpids = members.getOrDefault(root, new TreeSet<>());
      dpids.forEach(dpid -> clusterOf.put(SwitchPort.device(dpid), id));
      int inside = 0;
      for (Link link : links) {
        if (dpids.contains(SwitchPort.dpid(link.src().deviceId()))
            && dpids.contains(SwitchPort.dpid(link.dst().deviceId()))) {
          inside++;
        }
      }
      TopologyVertex rootVertex = new DefaultTopologyVertex(SwitchPort.device(root));
      clusters.put(id, new DefaultTopologyCluster(id, dpids.size(), inside, rootVertex));
    }
  }

  TopologyGraph graph() {
    return graph;
  }

  Map<ClusterId, TopologyCluster> clusters() {
    return clusters;
  }

  Set<DeviceId> devicesOf(ClusterId cluster) {
    Set<DeviceId> devices = new HashSet<>();
    clusterOf.forEach(
        (device, id) -> {
          if (id.equals(cluster)) {
            devices.add(device);
          }
        });
    return devices;
  }

  boolean isInfrastructure(ConnectPoint point) {
    return infrastructure.contains(SwitchPort.of(point));
  }

  boolean isBroadcastPoint(ConnectPoint point) {
    return !isInfrastructure(point) || tree.ports().contains(SwitchPort.of(point));
  }

  @Override
  public long time() {
    return generation;
  }

  @Override
  public long creationTime() {
    return generation;
  }

  @Override
  public long computeCost() {
    return computeNanos;
  }

  @Override
  public int clusterCount() {
    return clusters.size();
  }

  @Override
  public int deviceCount() {
    return graph.getVertexes().size();
  }

  @Override
  public int linkCount() {
    return graph.getEdges().size();
  }

  @Override
  public ProviderId providerId() {
    return provider;
  }

  @Override
  public String toString() {
    return "topology "
        + generation
        + List.of(deviceCount() + " devices", linkCount() + " links", clusterCount() + " clusters");
  }

  private static final class Graph extends AdjacencyListsGraph<TopologyVertex, TopologyEdge>
      implements TopologyGraph {
    Graph(Set<TopologyVertex> vertices, Set<TopologyEdge> edges) {
      super(vertices, edges);
    }
  }
}
