package io.lockstep.core.host;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.state.Alarm;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Looks for hosts that lost their place. A host that was plugged elsewhere and says nothing would
 * be reachable only when it sends something, or when those who talk to it ask for its address anew.
 * So where a port becomes an edge, its master asks there for the hosts whose port is none any
 * longer, or whose switch nobody can ask.
 *
 * <p>Owned by the control loop. One look at all hosts serves the ports of a moment.
 */
final class HostSearch {
  /** From a new edge to the question: the node forwards for the port by then. */
  static final long DELAY_MILLIS = 100;

  /** Hosts that are asked for at one port. */
  static final int MAX_HOSTS = 64;

  /** Ports that wait; at further ones nothing is asked. */
  static final int MAX_PORTS = 256;

  private final HostTracker.Surroundings surroundings;
  private final HostTracker.Reach reach;
  private final Alarm alarm;
  private final Set<SwitchPort> ports = new LinkedHashSet<>();

  HostSearch(HostTracker.Surroundings surroundings, HostTracker.Reach reach, Alarm alarm) {
    this.surroundings = surroundings;
    this.reach = reach;
    this.alarm = alarm;
  }

  /** A port became an edge. */
  void edgeOpened(SwitchPort port) {
    if (ports.size() >= MAX_PORTS || !reach.owned().test(port) || !ports.add(port)) {
      return;
    }
    if (ports.size() == 1) {
      alarm.after(DELAY_MILLIS, this::search);
    }
  }

  private boolean isUnreached(SwitchPort port) {
    return reach.asker().apply(port) == null;
  }

  private void search() {
    Map<HostKey, HostRecord> lost = new HashMap<>();
    Map<Long, Boolean> unreached = new HashMap<>();
    surroundings.forEachHost(
        (key, host) -> {
          if (lost.size() < MAX_HOSTS
              && host.hasAddress()
              && (!reach.usableEdge().test(host.location())
                  || unreached.computeIfAbsent(
                      host.location().dpid(), dpid -> isUnreached(host.location())))) {
            lost.put(key, host);
          }
        });
    for (SwitchPort port : ports) {
      SwitchConnection connection = reach.mastery().mastered(port.deviceId());
      if (connection != null) {
        lost.forEach((key, host) -> HostProbe.send(connection, key, host.movedTo(port, 0)));
      }
    }
    ports.clear();
  }
}
