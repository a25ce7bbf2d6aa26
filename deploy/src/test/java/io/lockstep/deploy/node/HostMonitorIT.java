package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.node.NetworkRoom;
import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.model.Protocol;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.topology.Topologies;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.OneNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onlab.packet.IpAddress;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.PortNumber;
import org.onosproject.net.host.HostService;
import org.onosproject.net.link.LinkService;

/**
 * Hosts that say nothing are found because an application asks for their addresses. What they
 * announce when they are plugged in is lost, since no switch is connected to the node by then.
 */
@Execution(ExecutionMode.CONCURRENT)
class HostMonitorIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int LINKS = 2;

  private static IpAddress address(EmulatedNetwork network, String host) {
    return IpAddress.valueOf(network.hostNamed(host).address().toString());
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void silentHostsAreFoundByTheirAddresses(Protocol protocol) throws IOException {
    try (OneNode node = OneNode.start();
        EmulatedNetwork network =
            EmulatedNetwork.start(
                Topologies.linear(2, 1).speaking(protocol, one -> true), List.of(node.address()))) {
      HostService hosts = node.service(HostService.class);
      Await.until(
          "both switches forward",
          PATIENCE,
          () -> node.service(LinkService.class).getLinkCount() == LINKS && edges(node) == 2,
          () -> String.valueOf(node.status()));
      assertThat(hosts.getHostsByIp(address(network, "h1"))).isEmpty();

      hosts.requestMac(address(network, "h1"));
      awaitFound(node, network.hostNamed("h1"), 1);
      assertThat(hosts.getHostsByIp(address(network, "h2"))).as("was not asked for").isEmpty();

      hosts.startMonitoringIp(address(network, "h2"));
      awaitFound(node, network.hostNamed("h2"), 2);
      hosts.stopMonitoringIp(address(network, "h2"));
    }
  }

  /** At how many of the ports of switches 1 and 2 hosts are heard. */
  private static long edges(OneNode node) {
    NetworkRoom room = node.service(NetworkRoom.class);
    long found = 0;
    for (long dpid = 1; dpid <= 2; dpid++) {
      for (long port = 1; port <= 4; port++) {
        found += room.network().isEdge(device(dpid), PortNumber.portNumber(port)) ? 1 : 0;
      }
    }
    return found;
  }

  private static DeviceId device(long dpid) {
    return DeviceId.deviceId(String.format("of:%016x", dpid));
  }

  private static void awaitFound(OneNode node, EmulatedHost host, long dpid) {
    HostService hosts = node.service(HostService.class);
    IpAddress address = IpAddress.valueOf(host.address().toString());
    Await.until(
        host + " is found",
        PATIENCE,
        () -> !hosts.getHostsByIp(address).isEmpty(),
        () -> String.valueOf(node.status()));
    Host found = hosts.getHostsByIp(address).iterator().next();
    assertThat(found.mac().toString()).isEqualToIgnoringCase(host.mac().toString());
    assertThat(found.location().deviceId()).isEqualTo(device(dpid));
  }
}
