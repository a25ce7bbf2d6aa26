package io.lockstep.deploy.placed;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.apps.loadbalancer.LoadBalancer;
import io.lockstep.apps.loadbalancer.state.BalancerCommands;
import io.lockstep.apps.loadbalancer.state.Configure;
import io.lockstep.apps.loadbalancer.state.Member;
import io.lockstep.apps.loadbalancer.state.Pool;
import io.lockstep.apps.loadbalancer.state.ServiceAddress;
import io.lockstep.apps.loadbalancer.state.TransportProtocol;
import io.lockstep.apps.loadbalancer.state.VirtualIp;
import io.lockstep.core.flow.IntendedRules;
import io.lockstep.core.flow.RuleInstaller;
import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.core.flow.placed.SwitchProfiles;
import io.lockstep.core.node.NetworkRoom;
import io.lockstep.dataplane.flowtable.FlowEntry;
import io.lockstep.dataplane.flowtable.FlowTable;
import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.network.LastingConnections;
import io.lockstep.dataplane.network.LastingConnections.Kept;
import io.lockstep.dataplane.network.LastingConnections.State;
import io.lockstep.dataplane.packet.Ipv4;
import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.profile.ProfileFile;
import io.lockstep.dataplane.topology.TopologyBuilder;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.OneNode;
import io.lockstep.placer.profile.ProfileReader;
import io.lockstep.store.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.onlab.packet.IpPrefix;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.host.HostService;

