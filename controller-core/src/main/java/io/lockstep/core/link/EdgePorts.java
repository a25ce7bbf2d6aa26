package io.lockstep.core.link;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which ports of the switches mastered here have a switch behind them as far as probes tell, and
 * which are edges. A port is an edge after a quarantine without an answer; a port with a link, or
 * at which a second one is claimed, is none. Owned by the control loop; bounded by the ports
 * watched.
 */
final class EdgePorts {
  private final Map<Long, WatchedSwitch> switches;

  /** Ports that have a link, or will have when the store has answered. */
  private final Set<SwitchPort> answered = new HashSet<>();

  /** When a probe came in last that was a second link's, by the ports that it touches. */
  private final Map<SwitchPort, Long> besideNanos = new HashMap<>();

  /**
   * No port is known.
   *
   * @param switches those mastered here; a live view
   */
  EdgePorts(Map<Long, WatchedSwitch> switches) {
    this.switches = switches;
  }

  /** The ports that have a link; a live view. */
  Set<SwitchPort> answered() {
    return answered;
  }

  /** The ports get a link; true where one of them is no edge from now on. */
  boolean linked(DirectedLink link) {
    boolean news = answered.add(link.dst());
    if (switches.containsKey(link.src().dpid())) {
      news |= answered.add(link.src());
    }
    return news;
  }

  /**
   * The ports have a switch behind them, but no link: neither is an edge while such probes arrive.
   * True where that is news.
   */
  boolean beside(DirectedLink link, long nowNanos) {
    boolean news = false;
    for (SwitchPort port : List.of(link.src(), link.dst())) {
      if (switches.containsKey(port.dpid())) {
        news |= besideNanos.put(port, nowNanos) == null && !answered.contains(port);
      }
    }
    return news;
  }

  /** The ports at which no second link has been claimed for a while. */
  List<SwitchPort> besideNoMore(long nowNanos, long afterNanos) {
    List<SwitchPort> over = new ArrayList<>();
    besideNanos.forEach(
        (port, atNanos) -> {
          if (nowNanos - atNanos > afterNanos) {
            over.add(port);
          }
        });
    return over;
  }

  /** A port is down, or starts anew. */
  void forget(SwitchPort port) {
    answered.remove(port);
    besideNanos.remove(port);
  }

  /** A switch is watched from now on. */
  void forget(long dpid) {
    answered.removeIf(port -> port.dpid() == dpid);
    besideNanos.keySet().removeIf(port -> port.dpid() == dpid);
  }

  private boolean hasSwitchBehind(SwitchPort port) {
    return answered.contains(port) || besideNanos.containsKey(port);
  }

  /** Ports believed to be edges now: of other nodes' switches as stored, of ours as seen. */
  Set<SwitchPort> proven(Set<SwitchPort> stored) {
    Set<SwitchPort> proven = new HashSet<>();
    for (SwitchPort port : stored) {
      WatchedSwitch watched = switches.get(port.dpid());
      if (watched == null
          || (watched.confirmed
              && watched.ports.containsKey(port.port())
              && !hasSwitchBehind(port))) {
        proven.add(port);
      }
    }
    return proven;
  }

  /** Edges in the store that are none. */
  List<SwitchPort> wrong(Set<SwitchPort> stored, Set<SwitchPort> linkEnds) {
    List<SwitchPort> wrong = new ArrayList<>();
    for (SwitchPort edge : stored) {
      WatchedSwitch watched = switches.get(edge.dpid());
      if (watched != null
          && (!watched.ports.containsKey(edge.port())
              || linkEnds.contains(edge)
              || besideNanos.containsKey(edge))) {
        wrong.add(edge);
      }
    }
    return wrong;
  }

  /** Ports that are edges and that the store does not have. */
  List<SwitchPort> missing(Set<SwitchPort> stored, Set<SwitchPort> linkEnds, long nowNanos) {
    List<SwitchPort> missing = new ArrayList<>();
    for (WatchedSwitch watched : switches.values()) {
      watched.ports.forEach(
          (number, port) -> {
            SwitchPort here = new SwitchPort(watched.connection.dpid(), number);
            if (watched.pastQuarantine(port, nowNanos)
                && !linkEnds.contains(here)
                && !hasSwitchBehind(here)
                && !stored.contains(here)) {
              missing.add(here);
            }
          });
    }
    return missing;
  }
}
