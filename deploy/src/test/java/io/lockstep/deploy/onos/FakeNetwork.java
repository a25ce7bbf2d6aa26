package io.lockstep.deploy.onos;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.ChassisId;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.cluster.ClusterService;
import org.onosproject.cluster.ControllerNode;
import org.onosproject.cluster.DefaultControllerNode;
import org.onosproject.cluster.NodeId;
import org.onosproject.cluster.RoleInfo;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreService;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultAnnotations;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.DefaultLink;
import org.onosproject.net.DefaultPort;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.Link;
import org.onosproject.net.MastershipRole;
import org.onosproject.net.Port;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DefaultPortStatistics;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.device.PortStatistics;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.DefaultTableStatisticsEntry;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.flow.IndexTableId;
import org.onosproject.net.flow.TableStatisticsEntry;
import org.onosproject.net.host.HostService;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.provider.ProviderId;
import org.onosproject.net.topology.TopologyService;

/**
 * Two devices with one link in both directions, one host at the first, and two nodes of which the
 * first is this one and masters both.
 */
final class FakeNetwork {
  static final DeviceId ONE = DeviceId.deviceId("of:0000000000000001");
  static final DeviceId TWO = DeviceId.deviceId("of:0000000000000002");
  private static final ProviderId PROVIDER = new ProviderId("of", "test");
  private static final NodeId SELF = NodeId.nodeId("n1");
  private static final NodeId OTHER = NodeId.nodeId("n2");

  /** By device and id, as the store has them. */
  final Map<String, FlowRule> rules = new LinkedHashMap<>();

  final List<String> applications = new ArrayList<>(List.of("learning-switch"));
  final List<DeviceId> relinquished = new ArrayList<>();

  /** What the store says of the next write; null for what it does. */
  @Nullable CompletableFuture<Integer> scripted;

  boolean registersNothing;
  boolean fails;

  OnosServices services() {
    return new OnosServices(
        PartialService.of(DeviceService.class, new Devices()),
        PartialService.of(LinkService.class, new Links()),
        PartialService.of(HostService.class, new Hosts()),
        PartialService.of(FlowRuleService.class, new Flows()),
        this::write,
        PartialService.of(TopologyService.class, new NoTopology()),
        PartialService.of(ClusterService.class, new Nodes()),
        PartialService.of(MastershipService.class, new Masters()),
        PartialService.of(CoreService.class, new Core()),
        List.of(new OnosApplication("learning-switch", "Lockstep", "0.1.0")),
        new Activation());
  }

  /** Applications that are not in here are active. */
  final Set<String> deactivated = new HashSet<>();

  private final class Activation implements ApplicationActivation {
    @Override
    public boolean isActive(String application) {
      return !deactivated.contains(application);
    }

    @Override
    public CompletableFuture<Optional<String>> set(String application, boolean active) {
      if (fails) {
        return CompletableFuture.completedFuture(Optional.of("nothing was changed: no quorum"));
      }
      if (active) {
        deactivated.remove(application);
      } else {
        deactivated.add(application);
      }
      return CompletableFuture.completedFuture(Optional.empty());
    }
  }

  private CompletableFuture<Integer> write(List<FlowRule> written, boolean remove) {
    if (scripted != null) {
      return scripted;
    }
    for (FlowRule rule : written) {
      String key = rule.deviceId() + "/" + rule.id().value();
      if (remove) {
        rules.remove(key);
      } else {
        rules.put(key, rule);
      }
    }
    return CompletableFuture.completedFuture(written.size());
  }

  private static Device device(DeviceId id, long number) {
    return new DefaultDevice(
        PROVIDER,
        id,
        Device.Type.SWITCH,
        "maker",
        "hw",
        "sw",
        "sn",
        new ChassisId(number),
        DefaultAnnotations.builder().set("protocol", "OF_13").build());
  }

  private static Link link(DeviceId from, DeviceId to) {
    return DefaultLink.builder()
        .providerId(PROVIDER)
        .src(new ConnectPoint(from, PortNumber.portNumber(2)))
        .dst(new ConnectPoint(to, PortNumber.portNumber(2)))
        .type(Link.Type.DIRECT)
        .state(Link.State.ACTIVE)
        .build();
  }

  /** Devices. */
  @SuppressWarnings("unused") // Called by reflection.
  private final class Devices {
    private final Map<DeviceId, Device> known = Map.of(ONE, device(ONE, 1), TWO, device(TWO, 2));

    Iterable<Device> getDevices() {
      if (fails) {
        throw new IllegalStateException("secret of the node");
      }
      return known.values();
    }

    @Nullable Device getDevice(DeviceId id) {
      return known.get(id);
    }

    boolean isAvailable(DeviceId id) {
      return true;
    }

    MastershipRole getRole(DeviceId id) {
      return MastershipRole.MASTER;
    }

    long getLastUpdatedInstant(DeviceId id) {
      return 1_447_892_365_670L;
    }

    String localStatus(DeviceId id) {
      return "connected 1m ago";
    }

    List<Port> getPorts(DeviceId id) {
      Device device = known.get(id);
      return List.of(
          new DefaultPort(device, PortNumber.LOCAL, false, Port.Type.COPPER, 0),
          new DefaultPort(
              device,
              PortNumber.portNumber(1),
              true,
              Port.Type.COPPER,
              10_000,
              DefaultAnnotations.builder().set("portName", "s1-eth1").build()));
    }

    List<PortStatistics> getPortStatistics(DeviceId id) {
      return List.of(counted(id, 2), counted(id, 1));
    }

