package io.lockstep.core.topology;

import io.lockstep.core.link.DirectedLink;
import io.lockstep.core.state.ListenerRegistry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.onlab.graph.DijkstraGraphSearch;
import org.onlab.graph.DisjointPathPair;
import org.onlab.graph.GraphPathSearch;
import org.onlab.graph.LazyKShortestPathsSearch;
import org.onlab.graph.SrlgGraphSearch;
import org.onlab.graph.SuurballeGraphSearch;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultDisjointPath;
import org.onosproject.net.DefaultPath;
import org.onosproject.net.DeviceId;
import org.onosproject.net.DisjointPath;
import org.onosproject.net.Link;
import org.onosproject.net.Path;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.link.LinkEvent;
import org.onosproject.net.provider.ProviderId;
import org.onosproject.net.topology.ClusterId;
import org.onosproject.net.topology.DefaultTopologyVertex;
import org.onosproject.net.topology.HopCountLinkWeigher;
import org.onosproject.net.topology.LinkWeigher;
import org.onosproject.net.topology.Topology;
import org.onosproject.net.topology.TopologyCluster;
import org.onosproject.net.topology.TopologyEdge;
import org.onosproject.net.topology.TopologyEvent;
import org.onosproject.net.topology.TopologyGraph;
import org.onosproject.net.topology.TopologyListener;
import org.onosproject.net.topology.TopologyService;
import org.onosproject.net.topology.TopologyVertex;

/**
 * onos-api's topology. Snapshots are made on the control loop; questions may be asked on any
 * thread. An event names the events of links and switches that caused it, each once; it names none
 * where they are unknown, because too many came at once or because some were lost. A topology that
 * some other service made is refused with {@link IllegalArgumentException}.
 */
public final class NetworkTopology implements TopologyService {
  private static final ProviderId PROVIDER = new ProviderId("of", "io.lockstep.topology");

  private final Supplier<? extends Collection<DeviceId>> devices;
  private final Supplier<? extends Collection<Link>> links;
  private final TopologyTracker tracker;
  private final ListenerRegistry<TopologyEvent, TopologyListener> listeners;
  private final TopologyReasons linkReasons = new TopologyReasons();
  private final TopologyReasons deviceReasons = new TopologyReasons();
  private volatile TopologySnapshot current;

  /**
   * A topology that follows the tracker.
   *
   * @param devices the devices known now
   * @param links the links known now
   * @param events where listeners are called
   */
  public NetworkTopology(
      Supplier<? extends Collection<DeviceId>> devices,
      Supplier<? extends Collection<Link>> links,
      TopologyTracker tracker,
      Executor events) {
    this.listeners = new ListenerRegistry<>(events);
    this.devices = devices;
    this.links = links;
    this.tracker = tracker;
    this.current = new TopologySnapshot(PROVIDER, 0, 0, List.of(), List.of(), BroadcastTree.EMPTY);
    tracker.addListener(
        new TopologyTracker.Listener() {
          @Override
          public void linksChanged(Set<DirectedLink> present) {
            publish(linkReasons.take().and(deviceReasons.take()));
          }
        });
  }

  /** A link appeared or went: a reason of the next change of links. Any thread. */
  public void linkChanged(LinkEvent event) {
    linkReasons.add(event);
  }

  /** A switch appeared, went, or changed its availability: {@link #refresh} follows. Any thread. */
  public void deviceChanged(DeviceEvent event) {
    deviceReasons.add(event);
  }

  /** Events of switches were lost, so the next change has no known reasons. Any thread. */
  public void deviceEventsLost() {
    deviceReasons.lose();
  }

  /** Makes a new snapshot, where switches changed since the last one. On the control loop. */
  public void refresh() {
    if (!deviceReasons.isEmpty()) {
      publish(deviceReasons.take());
    }
  }

  private void publish(TopologyReasons.Taken reasons) {
    long start = System.nanoTime();
    Collection<DeviceId> deviceIds = devices.get();
    Collection<Link> present = links.get();
    TopologySnapshot next =
        new TopologySnapshot(
            PROVIDER,
            current.time() + 1,
            System.nanoTime() - start,
            deviceIds,
            present,
            tracker.tree());
    current = next;
    listeners.post(new TopologyEvent(TopologyEvent.Type.TOPOLOGY_CHANGED, next, reasons.events()));
  }

  private static TopologySnapshot ours(Topology topology) {
    if (topology instanceof TopologySnapshot snapshot) {
      return snapshot;
    }
    throw new IllegalArgumentException("not a topology of this service: " + topology);
  }

  @Override
  public Topology currentTopology() {
    return current;
  }

  @Override
  public boolean isLatest(Topology topology) {
    return ours(topology) == current;
  }

  @Override
  public TopologyGraph getGraph(Topology topology) {
    return ours(topology).graph();
  }

  @Override
  public Set<TopologyCluster> getClusters(Topology topology) {
    return new LinkedHashSet<>(ours(topology).clusters().values());
  }

  @Override
  public @Nullable TopologyCluster getCluster(Topology topology, ClusterId clusterId) {
    return ours(topology).clusters().get(clusterId);
  }

  @Override
  public Set<DeviceId> getClusterDevices(Topology topology, TopologyCluster cluster) {
    return ours(topology).devicesOf(cluster.id());
  }

  @Override
  public Set<Link> getClusterLinks(Topology topology, TopologyCluster cluster) {
    Set<DeviceId> members = getClusterDevices(topology, cluster);
    Set<Link> inside = new LinkedHashSet<>();
    for (TopologyEdge edge : ours(topology).graph().getEdges()) {
      Link link = edge.link();
      if (members.contains(link.src().deviceId()) && members.contains(link.dst().deviceId())) {
        inside.add(link);
      }
    }
    return inside;
  }

