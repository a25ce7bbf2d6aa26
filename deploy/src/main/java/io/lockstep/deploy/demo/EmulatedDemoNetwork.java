package io.lockstep.deploy.demo;

import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.network.NetworkOptions;
import io.lockstep.dataplane.topology.Topologies;
import io.lockstep.dataplane.topology.Topology;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The emulated network in the demo's own process: real OpenFlow over TCP, no root. */
final class EmulatedDemoNetwork implements DemoNetwork {
  private static final int SWITCHES_PER_DOMAIN = 4;
  private static final Duration PING_TIMEOUT = Duration.ofMillis(PingBoard.TIMEOUT_MILLIS);

  private final Topology topology;
  private volatile @Nullable EmulatedNetwork network;

  private EmulatedDemoNetwork(Topology topology) {
    this.topology = topology;
  }

  /** Two rings of four switches, one host at each switch, two links between the rings. */
  static EmulatedDemoNetwork twoDomains() {
    return new EmulatedDemoNetwork(Topologies.twoDomains(SWITCHES_PER_DOMAIN, 1));
  }

  @Override
  public List<DomainPlan> domains() {
    List<DomainPlan> domains = new ArrayList<>();
    for (String name : topology.domains()) {
      List<Long> dpids =
          topology.switches().stream()
              .filter(one -> one.domain().equals(name))
              .map(Topology.SwitchSpec::dpid)
              .toList();
      domains.add(new DomainPlan(name, dpids, domains.size()));
    }
    return domains;
  }

  @Override
  public int hosts() {
    return topology.hosts().size();
  }

  @Override
  public int directedLinks() {
    return 2 * topology.links().size();
  }

  @Override
  public PingBoard.Pinger pinger() {
    return (from, to, answered) -> {
      EmulatedNetwork running = network;
      if (running == null) {
        answered.accept(-1);
        return;
      }
      EmulatedHost source = running.hostNamed(topology.hosts().get(from).name());
      source.pingOnce(topology.hosts().get(to).address(), PING_TIMEOUT, answered);
    };
  }

  @Override
  public void start(List<InetSocketAddress> controllers) {
    EmulatedNetwork started = new EmulatedNetwork(topology, NetworkOptions.ordinary(controllers));
    network = started;
    started.start();
  }

  @Override
  public void close() {
    EmulatedNetwork running = network;
    if (running != null) {
      running.close();
    }
  }
}
