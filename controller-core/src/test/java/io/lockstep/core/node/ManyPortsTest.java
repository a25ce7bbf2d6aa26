package io.lockstep.core.node;

import static io.lockstep.core.node.TestCluster.domain;

import io.lockstep.core.node.TestCluster.TestNode;
import org.junit.jupiter.api.Test;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceService;

/** A switch with more ports than one write holds. */
class ManyPortsTest {
  private static final int HOUR_MILLIS = 3_600_000;
  private static final int PORTS = 1_000;

  @Test
  void allPortsReachTheStoreAndLaterChangesToo() throws Exception {
    try (TestCluster cluster = new TestCluster(HOUR_MILLIS, domain("east", 1, "n1"))) {
      FakeSwitch east = cluster.newSwitch(0x10);
      TestNode n1 = cluster.start("n1");
      DeviceService devices = n1.node.services().get(DeviceService.class);
      setAll(east, true);
      east.connect("n1", n1.node.switches());
      cluster.await("all ports are there", () -> enabled(devices, east) == PORTS);
      setAll(east, false);
      cluster.await("all ports are down", () -> enabled(devices, east) == 0);
      east.setPort(PORTS, true);
      cluster.await(
          "one is up again",
          () -> devices.getPort(east.deviceId(), PortNumber.portNumber(PORTS)).isEnabled());
    }
  }

  private static void setAll(FakeSwitch device, boolean enabled) {
    for (int port = 1; port <= PORTS; port++) {
      device.setPort(port, enabled);
    }
  }

  private static long enabled(DeviceService devices, FakeSwitch device) {
    int known = devices.getPorts(device.deviceId()).size();
    long up = devices.getPorts(device.deviceId()).stream().filter(port -> port.isEnabled()).count();
    // Not yet all of them: neither all up nor all down.
    return known == PORTS ? up : -1;
  }
}