  @Override
  public Set<Path> getPaths(Topology topology, DeviceId src, DeviceId dst) {
    return getPaths(topology, src, dst, HopCountLinkWeigher.DEFAULT_HOP_COUNT_WEIGHER);
  }

  /** All paths of the least cost; none where a device is unknown or the same. */
  @Override
  public Set<Path> getPaths(Topology topology, DeviceId src, DeviceId dst, LinkWeigher weigher) {
    Set<Path> found = new LinkedHashSet<>();
    GraphPathSearch<TopologyVertex, TopologyEdge> search = new DijkstraGraphSearch<>();
    for (org.onlab.graph.Path<TopologyVertex, TopologyEdge> path :
        search(search, topology, src, dst, weigher)) {
      found.add(networkPath(path));
    }
    return found;
  }

  private static Set<org.onlab.graph.Path<TopologyVertex, TopologyEdge>> search(
      GraphPathSearch<TopologyVertex, TopologyEdge> search,
      Topology topology,
      DeviceId src,
      DeviceId dst,
      LinkWeigher weigher) {
    TopologyGraph graph = ours(topology).graph();
    TopologyVertex from = new DefaultTopologyVertex(src);
    TopologyVertex to = new DefaultTopologyVertex(dst);
    Set<TopologyVertex> vertices = graph.getVertexes();
    if (src.equals(dst) || !vertices.contains(from) || !vertices.contains(to)) {
      return Set.of();
    }
    return search.search(graph, from, to, weigher, GraphPathSearch.ALL_PATHS).paths();
  }

  private static DefaultPath networkPath(org.onlab.graph.Path<TopologyVertex, TopologyEdge> path) {
    List<Link> links = new ArrayList<>();
    for (TopologyEdge edge : path.edges()) {
      links.add(edge.link());
    }
    return new DefaultPath(PROVIDER, links, path.cost());
  }

  /**
   * Loop-free paths in the order of their cost, each computed when the stream reaches it; none
   * where a device is unknown or the same. onos-api's default ends after those of the least cost.
   */
  @Override
  public Stream<Path> getKShortestPaths(
      Topology topology, DeviceId src, DeviceId dst, LinkWeigher weigher) {
    TopologyGraph graph = ours(topology).graph();
    TopologyVertex from = new DefaultTopologyVertex(src);
    TopologyVertex to = new DefaultTopologyVertex(dst);
    Set<TopologyVertex> vertices = graph.getVertexes();
    if (src.equals(dst) || !vertices.contains(from) || !vertices.contains(to)) {
      return Stream.empty();
    }
    return new LazyKShortestPathsSearch<TopologyVertex, TopologyEdge>()
        .lazyPathSearch(graph, from, to, weigher)
        .map(NetworkTopology::networkPath);
  }

  @Override
  public Set<DisjointPath> getDisjointPaths(Topology topology, DeviceId src, DeviceId dst) {
    return getDisjointPaths(topology, src, dst, HopCountLinkWeigher.DEFAULT_HOP_COUNT_WEIGHER);
  }

  @Override
  public Set<DisjointPath> getDisjointPaths(
      Topology topology, DeviceId src, DeviceId dst, LinkWeigher weigher) {
    return pairs(search(new SuurballeGraphSearch<>(), topology, src, dst, weigher));
  }

  @Override
  public Set<DisjointPath> getDisjointPaths(
      Topology topology, DeviceId src, DeviceId dst, Map<Link, Object> riskProfile) {
    LinkWeigher weigher = HopCountLinkWeigher.DEFAULT_HOP_COUNT_WEIGHER;
    return getDisjointPaths(topology, src, dst, weigher, riskProfile);
  }

  @Override
  public Set<DisjointPath> getDisjointPaths(
      Topology topology,
      DeviceId src,
      DeviceId dst,
      LinkWeigher weigher,
      Map<Link, Object> riskProfile) {
    Map<TopologyEdge, Object> risks = new HashMap<>();
    for (TopologyEdge edge : ours(topology).graph().getEdges()) {
      Object risk = riskProfile.get(edge.link());
      risks.put(edge, risk == null ? edge.link() : risk);
    }
    return pairs(search(new SrlgGraphSearch<>(risks), topology, src, dst, weigher));
  }

  private static Set<DisjointPath> pairs(
      Set<org.onlab.graph.Path<TopologyVertex, TopologyEdge>> paths) {
    Set<DisjointPath> found = new LinkedHashSet<>();
    for (org.onlab.graph.Path<TopologyVertex, TopologyEdge> path : paths) {
      if (path instanceof DisjointPathPair<TopologyVertex, TopologyEdge> pair) {
        DefaultPath primary = networkPath(pair.primary());
        found.add(
            pair.hasBackup()
                ? new DefaultDisjointPath(PROVIDER, primary, networkPath(pair.secondary()))
                : new DefaultDisjointPath(PROVIDER, primary));
      }
    }
    return found;
  }

  @Override
  public boolean isInfrastructure(Topology topology, ConnectPoint connectPoint) {
    return ours(topology).isInfrastructure(connectPoint);
  }

  @Override
  public boolean isBroadcastPoint(Topology topology, ConnectPoint connectPoint) {
    return ours(topology).isBroadcastPoint(connectPoint);
  }

  @Override
  public void addListener(TopologyListener listener) {
    listeners.addListener(listener);
  }

  @Override
  public void removeListener(TopologyListener listener) {
    listeners.removeListener(listener);
  }
}
