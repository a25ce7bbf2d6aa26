package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.apps.loadbalancer.state.BalancerCommands;
import io.lockstep.apps.loadbalancer.state.BalancerTables;
import io.lockstep.apps.loadbalancer.state.Configure;
import io.lockstep.apps.loadbalancer.state.ConnectionKey;
import io.lockstep.apps.loadbalancer.state.Member;
import io.lockstep.apps.loadbalancer.state.Pool;
import io.lockstep.apps.loadbalancer.state.ServiceAddress;
import io.lockstep.apps.loadbalancer.state.TransportProtocol;
import io.lockstep.apps.loadbalancer.state.VirtualIp;
import io.lockstep.core.node.NetworkRoom;
import io.lockstep.core.packet.DroppedPackets;
import io.lockstep.core.packet.PacketCounters.PacketResult;
import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.network.ContinuousPing;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.network.EmulatedSwitch;
import io.lockstep.dataplane.network.LastingConnections;
import io.lockstep.dataplane.network.LastingConnections.Kept;
import io.lockstep.dataplane.network.LastingConnections.State;
import io.lockstep.dataplane.packet.Endpoints;
import io.lockstep.dataplane.packet.Ipv4;
import io.lockstep.dataplane.packet.Mac;
import io.lockstep.dataplane.packet.TcpSegment;
import io.lockstep.dataplane.topology.TopologyBuilder;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.OneNode;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onosproject.net.host.HostService;

