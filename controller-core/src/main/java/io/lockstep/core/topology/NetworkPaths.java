package io.lockstep.core.topology;

import io.lockstep.core.app.KnownLink;
import io.lockstep.core.link.DirectedLink;
import io.lockstep.core.link.SwitchPort;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;

/**
 * The links of the network and the shortest paths over them. Immutable to those who look: searches
 * are kept, so that each start is searched from once. Thread-safe.
 */
final class NetworkPaths {
  static final NetworkPaths NONE = new NetworkPaths(Set.of());

  private final Set<DirectedLink> present;
  private final List<KnownLink> links;
  private final Map<Long, TreeSet<DirectedLink>> outgoing = new TreeMap<>(Long::compareUnsigned);

  /** By start, for each switch that is reached the last link of the path to it. */
  private final Map<Long, Map<Long, DirectedLink>> lastLinks = new ConcurrentHashMap<>();

  NetworkPaths(Collection<DirectedLink> links) {
    this.present = Set.copyOf(links);
    List<KnownLink> known = new ArrayList<>();
    for (DirectedLink link : new TreeSet<>(present)) {
      known.add(known(link));
      if (link.src().dpid() != link.dst().dpid() && present.contains(link.reversed())) {
        outgoing.computeIfAbsent(link.src().dpid(), dpid -> new TreeSet<>()).add(link);
      }
    }
    this.links = List.copyOf(known);
  }

  private static KnownLink known(DirectedLink link) {
    return new KnownLink(link.src().connectPoint(), link.dst().connectPoint());
  }

  /** Whether these are the links. */
  boolean areOver(Set<DirectedLink> others) {
    return present.equals(others);
  }

  List<KnownLink> links() {
    return links;
  }

  /** The links of the path in order; null where there is none. */
  @Nullable List<KnownLink> path(long from, long to) {
    if (from == to) {
      return List.of();
    }
    Map<Long, DirectedLink> last = lastLinks.computeIfAbsent(from, this::search);
    List<KnownLink> path = new ArrayList<>();
    long at = to;
    while (at != from) {
      DirectedLink link = last.get(at);
      if (link == null) {
        return null;
      }
      path.add(known(link));
      at = link.src().dpid();
    }
    Collections.reverse(path);
    return Collections.unmodifiableList(path);
  }

  /**
   * For each switch that is reached from {@code start} over links whose both ends are allowed, the
   * port of {@code start} that leads there by the fewest links.
   */
  Map<DeviceId, PortNumber> firstPorts(DeviceId start, BiPredicate<DeviceId, PortNumber> allowed) {
    long from = SwitchPort.dpid(start);
    Map<Long, PortNumber> first = new HashMap<>();
    Map<DeviceId, PortNumber> ports = new HashMap<>();
    Deque<Long> next = new ArrayDeque<>(List.of(from));
    while (!next.isEmpty()) {
      long at = next.remove();
      for (DirectedLink link : outgoing.getOrDefault(at, new TreeSet<>())) {
        long to = link.dst().dpid();
        if (to != from
            && !first.containsKey(to)
            && allowed.test(link.src().deviceId(), link.src().portNumber())
            && allowed.test(link.dst().deviceId(), link.dst().portNumber())) {
          PortNumber port = at == from ? link.src().portNumber() : first.get(at);
          first.put(to, port);
          ports.put(link.dst().deviceId(), port);
          next.add(to);
        }
      }
    }
    return Map.copyOf(ports);
  }

  /** Breadth first, from each switch over its lowest ports first. */
  private Map<Long, DirectedLink> search(long from) {
    Map<Long, DirectedLink> last = new HashMap<>();
    Set<Long> reached = new HashSet<>(Set.of(from));
    Deque<Long> next = new ArrayDeque<>(List.of(from));
    while (!next.isEmpty()) {
      for (DirectedLink link : outgoing.getOrDefault(next.remove(), new TreeSet<>())) {
        long to = link.dst().dpid();
        if (reached.add(to)) {
          last.put(to, link);
          next.add(to);
        }
      }
    }
    return last;
  }
}
