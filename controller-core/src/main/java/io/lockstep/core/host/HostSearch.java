package io.lockstep.core.host;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.state.Alarm;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Looks for hosts that lost their place. A host that was plugged elsewhere and says nothing would
 * be reachable only when it sends something, or when those who talk to it ask for its address anew.
 * So where a port becomes an edge, its master asks there for the hosts whose port is none any
 * longer, or whose switch has no node that can ask. It asks {@link #LOOKS} times, since the first
 * question may come before the network knows that the old place is gone, or before this node
 * listens at the new one, and any frame may be lost.
 *
 * <p>Owned by the control loop. One look at all hosts serves the ports of a moment.
 */
final class HostSearch {
  /** From a new edge to the question: the node forwards for the port by then, as a rule. */
  static final long DELAY_MILLIS = 100;

  /** From one question to the next. */
  static final long REPEAT_MILLIS = 1_000;

  /** Questions at one port for a host that stays lost. */
  static final int LOOKS = 4;

  /** Hosts that are asked for at one port with one look. */
  static final int MAX_HOSTS = 64;

  /** Ports at which is asked at a time; at further ones nothing is asked. */
  static final int MAX_PORTS = 256;

  private final HostSurroundings surroundings;
  private final HostTracker.Reach reach;
  private final Alarm alarm;

  /** Ports that wait for their first look. */
  private final Set<SwitchPort> opened = new LinkedHashSet<>();

  /** Ports that wait for another look. */
  private int asking;

  HostSearch(HostSurroundings surroundings, HostTracker.Reach reach, Alarm alarm) {
    this.surroundings = surroundings;
    this.reach = reach;
    this.alarm = alarm;
  }

  /** A port became an edge. */
  void edgeOpened(SwitchPort port) {
    if (opened.size() + asking >= MAX_PORTS
        || !reach.owned().test(port)
        || !opened.add(port)
        || opened.size() > 1) {
      return;
    }
    alarm.after(
        DELAY_MILLIS,
        () -> {
          List<SwitchPort> ports = List.copyOf(opened);
          opened.clear();
          asking += ports.size();
          look(ports, LOOKS);
        });
  }

  private void look(List<SwitchPort> ports, int looks) {
    Map<HostKey, HostRecord> lost = lost();
    for (SwitchPort port : ports) {
      SwitchConnection connection = reach.mastery().mastered(port.deviceId());
      if (connection != null && reach.usableEdge().test(port)) {
        lost.forEach((key, host) -> HostProbe.search(connection, key, host.movedTo(port, 0)));
      }
    }
    if (looks > 1) {
      alarm.after(REPEAT_MILLIS, () -> look(ports, looks - 1));
    } else {
      asking -= ports.size();
    }
  }

  private Map<HostKey, HostRecord> lost() {
    Map<HostKey, HostRecord> lost = new HashMap<>();
    Map<Long, Boolean> unreached = new HashMap<>();
    surroundings.forEachHost(
        (key, host) -> {
          SwitchPort place = host.location();
          if (lost.size() < MAX_HOSTS
              && host.hasAnyAddress()
              && (!reach.usableEdge().test(place)
                  || unreached.computeIfAbsent(place.dpid(), dpid -> isUnreached(place)))) {
            lost.put(key, host);
          }
        });
    return lost;
  }

  private boolean isUnreached(SwitchPort port) {
    return reach.asker().apply(port) == null;
  }
}