/** One port invents sources; hosts at other ports keep their traffic, and every drop is counted. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class UnknownSourcesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String VIP = "10.0.0.100";
  private static final int MEMBER_PORT = 8_080;
  private static final int SOURCES = 100_000;

  /** Frames that the switch takes at once. */
  private static final int BATCH = 500;

  /** Where they come in. */
  private static final int PORT = 1;

  private static final int MOST_CONNECTIONS = 1_000;

  /** What one port may take: three quarters. */
  private static final int MOST_AT_A_PORT = 750;

  private OneNode node;
  private EmulatedNetwork network;
  private EmulatedSwitch ingress;
  private LastingConnections connections;
  private EmulatedHost client;
  private List<EmulatedHost> members;

  @BeforeEach
  void start() throws Exception {
    node = OneNode.start();
    TopologyBuilder topology = new TopologyBuilder("one").addSwitch("s1", 1, "d");
    for (int i = 0; i < 4; i++) {
      topology.host("s1");
    }
    network = EmulatedNetwork.start(topology.build(), List.of(node.address()));
    ingress = network.switchNamed("s1");
    List<EmulatedHost> hosts = List.copyOf(network.hosts());
    client = hosts.get(1);
    members = hosts.subList(2, 4);
    connections =
        network.keepConnections(Ipv4.parse(VIP), 80, List.of(client), members, MEMBER_PORT);
    await(
        "all hosts are known",
        () -> {
          hosts.forEach(EmulatedHost::announce);
          return node.service(HostService.class).getHostCount() == hosts.size();
        });
    configure();
    await(
        "the virtual IP answers",
        () -> client.ping(Ipv4.parse(VIP), 1, Duration.ZERO, PATIENCE).join().complete());
  }

  private void configure() {
    node.run(
        BalancerCommands.put(
            Pool.usual("web", Pool.Method.ROUND_ROBIN, Pool.Probe.NONE), Configure.ABSENT));
    int ip = io.lockstep.apps.loadbalancer.state.Ipv4.parse("address", VIP);
    ServiceAddress service = new ServiceAddress(TransportProtocol.TCP, ip, 80);
    VirtualIp usual = VirtualIp.usual("web", service, "web");
    VirtualIp small =
        new VirtualIp(
            usual.name(),
            service,
            usual.prefixLength(),
            usual.vlan(),
            usual.pool(),
            usual.idleSeconds(),
            MOST_CONNECTIONS,
            MOST_CONNECTIONS);
    node.run(BalancerCommands.put(small, Configure.ABSENT));
    for (EmulatedHost host : members) {
      Member member =
          new Member(
              host.name(), "web", host.address().value(), MEMBER_PORT, 1, Member.State.ENABLED);
      node.run(BalancerCommands.put(member, Configure.ABSENT));
    }
  }

  @AfterEach
  void stop() {
    connections.close();
    network.close();
    node.close();
  }

  private void await(String what, Callable<Boolean> condition) {
    Await.until(what, PATIENCE, condition, () -> String.valueOf(connections.connections()));
  }

  private void open(int more) {
    int all = connections.connections().size() + more;
    connections.open(more, 100);
    await(all + " connections are open", () -> areOpen(all));
    connections.talkNow();
    await("all are answered", () -> areOpen(all));
  }

  private boolean areOpen(int count) {
    List<Kept> all = connections.connections();
    return all.size() == count
        && all.stream().allMatch(one -> one.state() == State.OPEN && !one.waits());
  }

  /** A SYN to the virtual IP, or a frame to an address that no host has; each from a new source. */
  private static byte[] invented(int number) {
    Mac source = new Mac(0x0a00_0000_0000L + number);
    Ipv4 address = new Ipv4(0x0a01_0000 + number);
    boolean syn = number % 2 == 0;
    Mac target = new Mac(syn ? 0x024c_0a00_0064L : 0x0e00_0000_0001L);
    Ipv4 to = syn ? Ipv4.parse(VIP) : Ipv4.parse("10.0.0.99");
    return new TcpSegment(
            new Endpoints(source, address, target, to),
            5_000,
            80,
            1,
            0,
            TcpSegment.SYN,
            new byte[0])
        .encode();
  }

  /** They come in at the port of a host, as fast as the switch takes them. */
  private void invent(int from, int until) {
    for (int i = from; i < until; i += BATCH) {
      int first = i;
      ingress
          .inspect(
              model -> {
                for (int each = first; each < first + BATCH; each++) {
                  ingress.receive(PORT, invented(each));
                }
                return first;
              })
          .join();
    }
  }

  private NetworkRoom room() {
    return node.service(NetworkRoom.class);
  }

  private long decidedOrDropped() {
    long sum = 0;
    for (PacketResult result : PacketResult.values()) {
      sum += result.isEnd() ? room().counters().packets().of(result) : 0;
    }
    return sum;
  }

  @Test
  void othersKeepTheirTrafficAndWhatIsDroppedIsCounted() {
    open(5);
    try (ContinuousPing ping =
        network.pingContinuously(
            List.of(new ContinuousPing.Pair(client, members.get(0))),
            Duration.ofMillis(100),
            Duration.ofSeconds(10))) {
      invent(0, SOURCES / 2);
      open(5);
      invent(SOURCES / 2, SOURCES);
      open(5);
      await("pings were answered", () -> ping.window().counts().answered() >= 10);
      assertThat(ping.window().counts().lost()).isZero();
    }
    assertThat(connections.connections()).hasSize(15);

    await("the node has them all", () -> decidedOrDropped() == sentToTheNode());
    assertThat(sentToTheNode() + ingress.counters().packetInsDropped())
        .isGreaterThanOrEqualTo(SOURCES);
    assertThat(room().counters().packets().of(PacketResult.APPLICATION_FAILED)).isZero();
    long dropped =
        room().counters().droppedPackets().counts().stream()
            .filter(count -> count.port().equals(String.valueOf(PORT)))
            .mapToLong(DroppedPackets.Count::packets)
            .sum();
    assertThat(dropped).as("at the port that sent too much").isPositive();

    Reply.Entries records =
        (Reply.Entries)
            node.run(new Command.Scan(BalancerTables.CONNECTIONS, Bytes.empty(), null, 10_000));
    long invented =
        records.entries().stream()
            .filter(entry -> ConnectionKey.of(entry.key()).clientIp() != client.address().value())
            .count();
    assertThat(invented).isBetween(1L, (long) MOST_AT_A_PORT);
    assertThat(records.entries()).hasSize((int) invented + 15);
    assertThat(node.service(HostService.class).getHostCount()).isLessThanOrEqualTo(4 + 1_024);
  }

  private long sentToTheNode() {
    return ingress.counters().packetInsSent();
  }
}
