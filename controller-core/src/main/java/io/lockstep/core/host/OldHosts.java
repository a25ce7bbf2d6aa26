package io.lockstep.core.host;

import static io.lockstep.core.state.Continuations.logFailure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes over the hosts that an earlier release recorded in {@code net.hosts}: the owner of a host's
 * switch has the store move them into the tables of this one ({@link HostChange.Adopt}). Looks when
 * a switch is gained and every {@link HostTracker#SETTLE_MILLIS}: after the last node was upgraded
 * there are none. Owned by the control loop.
 */
final class OldHosts {
  private final HostSurroundings surroundings;
  private final HostTracker.Reach reach;
  private final HostCounters counters;

  OldHosts(HostSurroundings surroundings, HostTracker.Reach reach, HostCounters counters) {
    this.surroundings = surroundings;
    this.reach = reach;
    this.counters = counters;
  }

  /** Takes over what this node may, {@link HostChange#MAX_HOSTS} hosts of each switch. */
  void tick() {
    Map<Long, List<HostKey>> mine = new LinkedHashMap<>();
    Map<Long, HostRecord> places = new LinkedHashMap<>();
    surroundings.forEachOldHost(
        (key, host) -> {
          if (reach.owned().test(host.location())
              || reach.leftovers().owned().test(host.location())) {
            List<HostKey> there =
                mine.computeIfAbsent(host.location().dpid(), dpid -> new ArrayList<>());
            if (there.size() < HostChange.MAX_HOSTS) {
              there.add(key);
              places.put(host.location().dpid(), host);
            }
          }
        });
    places.forEach((dpid, host) -> adopt(host, mine.getOrDefault(dpid, List.of())));
  }

  private void adopt(HostRecord one, List<HostKey> hosts) {
    boolean owned = reach.owned().test(one.location());
    logFailure(
        "taking over hosts of an earlier release",
        (owned ? reach.hosts() : reach.leftovers().hosts())
            .change(one.location().deviceId(), new HostChange.Adopt(hosts))
            .thenAccept(
                outcome -> {
                  if (outcome == HostOutcome.DONE || outcome == HostOutcome.FULL) {
                    counters.count(HostCounters.Event.ADOPTED, hosts.size());
                  }
                }));
  }
}
