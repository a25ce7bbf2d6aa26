package io.lockstep.core.topology;

import io.lockstep.core.link.DirectedLink;
import io.lockstep.core.link.SwitchPort;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The spanning tree of each cluster of connected switches. Deterministic: the same links give the
 * same tree on every node. The root of a cluster is its lowest datapath id; the tree is breadth
 * first; among equally short ways the lowest (switch, port) nearer to the root wins, then the
 * lowest port of the child.
 *
 * <p>Only cables that were proven in both directions count: a one-way cable would make a switch
 * listen where nobody speaks.
 *
 * @param edges the tree's cables, each written from its lower to its higher end
 * @param ports both ends of every edge
 * @param rootOf for every switch with a cable, the root of its cluster
 */
public record BroadcastTree(
    Set<DirectedLink> edges, Set<SwitchPort> ports, Map<Long, Long> rootOf) {

  /** The tree of a network without links. */
  public static final BroadcastTree EMPTY = new BroadcastTree(Set.of(), Set.of(), Map.of());

  public BroadcastTree {
    edges = Collections.unmodifiableSet(edges);
    ports = Collections.unmodifiableSet(ports);
    rootOf = Collections.unmodifiableMap(rootOf);
  }

  /** Computes the tree. O(links log links). */
  public static BroadcastTree of(Collection<DirectedLink> links) {
    Set<DirectedLink> present = new HashSet<>(links);
    TreeMap<Long, TreeSet<DirectedLink>> outgoing = new TreeMap<>(Long::compareUnsigned);
    for (DirectedLink link : present) {
      boolean loopback = link.src().dpid() == link.dst().dpid();
      if (!loopback && present.contains(link.reversed())) {
        outgoing.computeIfAbsent(link.src().dpid(), dpid -> new TreeSet<>()).add(link);
      }
    }
    Set<DirectedLink> edges = new TreeSet<>();
    Set<SwitchPort> ports = new HashSet<>();
    Map<Long, Long> rootOf = new HashMap<>();
    for (Long root : outgoing.keySet()) {
      if (!rootOf.containsKey(root)) {
        grow(root, outgoing, rootOf, edges, ports);
      }
    }
    return new BroadcastTree(edges, ports, rootOf);
  }

  /** Breadth first from the root; within a level parents are visited in the order of their dpid. */
  private static void grow(
      long root,
      Map<Long, TreeSet<DirectedLink>> outgoing,
      Map<Long, Long> rootOf,
      Set<DirectedLink> edges,
      Set<SwitchPort> ports) {
    rootOf.put(root, root);
    List<Long> level = List.of(root);
    while (!level.isEmpty()) {
      TreeSet<Long> next = new TreeSet<>(Long::compareUnsigned);
      for (long parent : level) {
        for (DirectedLink link : outgoing.getOrDefault(parent, new TreeSet<>())) {
          long child = link.dst().dpid();
          if (rootOf.putIfAbsent(child, root) == null) {
            edges.add(upwards(link));
            ports.add(link.src());
            ports.add(link.dst());
            next.add(child);
          }
        }
      }
      level = new ArrayList<>(next);
    }
  }

  private static DirectedLink upwards(DirectedLink link) {
    return link.src().compareTo(link.dst()) < 0 ? link : link.reversed();
  }

  /**
   * The switches whose way to some other switch may differ between this tree and a later one. A
   * tree that only gained edges changes no way that existed; where an edge went, every switch of
   * its cluster may have used it.
   */
  public Set<Long> switchesWithOtherPaths(BroadcastTree later) {
    Set<Long> clusters = new HashSet<>();
    for (DirectedLink edge : edges) {
      if (!later.edges.contains(edge)) {
        Long cluster = rootOf.get(edge.src().dpid());
        if (cluster != null) {
          clusters.add(cluster);
        }
      }
    }
    Set<Long> switches = new HashSet<>();
    rootOf.forEach(
        (dpid, root) -> {
          if (clusters.contains(root)) {
            switches.add(dpid);
          }
        });
    return switches;
  }

  /** The switches that a switch reaches along the tree, itself included. */
  public Set<Long> reachedFrom(long dpid) {
    Map<Long, List<Long>> neighbours = new HashMap<>();
    for (DirectedLink edge : edges) {
      neighbours.computeIfAbsent(edge.src().dpid(), d -> new ArrayList<>()).add(edge.dst().dpid());
      neighbours.computeIfAbsent(edge.dst().dpid(), d -> new ArrayList<>()).add(edge.src().dpid());
    }
    Set<Long> reached = new HashSet<>(Set.of(dpid));
    ArrayDeque<Long> open = new ArrayDeque<>(reached);
    while (!open.isEmpty()) {
      for (long neighbour : neighbours.getOrDefault(open.remove(), List.of())) {
        if (reached.add(neighbour)) {
          open.add(neighbour);
        }
      }
    }
    return reached;
  }
}
