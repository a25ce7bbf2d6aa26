package io.lockstep.deploy.ovs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.node.NetworkRoom;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.OneNode;
import io.lockstep.openflow.channel.ovs.OpenVSwitch;
import io.lockstep.openflow.channel.ovs.OvsHost;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onlab.packet.IpAddress;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.device.PortStatistics;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.flow.TableStatisticsEntry;
import org.onosproject.net.host.HostService;

/**
 * onos-api's services that ask switches and hosts, with an Open vSwitch bridge and hosts of Linux.
 * The tests mostly wait for the next question, so they run at once.
 */
@Execution(ExecutionMode.CONCURRENT)
class OnosServicesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000007");
  private static final String BRIDGE = "e1";
  private static final String IP6 = "fd00::2";
  private static final int PINGS = 5;

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"OpenFlow13", "OpenFlow10"})
  void silentHostsAreFoundAndPortsAreCounted(String protocol) throws IOException {
    OpenVSwitch.assumeAvailable();
    try (OneNode node = OneNode.start();
        OpenVSwitch ovs = OpenVSwitch.start(directory)) {
      ovs.addBridge(BRIDGE, 7);
      ovs.vsctl("set", "bridge", ovs.systemName(BRIDGE), "protocols=" + protocol);
      OvsHost one = ovs.addHost(BRIDGE, "x1", "10.0.0.1/24", "02:00:00:00:00:01");
      OvsHost two = ovs.addHost(BRIDGE, "x2", "10.0.0.2/24", "02:00:00:00:00:02");
      two.must("sysctl", "-q", "-w", "net.ipv6.conf.eth0.disable_ipv6=0");
      two.must("ip", "-6", "address", "add", IP6 + "/64", "dev", "eth0", "nodad");
      ovs.setControllers(BRIDGE, node.controller());
      Await.until(
          "both ports have a number",
          PATIENCE,
          () -> ovs.portNumber("x1") > 0 && ovs.portNumber("x2") > 0,
          () -> ovs.vsctl("show"));
      PortNumber first = PortNumber.portNumber(ovs.portNumber("x1"));
      PortNumber second = PortNumber.portNumber(ovs.portNumber("x2"));
      NetworkRoom room = node.service(NetworkRoom.class);
      Await.until(
          "both ports are edges",
          PATIENCE,
          () -> room.network().isEdge(DEVICE, first) && room.network().isEdge(DEVICE, second),
          () -> node.status() + " " + ovs.connectionLog());

      HostService hosts = node.service(HostService.class);
      assertThat(hosts.getHostsByIp(IpAddress.valueOf(one.ip()))).as("it said nothing").isEmpty();
      hosts.requestMac(IpAddress.valueOf(one.ip()));
      awaitFound(node, one.ip(), first);
      hosts.startMonitoringIp(IpAddress.valueOf(IP6));
      awaitFound(node, IP6, second);

      for (int i = 0; i < PINGS; i++) {
        assertThat(one.pings(two, 60)).isTrue();
      }
      counted(node, first);
    }
  }

  private static void awaitFound(OneNode node, String ip, PortNumber port) {
    HostService hosts = node.service(HostService.class);
    IpAddress address = IpAddress.valueOf(ip);
    Await.until(
        ip + " is found",
        PATIENCE,
        () -> !hosts.getHostsByIp(address).isEmpty(),
        () -> String.valueOf(node.status()));
    assertThat(hosts.getHostsByIp(address).iterator().next().location().port()).isEqualTo(port);
  }

  private static void counted(OneNode node, PortNumber port) {
    DeviceService devices = node.service(DeviceService.class);
    Await.until(
        "the pings are counted",
        PATIENCE,
        () -> {
          PortStatistics shown = devices.getStatisticsForPort(DEVICE, port);
          return shown != null && shown.packetsReceived() >= PINGS && shown.bytesSent() > 0;
        },
        () -> devices.getPortStatistics(DEVICE).toString());
    Await.until(
        "a second answer came",
        PATIENCE,
        () -> devices.getDeltaStatisticsForPort(DEVICE, port) != null,
        () -> devices.getPortDeltaStatistics(DEVICE).toString());
    // Ports and tables are asked for one after the other, so the table's answer may be older.
    Await.until(
        "the table counted the pings",
        PATIENCE,
        () -> {
          TableStatisticsEntry table = firstTable(node);
          return table.activeFlowEntries() > 0 && table.packetsLookedup() >= PINGS;
        },
        () -> firstTable(node).toString());
  }

  private static TableStatisticsEntry firstTable(OneNode node) {
    return node.service(FlowRuleService.class).getFlowTableStatistics(DEVICE).iterator().next();
  }
}