/**
 * Balanced connections at a switch whose table has no room for their entries, or cannot rewrite:
 * they go through the node, and the switch never has a half of a connection.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class BalancedTablesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");
  private static final String VIP = "10.0.0.100";
  private static final int MEMBER_PORT = 8_080;

  /** Of the entries of connections. */
  private static final int PRIORITY = 200;

  /** The table of the emulated switch: OpenFlow version, units, and what it cannot do. */
  private static final String TABLE =
      """
      name: acme
      openflow: "%s"
      tables:
        - name: first
          hardware: {units: %d%s}
          full: reject
          unsupported: reject
      """;

  /** The same as the placer knows it. */
  private static final String LAYER =
      """
      name: acme
      openflow: "%s"
      locations: visible
      layers:
        - id: first
          table: 0
          kind: hardware
          capacity: {units: %d}
          overflow: reject
          cover: controller
      """;

  /** A client, two members, a switch and a node. */
  private static final class Service implements AutoCloseable {
    final OneNode node;
    final EmulatedNetwork network;
    final LastingConnections connections;

    Service(String table, SwitchProfiles profiles) throws Exception {
      this(ProfileFile.parse("acme.yaml", table), profiles);
    }

    Service(HardwareProfile emulated, SwitchProfiles profiles) throws Exception {
      node = OneNode.start(profiles, 500);
      network =
          EmulatedNetwork.start(
              new TopologyBuilder("one")
                  .addSwitch("s1", 1, "d", emulated)
                  .host("s1")
                  .host("s1")
                  .host("s1")
                  .build(),
              List.of(node.address()));
      List<EmulatedHost> hosts = List.copyOf(network.hosts());
      List<EmulatedHost> members = hosts.subList(1, 3);
      connections =
          network.keepConnections(Ipv4.parse(VIP), 80, hosts.subList(0, 1), members, MEMBER_PORT);
      await(
          "all hosts are known",
          () -> {
            hosts.forEach(EmulatedHost::announce);
            return node.service(HostService.class).getHostCount() == hosts.size();
          });
      node.run(
          BalancerCommands.put(
              Pool.usual("web", Pool.Method.ROUND_ROBIN, Pool.Probe.NONE), Configure.ABSENT));
      node.run(BalancerCommands.put(VirtualIp.usual("web", service(), "web"), Configure.ABSENT));
      for (EmulatedHost member : members) {
        node.run(put(member));
      }
      await(
          "the virtual IP answers",
          () -> hosts.get(0).ping(Ipv4.parse(VIP), 1, Duration.ZERO, PATIENCE).join().complete());
    }

    private static ServiceAddress service() {
      int ip = io.lockstep.apps.loadbalancer.state.Ipv4.parse("address", VIP);
      return new ServiceAddress(TransportProtocol.TCP, ip, 80);
    }

    private static Command put(EmulatedHost host) {
      return BalancerCommands.put(
          new Member(
              host.name(), "web", host.address().value(), MEMBER_PORT, 1, Member.State.ENABLED),
          Configure.ABSENT);
    }

    void await(String what, Callable<Boolean> condition) {
      Await.until(what, PATIENCE, condition, () -> connectionsText() + " " + report());
    }

    private String connectionsText() {
      return connections == null ? "" : connections.connections().toString();
    }

    NetworkRoom room() {
      return node.service(NetworkRoom.class);
    }

    @Nullable PlacementReport report() {
      try {
        return room().askRules(RuleInstaller::reports).get(30, TimeUnit.SECONDS).get(1L);
      } catch (Exception e) {
        throw new AssertionError("the node does not answer", e);
      }
    }

    /** Units that are free, or -1 while the node is at work. */
    long free() {
      PlacementReport report = report();
      if (report == null || !report.rests()) {
        return -1;
      }
      PlacementReport.Layer layer = report.layers().get(0);
      return layer.capacity() - layer.used();
    }

    /** Adds rules until one unit is free. Guards may come and go meanwhile, so it counts again. */
    List<FlowRule> fillUpToOneUnit(IntendedRules rules) {
      List<FlowRule> fillers = new ArrayList<>();
      while (true) {
        long[] free = new long[1];
        await("the node rests", () -> (free[0] = free()) >= 0);
        if (free[0] == 1) {
          return fillers;
        }
        assertThat(free[0]).as("free units").isGreaterThan(1);
        for (long i = 1; i < free[0]; i++) {
          FlowRule filler = filler(fillers.size());
          fillers.add(filler);
          rules.applyFlowRules(filler);
        }
        await("the fillers are there", () -> fillers.stream().allMatch(one -> isAdded(rules, one)));
      }
    }

    private static boolean isAdded(IntendedRules rules, FlowRule rule) {
      var entry = rules.getFlowEntry(rule);
      return entry != null && entry.state() == FlowEntryState.ADDED;
    }

    long refused() {
      return room().counters().applicationEntriesRefused(LoadBalancer.NAME);
    }

    /** Opens further connections; all are open, and each of all is answered once more. */
    void open(int more) {
      int all = connections.connections().size() + more;
      connections.open(more, 200);
      await(all + " connections are open", () -> areOpen(all));
      talk();
    }

    private boolean areOpen(int count) {
      List<Kept> all = connections.connections();
      return all.size() == count
          && all.stream().allMatch(one -> one.state() == State.OPEN && !one.waits());
    }

    void talk() {
      int all = connections.connections().size();
      connections.talkNow();
      await("all are answered", () -> areOpen(all));
    }

    /** How many entries the switch has of each connection, by the client's port. */
    Map<Long, Integer> entries() {
      return network
          .switchNamed("s1")
          .inspect(
              model -> {
                Map<Long, Integer> entries = new TreeMap<>();
                List<FlowTable> tables = model.pipeline().tables();
                for (FlowEntry entry : tables.get(tables.size() - 1).entries()) {
                  if (entry.priority() == PRIORITY) {
                    long from = entry.match().value(OxmField.TCP_SRC.slot());
                    long to = entry.match().value(OxmField.TCP_DST.slot());
                    entries.merge(to == 80 ? from : to, 1, Integer::sum);
                  }
                }
                return entries;
              })
          .join();
    }

    /** Whether so many connections have both their entries, and no other has any. */
    boolean entriesOf(int count) {
      Map<Long, Integer> entries = entries();
      return entries.size() == count && entries.values().stream().allMatch(each -> each == 2);
    }

    @Override
    public void close() {
      connections.close();
      network.close();
      node.close();
    }
  }

  private static FlowRule filler(int number) {
    return DefaultFlowRule.builder()
        .forDevice(DEVICE)
        .withSelector(
            DefaultTrafficSelector.builder()
                .matchEthType((short) 0x800)
                .matchIPDst(IpPrefix.valueOf("10.99." + number + ".0/24"))
                .build())
        .withTreatment(
            DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(1)).build())
        .withPriority(10)
        .fromApp(new DefaultApplicationId(7, "org.example"))
        .makePermanent()
        .build();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.3", "1.0"})
  void aTableWithRoomForOneOfTwoEntriesGetsNone(String openFlow) throws Exception {
    int units = 40;
    SwitchProfiles profiles =
        Models.only(ProfileReader.read("acme.yaml", LAYER.formatted(openFlow, units)));
    try (Service service = new Service(TABLE.formatted(openFlow, units, ""), profiles)) {
      service.open(2);
      service.await("both have their entries", () -> service.entriesOf(2));

      IntendedRules rules = (IntendedRules) service.node.service(FlowRuleService.class);
      List<FlowRule> fillers = service.fillUpToOneUnit(rules);
      long before = service.refused();
      for (int i = 0; i < 3; i++) {
        service.open(1);
        assertThat(service.entries().values()).as("no half of a connection").containsOnly(2);
      }
      service.talk();
      assertThat(service.entries().values()).as("no half of a connection").containsOnly(2);
      assertThat(service.entries().size()).as("without entries").isLessThan(5);
      assertThat(service.refused()).isGreaterThan(before);
      assertThat(service.network.switchNamed("s1").counters().errorsSent())
          .as("the switch was asked for nothing that it cannot do")
          .isZero();

      rules.removeFlowRules(fillers.toArray(FlowRule[]::new));
      service.await(
          "all five have their entries",
          () -> {
            service.talk();
            return service.entriesOf(5);
          });
    }
  }

  /** Either says it; the other one says nothing. */
  @ParameterizedTest
  @CsvSource({"1.3,switch", "1.0,switch", "1.3,profile", "1.3,of-dpa"})
  void aSwitchThatCannotRewriteIsNamedAndItsConnectionsGoOn(String openFlow, String says)
      throws Exception {
    boolean itself = !says.equals("profile");
    SwitchProfiles profiles =
        itself
            ? SwitchProfiles.NONE
            : Models.only(
                ProfileReader.read(
                    "acme.yaml",
                    LAYER.formatted(openFlow, 400) + "    rewrites: [eth_src, eth_dst]\n"));
    String cannot = itself ? ", rewrites: [eth_src, eth_dst]" : "";
    HardwareProfile emulated =
        says.equals("of-dpa")
            ? ProfileFile.builtIn(says)
            : ProfileFile.parse("acme.yaml", TABLE.formatted(openFlow, 400, cannot));
    try (Service service = new Service(emulated, profiles)) {
      assertThat(service.room().shownNetwork().cannotRewrite()).containsExactly(DEVICE);
      service.open(6);
      assertThat(service.entries()).as("entries that rewrite").isEmpty();
      assertThat(service.refused()).isPositive();
      assertThat(service.network.switchNamed("s1").counters().errorsSent()).isZero();
    }
  }
}
