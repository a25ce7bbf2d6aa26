package io.lockstep.demo;

import io.lockstep.dataplane.flowtable.FlowEntry;
import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.network.LastingConnections;
import io.lockstep.dataplane.network.NetworkOptions;
import io.lockstep.dataplane.packet.Ipv4;
import io.lockstep.dataplane.topology.Topologies;
import io.lockstep.dataplane.topology.Topology;
import io.lockstep.dataplane.topology.Topology.HostSpec;
import io.lockstep.dataplane.topology.Topology.LinkSpec;
import io.lockstep.dataplane.topology.Topology.SwitchSpec;
import io.lockstep.demo.screen.FlowList;
import io.lockstep.demo.screen.Picture;
import io.lockstep.deploy.admin.NodeReport;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The emulated network in the demo's own process: real OpenFlow over TCP, no root. */
final class EmulatedDemoNetwork implements DemoNetwork {
  private static final int SWITCHES_PER_DOMAIN = 4;
  private static final Duration PING_TIMEOUT = Duration.ofMillis(PingBoard.TIMEOUT_MILLIS);

  /** The first port for hosts that moved; each has its own. */
  private static final int GUEST_PORT = 100;

  private final Topology topology;

  /** How often each host moved; owned by the thread that moves them. */
  private final int[] hops;

  private volatile @Nullable EmulatedNetwork network;

  private EmulatedDemoNetwork(Topology topology) {
    this.topology = topology;
    this.hops = new int[topology.hosts().size()];
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
              .map(SwitchSpec::dpid)
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
  public String linkName(int link) {
    LinkSpec spec = topology.links().get(link);
    return spec.a().switchName() + " - " + spec.b().switchName();
  }

  @Override
  public void setLink(int link, boolean up) {
    LinkSpec spec = topology.links().get(link);
    running().setLink(spec.a().switchName(), spec.b().switchName(), up);
  }

  @Override
  public String moveHost(int host) {
    HostSpec spec = topology.hosts().get(host);
    String from = switchOf(host);
    hops[host]++;
    String to = switchOf(host);
    boolean home = to.equals(spec.at().switchName());
    running().moveHost(spec.name(), to, home ? spec.at().port() : GUEST_PORT + host);
    return spec.name() + " from " + from + " to " + to;
  }

  /** Two switches further with each hop, so that a few hops lead into the other domain. */
  private String switchOf(int host) {
    List<SwitchSpec> switches = topology.switches();
    String home = topology.hosts().get(host).at().switchName();
    int start = switches.indexOf(topology.switchNamed(home));
    return switches.get((start + 2 * hops[host]) % switches.size()).name();
  }

  @Override
  public List<Picture.Host> places(List<NodeReport> reports) {
    Map<String, String> seen = new HashMap<>();
    for (NodeReport report : reports) {
      report.hosts().forEach(host -> seen.putIfAbsent(host.mac(), switchName(host.atSwitch())));
    }
    return topology.hosts().stream()
        .map(host -> new Picture.Host(host.name(), seen.getOrDefault(host.mac().toString(), "-")))
        .toList();
  }

  private String switchName(String dpid) {
    return topology.switches().stream()
        .filter(one -> one.dpid() == Long.parseUnsignedLong(dpid, 16))
        .map(SwitchSpec::name)
        .findFirst()
        .orElse(dpid);
  }

  @Override
  public CompletableFuture<FlowList> flows(int number) {
    SwitchSpec spec = topology.switches().get(number);
    EmulatedNetwork running = network;
    if (running == null) {
      return CompletableFuture.completedFuture(
          FlowWords.list(spec.name() + " is not connected yet", List.of(), topology.hosts()));
    }
    return running
        .switchNamed(spec.name())
        .inspect(
            model -> {
              List<FlowEntry> entries = new ArrayList<>();
              model.pipeline().tables().forEach(table -> entries.addAll(table.entries()));
              String title =
                  "switch "
                      + spec.name()
                      + " of domain "
                      + spec.domain()
                      + ": "
                      + entries.size()
                      + " flow entries";
              return FlowWords.list(title, entries, topology.hosts());
            });
  }

  private EmulatedNetwork running() {
    EmulatedNetwork running = network;
    if (running == null) {
      throw new IllegalStateException("the network does not run yet");
    }
    return running;
  }

  /** The IPv4 address of a host, numbered from 0. */
  String address(int host) {
    return topology.hosts().get(host).address().toString();
  }

  /** All hosts tell where they are. */
  void announceAll() {
    running().hosts().forEach(EmulatedHost::announce);
  }

  /** Takes a host's cable out, for good. */
  void unplug(int host) {
    running().unplugHost(topology.hosts().get(host).name());
  }

  /** Prepares connections of some hosts to an address, behind which others are. */
  LastingConnections keepConnections(
      String address, int port, List<Integer> clients, List<Integer> servers, int serverPort) {
    return running()
        .keepConnections(Ipv4.parse(address), port, named(clients), named(servers), serverPort);
  }

  private List<EmulatedHost> named(List<Integer> numbers) {
    return numbers.stream()
        .map(number -> running().hostNamed(topology.hosts().get(number).name()))
        .toList();
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
