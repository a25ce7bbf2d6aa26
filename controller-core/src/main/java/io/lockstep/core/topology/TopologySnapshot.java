package io.lockstep.core.topology;

import io.lockstep.core.link.SwitchPort;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
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

/**
 * One immutable topology as onos-api shows it. The graph and the clusters are computed when they
 * are asked for the first time: while hundreds of switches connect there are many topologies, and
 * few are looked at. Thread-safe.
 */
final class TopologySnapshot implements Topology {

  private final ProviderId provider;
  private final long generation;
  private final long computeNanos;
  private final Collection<DeviceId> devices;
  private final Collection<Link> links;
  private final BroadcastTree tree;

  /** Guarded by this. */
  private @Nullable Computed computed;

  /** What is computed from devices, links and tree. */
  private record Computed(
      Graph graph,
      Set<SwitchPort> infrastructure,
      Map<ClusterId, TopologyCluster> clusters,
      Map<DeviceId, ClusterId> clusterOf) {}

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
    this.devices = List.copyOf(devices);
    this.links = List.copyOf(links);
    this.tree = tree;
  }

  private synchronized Computed computed() {
    Computed known = computed;
    if (known == null) {
      known = compute();
      computed = known;
    }
    return known;
  }

  private Computed compute() {
    Graph graph = graphOf(devices, links);
    Set<SwitchPort> infrastructure = new HashSet<>();
    for (Link link : links) {
      infrastructure.add(SwitchPort.of(link.src()));
      infrastructure.add(SwitchPort.of(link.dst()));
    }
    Map<ClusterId, TopologyCluster> clusters = new LinkedHashMap<>();
    Map<DeviceId, ClusterId> clusterOf = new HashMap<>();
    cluster(graph, clusters, clusterOf);
    return new Computed(graph, infrastructure, clusters, clusterOf);
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
  private void cluster(
      Graph graph, Map<ClusterId, TopologyCluster> clusters, Map<DeviceId, ClusterId> clusterOf) {
    TreeMap<Long, Set<DeviceId>> members = new TreeMap<>(Long::compareUnsigned);
    for (TopologyVertex vertex : graph.getVertexes()) {
      long dpid = SwitchPort.dpid(vertex.deviceId());
      long root = tree.rootOf().getOrDefault(dpid, dpid);
      members.computeIfAbsent(root, r -> new HashSet<>()).add(vertex.deviceId());
    }
    List<ClusterId> ids = new ArrayList<>();
    for (Set<DeviceId> devicesInside : members.values()) {
      ClusterId id = ClusterId.clusterId(ids.size());
      ids.add(id);
      devicesInside.forEach(device -> clusterOf.put(device, id));
    }
    Map<ClusterId, Integer> inside = new HashMap<>();
    for (Link link : links) {
      ClusterId id = clusterOf.get(link.src().deviceId());
      if (id != null && id.equals(clusterOf.get(link.dst().deviceId()))) {
        inside.merge(id, 1, Integer::sum);
      }
    }
    int number = 0;
    for (Map.Entry<Long, Set<DeviceId>> one : members.entrySet()) {
      ClusterId id = ids.get(number++);
      TopologyVertex root = new DefaultTopologyVertex(SwitchPort.device(one.getKey()));
      clusters.put(
          id,
          new DefaultTopologyCluster(id, one.getValue().size(), inside.getOrDefault(id, 0), root));
    }
  }

  TopologyGraph graph() {
    return computed().graph();
  }

  Map<ClusterId, TopologyCluster> clusters() {
    return computed().clusters();
  }

  Set<DeviceId> devicesOf(ClusterId cluster) {
    Set<DeviceId> devices = new HashSet<>();
    computed()
        .clusterOf()
        .forEach(
            (device, id) -> {
              if (id.equals(cluster)) {
                devices.add(device);
              }
            });
    return devices;
  }

  boolean isInfrastructure(ConnectPoint point) {
    return computed().infrastructure().contains(SwitchPort.of(point));
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
    return computed().clusters().size();
  }

  @Override
  public int deviceCount() {
    return computed().graph().getVertexes().size();
  }

  @Override
  public int linkCount() {
    return computed().graph().getEdges().size();
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
