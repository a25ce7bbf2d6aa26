package io.lockstep.core.topology;

import io.lockstep.core.app.KnownHost;
import io.lockstep.core.app.KnownLink;
import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.TablePicture;
import io.lockstep.core.link.DirectedLink;
import io.lockstep.core.link.SwitchPort;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.MacAddress;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;

/** An immutable {@link NetworkView}. Thread-safe; a lookup is two hash probes. */
public final class NetworkPicture implements NetworkView {

  /** A network of which nothing is known: no port is an edge, nothing is flooded. */
  public static final NetworkPicture UNKNOWN = new NetworkPicture(0, List.of(), List.of());

  private final long generation;
  private final Map<DeviceId, Ports> ports;
  private final NetworkPaths paths;
  private final KnownHosts hosts;
  private final TablePictures tables;
  private final List<DeviceId> cannotRewrite;

  /** The next ports of paths along the tree, by start; made when asked for. */
  private final Map<DeviceId, Map<DeviceId, PortNumber>> treePorts;

  /**
   * A picture without links and hosts.
   *
   * @param edges ports that were proven to have no switch behind them and are up
   * @param tree ports on the broadcast tree that are open
   */
  public NetworkPicture(
      long generation, Collection<SwitchPort> edges, Collection<SwitchPort> tree) {
    this(
        generation,
        ports(edges, tree),
        NetworkPaths.NONE,
        KnownHosts.NONE,
        TablePictures.NONE,
        List.of(),
        new ConcurrentHashMap<>());
  }

  private NetworkPicture(
      long generation,
      Map<DeviceId, Ports> ports,
      NetworkPaths paths,
      KnownHosts hosts,
      TablePictures tables,
      List<DeviceId> cannotRewrite,
      Map<DeviceId, Map<DeviceId, PortNumber>> treePorts) {
    this.generation = generation;
    this.ports = ports;
    this.paths = paths;
    this.hosts = hosts;
    this.tables = tables;
    this.cannotRewrite = cannotRewrite;
    this.treePorts = treePorts;
  }

  /** The same with links. */
  NetworkPicture with(NetworkPaths others) {
    return new NetworkPicture(
        generation, ports, others, hosts, tables, cannotRewrite, new ConcurrentHashMap<>());
  }

  /** The same with links, for those who have no tracker. */
  public NetworkPicture withLinks(Collection<DirectedLink> links) {
    return with(new NetworkPaths(links));
  }

  /** The same with other hosts. */
  public NetworkPicture with(KnownHosts others) {
    return new NetworkPicture(generation, ports, paths, others, tables, cannotRewrite, treePorts);
  }

  /** The same with other pictures of tables. */
  public NetworkPicture with(TablePictures others) {
    return new NetworkPicture(generation, ports, paths, hosts, others, cannotRewrite, treePorts);
  }

  /** The same with those of its switches of which this is so as {@link #cannotRewrite}. */
  public NetworkPicture withoutRewriting(Predicate<DeviceId> cannot) {
    List<DeviceId> named =
        ports.keySet().stream()
            .filter(cannot)
            .sorted(Comparator.comparing(DeviceId::toString))
            .toList();
    return new NetworkPicture(generation, ports, paths, hosts, tables, named, treePorts);
  }

  /** What applications made of their tables. */
  TablePictures tables() {
    return tables;
  }

  /** The hosts of this picture. */
  KnownHosts knownHosts() {
    return hosts;
  }

  private static Map<DeviceId, Ports> ports(
      Collection<SwitchPort> edges, Collection<SwitchPort> tree) {
    Map<DeviceId, Ports> ports = new HashMap<>();
    Map<Long, SortedSet<Long>> edgesOf = bySwitch(edges);
    Map<Long, SortedSet<Long>> treeOf = bySwitch(tree);
    Set<Long> switches = new TreeSet<>(edgesOf.keySet());
    switches.addAll(treeOf.keySet());
    for (long dpid : switches) {
      SortedSet<Long> edge = edgesOf.getOrDefault(dpid, new TreeSet<>());
      SortedSet<Long> flood = new TreeSet<>(treeOf.getOrDefault(dpid, new TreeSet<>()));
      flood.addAll(edge);
      ports.put(SwitchPort.device(dpid), new Ports(Set.copyOf(numbers(edge)), numbers(flood)));
    }
    return ports;
  }

  private static Map<Long, SortedSet<Long>> bySwitch(Collection<SwitchPort> ports) {
    Map<Long, SortedSet<Long>> bySwitch = new HashMap<>();
    for (SwitchPort port : ports) {
      bySwitch.computeIfAbsent(port.dpid(), dpid -> new TreeSet<>()).add(port.port());
    }
    return bySwitch;
  }

  private static List<PortNumber> numbers(SortedSet<Long> ports) {
    return ports.stream().map(PortNumber::portNumber).toList();
  }

  @Override
  public long generation() {
    return generation;
  }

  @Override
  public boolean isEdge(DeviceId device, PortNumber port) {
    Ports known = ports.get(device);
    return known != null && known.edge.contains(port);
  }

  @Override
  public boolean onBroadcastTree(DeviceId device, PortNumber port) {
    Ports known = ports.get(device);
    return known != null && known.floodSet.contains(port);
  }

  @Override
  public List<PortNumber> floodPorts(DeviceId device, PortNumber inPort) {
    Ports known = ports.get(device);
    if (known == null) {
      return List.of();
    }
    List<PortNumber> others = new ArrayList<>(known.flood.size());
    for (PortNumber port : known.flood) {
      if (!port.equals(inPort)) {
        others.add(port);
      }
    }
    return others;
  }

  @Override
  public @Nullable KnownHost host(MacAddress address, int vlanId) {
    return hosts.host(address, vlanId);
  }

  @Override
  public @Nullable KnownHost hostWith(int ip, int vlanId) {
    return hosts.hostWith(ip, vlanId);
  }

  @Override
  public Collection<KnownHost> hosts() {
    return hosts.all();
  }

  @Override
  public List<KnownLink> links() {
    return paths.links();
  }

  @Override
  public @Nullable List<KnownLink> path(DeviceId from, DeviceId to) {
    return paths.path(SwitchPort.dpid(from), SwitchPort.dpid(to));
  }

  @Override
  public @Nullable PortNumber treePort(DeviceId from, DeviceId to) {
    return treePorts
        .computeIfAbsent(from, start -> paths.firstPorts(start, this::onBroadcastTree))
        .get(to);
  }

  @Override
  public <T> T picture(TablePicture<T> picture) {
    return tables.of(picture);
  }

  @Override
  public List<DeviceId> cannotRewrite() {
    return cannotRewrite;
  }

  /** Whether both pictures have the same ports and links; generation and hosts do not count. */
  boolean allowsTheSameAs(NetworkPicture other) {
    return paths == other.paths && ports.equals(other.ports);
  }

  private record Ports(Set<PortNumber> edge, List<PortNumber> flood, Set<PortNumber> floodSet) {
    Ports(Set<PortNumber> edge, List<PortNumber> flood) {
      this(edge, flood, Set.copyOf(flood));
    }
  }
}
