package io.lockstep.core.node;

import static io.lockstep.core.node.TestCluster.domain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.core.node.TestCluster.TestNode;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.onlab.osgi.ServiceNotFoundException;
import org.onosproject.cluster.ClusterService;
import org.onosproject.cluster.ControllerNode.State;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.CoreService;
import org.onosproject.core.IdGenerator;
import org.onosproject.mastership.MastershipService;
import org.onosproject.mastership.MastershipTermService;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.MastershipRole;
import org.onosproject.net.Port;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowRuleService;

/** onos-api's services over two nodes. */
class FacadeTest {
  private static final int HOUR_MILLIS = 3_600_000;
  private static final NodeId N1 = NodeId.nodeId("n1");
  private static final NodeId N2 = NodeId.nodeId("n2");
  private static final NodeId N3 = NodeId.nodeId("n3");

  @Test
  void devicesAndPortsAreSeenOnEveryNodeAndOnlyTheOwnerMarksThemOffline() throws Exception {
    try (TestCluster cluster = new TestCluster(HOUR_MILLIS, domain("east", 1, "n1"))) {
      FakeSwitch east = cluster.newSwitch(0x10);
      DeviceId id = east.deviceId();
      TestNode n1 = cluster.start("n1");
      TestNode n2 = cluster.start("n2");
      DeviceService devices = n2.node.services().get(DeviceService.class);
      List<String> heard = new CopyOnWriteArrayList<>();
      devices.addListener(
          event -> {
            throw new IllegalStateException("a bad listener");
          });
      devices.addListener(
          event ->
              heard.add(event.type() + (event.port() == null ? "" : " " + event.port().number())));
      east.connect("n1", n1.node.switches());
      east.connect("n2", n2.node.switches());
      cluster.await(
          "the device is there", () -> devices.isAvailable(id) && devices.getPorts(id).size() == 2);
      Device device = devices.getDevice(id);
      assertThat(device.manufacturer()).isEqualTo("Acme");
      assertThat(device.annotations().value("protocol")).isEqualTo("OpenFlow 1.3");
      Port port = devices.getPort(id, PortNumber.portNumber(2));
      assertThat(port.isEnabled()).isTrue();
      assertThat(port.portSpeed()).isEqualTo(1_000);
      assertThat(port.number().name()).isEqualTo("eth2");
      assertThat(devices.getDeviceCount()).isEqualTo(1);
      assertThat(devices.getAvailableDevices()).containsExactly(device);

      east.setPort(2, false);
      cluster.await(
          "the port is down", () -> !devices.getPort(id, PortNumber.portNumber(2)).isEnabled());

      // n2 is not the owner: what it loses says nothing of the switch.
      east.disconnect("n2");
      cluster.await("n1 knows", () -> !n1.context.connections().connected("n2", east.dpid()));
      assertThat(devices.isAvailable(id)).isTrue();
      east.disconnect("n1");
      cluster.await("the owner marks it offline", () -> !devices.isAvailable(id));
      east.connect("n1", n1.node.switches());
      cluster.await("it is back", () -> devices.isAvailable(id));
      cluster.await(
          "all events in order",
          () ->
              heard.equals(
                  List.of(
                      "DEVICE_ADDED",
                      "PORT_ADDED [eth1](1)",
                      "PORT_ADDED [eth2](2)",
                      "PORT_UPDATED [eth2](2)",
                      "DEVICE_AVAILABILITY_CHANGED",
                      "DEVICE_AVAILABILITY_CHANGED")));
    }
  }

