package io.lockstep.core.topology;

import io.lockstep.core.app.NetworkView;
import io.lockstep.core.link.SwitchPort;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;

/** An immutable {@link NetworkView}. Thread-safe; a lookup is two hash probes. */
public final class NetworkPicture implements NetworkView {

  /** A network of which nothing is known: no port is an edge, nothing is flooded. */
  public static final NetworkPicture UNKNOWN = new NetworkPicture(0, List.of(), List.of());

  private final long generation;
  private final Map<DeviceId, Ports> ports = new HashMap<>();

  /**
   * A picture.
   *
   * @param edges ports that were proven to have no switch behind them and are up
   * @param tree ports on the broadcast tree that are open
   */
  public NetworkPicture(
      long generation, Collection<SwitchPort> edges, Collection<SwitchPort> tree) {
    this.generation = generation;
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

  /** Whether both pictures allow the same; the generation does not count. */
  boolean allowsTheSameAs(@Nullable NetworkPicture other) {
    return other != null && ports.equals(other.ports);
  }

  private record Ports(Set<PortNumber> edge, List<PortNumber> flood, Set<PortNumber> floodSet) {
    Ports(Set<PortNumber> edge, List<PortNumber> flood) {
      this(edge, flood, Set.copyOf(flood));
    }
  }
}