    List<PortStatistics> getPortDeltaStatistics(DeviceId id) {
      return List.of();
    }

    private PortStatistics counted(DeviceId id, int port) {
      return DefaultPortStatistics.builder()
          .setDeviceId(id)
          .setPort(PortNumber.portNumber(port))
          .setPacketsReceived(port)
          .setPacketsSent(11)
          .setBytesReceived(12)
          .setBytesSent(13)
          .setPacketsRxDropped(14)
          .setPacketsTxDropped(15)
          .setPacketsRxErrors(16)
          .setPacketsTxErrors(17)
          .setDurationSec(18)
          .build();
    }
  }

  /** Links. */
  @SuppressWarnings("unused")
  private static final class Links {
    Iterable<Link> getLinks() {
      return List.of(link(TWO, ONE), link(ONE, TWO));
    }

    Set<Link> getDeviceEgressLinks(DeviceId id) {
      return Set.of(link(id, id.equals(ONE) ? TWO : ONE));
    }

    Set<Link> getIngressLinks(ConnectPoint point) {
      return point.port().equals(PortNumber.portNumber(2))
          ? Set.of(link(TWO, point.deviceId()))
          : Set.of();
    }
  }

  /** One host. */
  @SuppressWarnings("unused")
  private static final class Hosts {
    private final Host host =
        new DefaultHost(
            PROVIDER,
            HostId.hostId("46:E4:3C:A4:17:C8/None"),
            MacAddress.valueOf("46:E4:3C:A4:17:C8"),
            VlanId.NONE,
            new HostLocation(ONE, PortNumber.portNumber(1), 0),
            Set.of(IpAddress.valueOf("10.0.0.2"), IpAddress.valueOf("10.0.0.1")));

    Iterable<Host> getHosts() {
      return List.of(host);
    }

    @Nullable Host getHost(HostId id) {
      return id.equals(host.id()) ? host : null;
    }
  }

  /** Rules. */
  @SuppressWarnings("unused")
  private final class Flows {
    Iterable<FlowEntry> getFlowEntries(DeviceId id) {
      return rules.values().stream()
          .filter(rule -> rule.deviceId().equals(id))
          .map(rule -> (FlowEntry) new DefaultFlowEntry(rule, FlowEntryState.PENDING_ADD))
          .toList();
    }

    Iterable<FlowEntry> getFlowEntriesById(ApplicationId id) {
      return rules.values().stream()
          .filter(rule -> rule.appId() == id.id())
          .map(rule -> (FlowEntry) new DefaultFlowEntry(rule, FlowEntryState.PENDING_ADD))
          .toList();
    }

    Iterable<TableStatisticsEntry> getFlowTableStatistics(DeviceId id) {
      return List.of(
          DefaultTableStatisticsEntry.builder()
              .withDeviceId(id)
              .withTableId(IndexTableId.of(0))
              .withActiveFlowEntries(3)
              .withPacketsLookedUpCount(4)
              .withPacketsMatchedCount(2)
              .build());
    }
  }

  /** Its answers are tested with a real node. */
  private static final class NoTopology {}

  /** Nodes. */
  @SuppressWarnings("unused")
  private static final class Nodes {
    Set<ControllerNode> getNodes() {
      return Set.of(
          new DefaultControllerNode(OTHER, IpAddress.valueOf("10.0.0.12"), 7300),
          new DefaultControllerNode(SELF, IpAddress.valueOf("10.0.0.11"), 7300));
    }

    ControllerNode getLocalNode() {
      return new DefaultControllerNode(SELF, IpAddress.valueOf("10.0.0.11"), 7300);
    }

    ControllerNode.State getState(NodeId id) {
      return ControllerNode.State.READY;
    }

    Instant getLastUpdatedInstant(NodeId id) {
      return Instant.ofEpochMilli(7);
    }

    String localStatus(NodeId id) {
      return "ready 1m ago";
    }
  }

  /** Masters. */
  @SuppressWarnings("unused")
  private final class Masters {
    MastershipRole getLocalRole(DeviceId id) {
      return id.equals(ONE) ? MastershipRole.MASTER : MastershipRole.NONE;
    }

    @Nullable NodeId getMasterFor(DeviceId id) {
      return id.equals(ONE) ? SELF : id.equals(TWO) ? OTHER : null;
    }

    RoleInfo getNodesFor(DeviceId id) {
      return new RoleInfo(getMasterFor(id), id.equals(ONE) ? List.of(OTHER) : List.of());
    }

    Set<DeviceId> getDevicesOf(NodeId id) {
      return id.equals(SELF) ? Set.of(ONE) : Set.of(TWO);
    }

    CompletableFuture<Void> relinquishMastership(DeviceId id) {
      relinquished.add(id);
      return CompletableFuture.completedFuture(null);
    }
  }

  /** Applications. */
  @SuppressWarnings("unused")
  private final class Core {
    Set<ApplicationId> getAppIds() {
      return applications.stream().map(this::getAppId).collect(Collectors.toSet());
    }

    @Nullable ApplicationId getAppId(String name) {
      int index = applications.indexOf(name);
      return index < 0 ? null : new DefaultApplicationId(index + 1, name);
    }

    ApplicationId registerApplication(String name) {
      if (registersNothing) {
        throw new IllegalStateException("cannot register application " + name + ": no answer");
      }
      applications.add(name);
      return new DefaultApplicationId(applications.size(), name);
    }
  }
}