  @Test
  @SuppressWarnings("deprecation") // getDevicesOf, which applications call all the same.
  void rolesAndTermsAreTheTrueOnes() throws Exception {
    try (TestCluster cluster = new TestCluster(HOUR_MILLIS, domain("east", 1, "n1"))) {
      FakeSwitch east = cluster.newSwitch(0x10);
      DeviceId id = east.deviceId();
      TestNode n1 = cluster.start("n1");
      TestNode n2 = cluster.start("n2");
      MastershipService at1 = n1.node.services().get(MastershipService.class);
      MastershipService at2 = n2.node.services().get(MastershipService.class);
      List<String> heard = new CopyOnWriteArrayList<>();
      at2.addListener(
          event -> heard.add(event.type() + " " + event.mastershipInfo().master().orElse(null)));
      east.connect("n1", n1.node.switches());
      east.connect("n2", n2.node.switches());
      cluster.await("n1 is master", () -> at1.getLocalRole(id) == MastershipRole.MASTER);
      cluster.await("n2 knows", () -> N1.equals(at2.getMasterFor(id)));
      cluster.await("n2 stands by", () -> at2.getNodesFor(id).backups().equals(List.of(N2)));
      cluster.await("n1 knows", () -> at1.getNodesFor(id).backups().equals(List.of(N2)));
      assertThat(at2.getLocalRole(id)).isEqualTo(MastershipRole.STANDBY);
      assertThat(at2.getLocalRole(DeviceId.deviceId("of:00000000000000ff")))
          .isEqualTo(MastershipRole.NONE);
      assertThat(at2.getDevicesOf(N1)).containsExactly(id);
      assertThat(at2.getDevicesOf(N2)).isEmpty();
      MastershipTermService terms = n2.node.services().get(MastershipTermService.class);
      assertThat(terms.getMastershipTerm(id).termNumber()).isEqualTo(1);

      assertThat(at1.relinquishMastership(id)).succeedsWithin(Duration.ofMinutes(1));
      cluster.await("n2 is master", () -> at2.getLocalRole(id) == MastershipRole.MASTER);
      assertThat(at1.getLocalRole(id)).isNotEqualTo(MastershipRole.MASTER);
      cluster.await(
          "both agree", () -> N2.equals(at1.getMasterFor(id)) && N2.equals(at2.getMasterFor(id)));
      assertThat(terms.getMastershipTerm(id).termNumber()).isEqualTo(2);
      cluster.await("n2 was told", () -> heard.contains("MASTER_CHANGED n2"));
    }
  }

  @Test
  void theClusterServiceShowsWhoIsThere() throws Exception {
    try (TestCluster cluster = new TestCluster(HOUR_MILLIS)) {
      TestNode n1 = cluster.start("n1");
      ClusterService service = n1.node.services().get(ClusterService.class);
      List<String> heard = new CopyOnWriteArrayList<>();
      service.addListener(event -> heard.add(event.type() + " " + event.subject().id()));
      TestNode n2 = cluster.start("n2");
      cluster.await(
          "both are ready",
          () -> service.getState(N1) == State.READY && service.getState(N2) == State.READY);
      assertThat(service.getState(N3)).isEqualTo(State.INACTIVE);
      assertThat(service.getLocalNode().id()).isEqualTo(N1);
      assertThat(service.getNodes()).hasSize(3);
      assertThat(service.getNode(N3).host()).isEqualTo("127.0.0.1");
      assertThat(service.getVersion(N2).minor()).isEqualTo(1);
      n2.stop();
      cluster.await("n2 is gone", () -> service.getState(N2) == State.INACTIVE);
      cluster.await("the listener heard", () -> heard.contains("INSTANCE_DEACTIVATED n2"));
      assertThat(heard)
          .containsSubsequence(
              "INSTANCE_ACTIVATED n2", "INSTANCE_READY n2", "INSTANCE_DEACTIVATED n2");
    }
  }

  @Test
  void applicationNumbersAndIdsAreTheSameForAllNodes() throws Exception {
    try (TestCluster cluster = new TestCluster(HOUR_MILLIS)) {
      CoreService at1 = cluster.start("n1").node.services().get(CoreService.class);
      CoreService at2 = cluster.start("n2").node.services().get(CoreService.class);
      short id = at1.registerApplication("org.example.app").id();
      assertThat(at2.registerApplication("org.example.app").id()).isEqualTo(id);
      cluster.await("n2 knows it", () -> at2.getAppId("org.example.app") != null);
      assertThat(at2.getAppId(id).name()).isEqualTo("org.example.app");
      Set<Long> drawn = new HashSet<>();
      for (Supplier<IdGenerator> generator :
          List.<Supplier<IdGenerator>>of(
              () -> at1.getIdGenerator("topic"), () -> at2.getIdGenerator("topic"))) {
        for (int i = 0; i < 1_500; i++) {
          assertThat(drawn.add(generator.get().getNewId())).isTrue();
        }
      }
      assertThatThrownBy(() -> at1.registerApplication("x".repeat(300)))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void closingANodeRunsWhatItsApplicationsRegisteredWhileItsServicesWork() throws Exception {
    try (TestCluster cluster = new TestCluster(HOUR_MILLIS)) {
      TestNode n1 = cluster.start("n1");
      CoreService core = n1.node.services().get(CoreService.class);
      List<String> ran = new CopyOnWriteArrayList<>();
      core.registerApplication(
          "org.example.app", () -> ran.add("n1 " + core.getIdGenerator("at the end").getNewId()));
      n1.stop();
      assertThat(ran).containsExactly("n1 0");
    }
  }

  @Test
  void aServiceThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> new ServiceRegistry().get(FlowRuleService.class))
        .isInstanceOf(ServiceNotFoundException.class)
        .hasMessageContaining("FlowRuleService");
  }
}
