package io.lockstep.deploy.ovs;

import static io.lockstep.deploy.ovs.BalancedHosts.change;
import static io.lockstep.deploy.ovs.BalancedHosts.connect;
import static io.lockstep.deploy.ovs.BalancedHosts.curl;
import static io.lockstep.deploy.ovs.BalancedHosts.datagrams;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.apps.loadbalancer.state.BalancerCommands;
import io.lockstep.apps.loadbalancer.state.Configure;
import io.lockstep.apps.loadbalancer.state.Member;
import io.lockstep.apps.loadbalancer.state.TransportProtocol;
import io.lockstep.deploy.ovs.BalancedHosts.Lasting;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.OneNode;
import io.lockstep.openflow.channel.ovs.OpenVSwitch;
import io.lockstep.openflow.channel.ovs.OvsHost;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One node balances real TCP connections on an Open vSwitch bridge. */
class LoadBalancerIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long DPID = 6;
  private static final String BRIDGE = "b1";
  private static final String VIP = "10.0.0.100";

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"OpenFlow13", "OpenFlow10"})
  void connectionsAreSharedOutAndGoOn(String protocol) throws IOException {
    OpenVSwitch.assumeAvailable();
    try (OneNode node = OneNode.start();
        OpenVSwitch ovs = OpenVSwitch.start(directory)) {
      ovs.addBridge(BRIDGE, DPID);
      ovs.vsctl("set", "bridge", ovs.systemName(BRIDGE), "protocols=" + protocol);
      OvsHost client = ovs.addHost(BRIDGE, "c", "10.0.0.200/24", "02:00:00:00:00:0a");
      OvsHost one = ovs.addHost(BRIDGE, "m1", "10.0.0.1/24", "02:00:00:00:00:01");
      OvsHost two = ovs.addHost(BRIDGE, "m2", "10.0.0.2/24", "02:00:00:00:00:02");
      ovs.setControllers(BRIDGE, node.controller());
      assertThat(client.pings(one, 60)).isTrue();
      assertThat(client.pings(two, 60)).isTrue();
      BalancedHosts.serve(one, "m1");
      BalancedHosts.serve(two, "m2");
      BalancedHosts.configure(node::run, VIP, 80, one, two);
      Await.until(
          "the virtual IP answers pings",
          PATIENCE,
          () -> client.succeeds("ping", "-c", "1", "-W", "1", VIP),
          () -> ovs.ofctl("dump-flows", BRIDGE));

      assertThat(connect(client, VIP, 80, 6)).isEqualTo(Map.of("m1", 3, "m2", 3));
      assertThat(BalancedHosts.isRefused(client, VIP, 81)).as("no such service").isTrue();
      assertThat(connect(one, VIP, 80, 4))
          .as("a member as client")
          .isEqualTo(Map.of("m1", 2, "m2", 2));
      assertThat(connect(client, one.ip(), 8_080, 2)).as("direct").isEqualTo(Map.of("m1", 2));

      assertThat(curl(client, VIP, 80, 4)).isEqualTo(Map.of("m1", 2, "m2", 2));
      datagramsKeepTheirMemberByPort(node, client, one, two);
      aDirectConnectionOfTheSamePortsLeavesTheBalancedOneAlone(client, one, two);

      try (Lasting lasting = new Lasting(client, VIP, 80)) {
        for (int round = 0; round < 3; round++) {
          lasting.goesOn(10);
          // The entries of connections, but not the guards.
          ovs.ofctl("del-flows", BRIDGE, "tcp,nw_dst=" + VIP);
          ovs.ofctl("del-flows", BRIDGE, "tcp,nw_dst=" + client.ip());
        }
        lasting.goesOn(10);
        ovs.ofctl("del-flows", BRIDGE);
        lasting.goesOn(10);
        OvsHost drained = lasting.server().equals("m1") ? one : two;
        change(
            node::run,
            BalancerCommands.put(
                BalancedHosts.member(drained, Member.State.DRAIN), Configure.ANY_VERSION));
        String other = drained.name().equals("m1") ? "m2" : "m1";
        assertThat(connect(client, VIP, 80, 3)).isEqualTo(Map.of(other, 3));
        lasting.goesOn(10);
      }
    }
  }

  private static void datagramsKeepTheirMemberByPort(
      OneNode node, OvsHost client, OvsHost one, OvsHost two) {
    BalancedHosts.serveDatagrams(one, "m1");
    BalancedHosts.serveDatagrams(two, "m2");
    BalancedHosts.service(node::run, "names", TransportProtocol.UDP, VIP, 53);
    BalancedHosts.addMember(node::run, "names", one, 8_080);
    BalancedHosts.addMember(node::run, "names", two, 8_080);
    Set<String> first = datagrams(client, VIP, 53, 40_000, 5);
    assertThat(first).hasSize(1);
    assertThat(datagrams(client, VIP, 53, 40_000, 5)).as("the same port").isEqualTo(first);
    assertThat(datagrams(client, VIP, 53, 40_001, 5))
        .as("another port")
        .hasSize(1)
        .doesNotContainAnyElementsOf(first);
  }

  /** At the member both are one connection, so TCP refuses the second. */
  private static void aDirectConnectionOfTheSamePortsLeavesTheBalancedOneAlone(
      OvsHost client, OvsHost one, OvsHost two) {
    try (Lasting balanced = new Lasting(client, VIP, 80, 41_000)) {
      OvsHost member = balanced.server().equals("m1") ? one : two;
      OvsHost other = member.equals(one) ? two : one;
      assertThat(BalancedHosts.second(client, member.ip(), 8_080, 41_000)).isEqualTo("timed out");
      balanced.goesOn(10);
      assertThat(BalancedHosts.second(client, other.ip(), 8_080, 41_000)).isEqualTo("connected");
      balanced.goesOn(10);
    }
  }
}
