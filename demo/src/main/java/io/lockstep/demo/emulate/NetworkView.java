package io.lockstep.demo.emulate;

import io.lockstep.dataplane.model.Protocol;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.network.EmulatedSwitch;
import io.lockstep.dataplane.network.NetworkStats;
import io.lockstep.dataplane.openflow.ControllerRole;
import io.lockstep.dataplane.topology.Topology.SwitchSpec;
import io.lockstep.demo.emulate.Progress.Connected;
import io.lockstep.demo.emulate.Progress.Traffic;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Looks at a network: at its connections each time, at its traffic once a second. One thread. */
final class NetworkView {
  /** Summing the frames of thousands of cables costs something. */
  private static final long TRAFFIC_MILLIS = 1_000;

  /** Switches without a master that are named. */
  private static final int NAMED = 3;

  private final EmulatedNetwork network;
  private final List<InetSocketAddress> controllers;
  private final List<String> names;
  private final Set<Long> roleless;
  private final @Nullable RandomPings pings;
  private Traffic traffic = new Traffic(0, 0, PingTally.Counts.NONE);
  private long trafficMillis = -TRAFFIC_MILLIS;

  /** Whether a controller took a role; it may have left since. */
  private boolean roles;

  NetworkView(
      EmulatedNetwork network, List<InetSocketAddress> controllers, @Nullable RandomPings pings) {
    this.network = network;
    this.controllers = List.copyOf(controllers);
    this.names = controllers.stream().map(ControllerAddresses::text).toList();
    this.roleless =
        network.topology().switches().stream()
            .filter(one -> one.protocol() == Protocol.OPENFLOW_10)
            .map(SwitchSpec::dpid)
            .collect(Collectors.toSet());
    this.pings = pings;
  }

  /** How far the network is. */
  Progress look(long millis) {
    return millis - trafficMillis >= TRAFFIC_MILLIS ? lookWithTraffic(millis) : connections(millis);
  }

  /** The same, with the traffic of now. */
  Progress lookWithTraffic(long millis) {
    NetworkStats stats = network.stats();
    traffic =
        new Traffic(
            stats.framesCarried(),
            stats.packetInsSent(),
            pings == null ? PingTally.Counts.NONE : pings.counts());
    trafficMillis = millis;
    return connections(millis);
  }

  private Progress connections(long millis) {
    int[] connected = new int[controllers.size()];
    String[] troubles = new String[controllers.size()];
    int mastered = 0;
    List<String> without = new ArrayList<>(NAMED);
    for (EmulatedSwitch one : network.switches()) {
      Set<InetSocketAddress> its = one.connected();
      for (int i = 0; i < connected.length; i++) {
        if (its.contains(controllers.get(i))) {
          connected[i]++;
        } else if (troubles[i] == null) {
          troubles[i] = one.trouble(controllers.get(i));
        }
      }
      List<ControllerRole> taken = one.roles();
      roles = roles || taken.stream().anyMatch(role -> role != ControllerRole.EQUAL);
      if (taken.contains(ControllerRole.MASTER)) {
        mastered++;
      } else if (without.size() < NAMED && !roleless.contains(one.dpid())) {
        without.add(one.name() + " (" + Long.toHexString(one.dpid()) + ")");
      }
    }
    List<Connected> each = new ArrayList<>();
    for (int i = 0; i < connected.length; i++) {
      each.add(new Connected(names.get(i), connected[i], troubles[i]));
    }
    int all = network.switches().size();
    return new Progress(
        millis, all, roleless.size(), each, roles ? mastered : null, without, traffic);
  }
}
