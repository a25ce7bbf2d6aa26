package io.lockstep.deploy.placed;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.IntendedRules;
import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.core.flow.placed.SwitchProfiles;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.profile.ProfileFile;
import io.lockstep.dataplane.topology.TopologyBuilder;
import io.lockstep.deploy.status.TablesText;
import io.lockstep.deploy.testbed.Await;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpPrefix;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleService;

/**
 * A switch of a maker that nobody knows, and that nobody configured: its tables are used as it
 * describes them in its table features. Another one that claims too much is not placed.
 */
class UnknownSwitchIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int STATIONS = 40;
  private static final int ACCESS = 24;

  private static final String ACME =
      """
      name: acme
      openflow: "1.3"
      description: {manufacturer: ACME, hardware: Switch 24, firmware: "1.2"}
      tables:
        - name: stations
          hardware:
            units: %d
            allowed: [vlan_vid, eth_dst, eth_type, ipv4_dst]
            required: [eth_dst]
            exact: [eth_dst]
          full: reject
          unsupported: reject
        - name: access
          hardware: {units: %d}
          full: reject
          unsupported: reject
      """
          .formatted(STATIONS, ACCESS);

  private static FlowRule rule(int number) {
    return DefaultFlowRule.builder()
        .forDevice(DeviceId.deviceId("of:0000000000000001"))
        .withSelector(
            DefaultTrafficSelector.builder()
                .matchEthType((short) 0x800)
                .matchIPDst(IpPrefix.valueOf("10." + number + ".0.0/16"))
                .build())
        .withTreatment(
            DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(1)).build())
        .withPriority(100 + number)
        .fromApp(new DefaultApplicationId(7, "org.example"))
        .makePermanent()
        .build();
  }

  private static boolean decided(IntendedRules rules, FlowRule rule) {
    FlowEntry entry = rules.getFlowEntry(rule);
    return entry != null
        && (entry.state() == FlowEntryState.ADDED || entry.state() == FlowEntryState.FAILED);
  }

  @Test
  void itsTablesAreUsedAsItDescribesThem() throws Exception {
    HardwareProfile acme = ProfileFile.parse("acme.yaml", ACME);
    try (NodesInOneProcess cluster = new NodesInOneProcess(SwitchProfiles.NONE);
        EmulatedNetwork network =
            EmulatedNetwork.start(
                new TopologyBuilder("two")
                    .addSwitch("s1", 1, "d", acme)
                    .addSwitch("s2", 2, "d", ProfileFile.builtIn("ideal"))
                    .host("s1")
                    .build(),
                cluster.nodes.values().stream()
                    .map(node -> node.server.port())
                    .map(port -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                    .toList())) {
      Await.until(
          "both switches are read",
          PATIENCE,
          () -> cluster.master(1) != null && cluster.master(2) != null,
          () -> "");
      assertThat(cluster.report(1).profile()).isEqualTo("table-features");
      // One entry of each table is its last, for what matches nothing.
      assertThat(cluster.report(1).layers())
          .extracting(PlacementReport.Layer::capacity)
          .containsExactly(STATIONS - 1L, ACCESS - 1L);
      assertThat(String.join("\n", TablesText.tables("1", cluster.report(1))))
          .contains("'ACME'", "table 0 'stations' holds 40", "table 1 'access' holds 24");
      assertThat(String.join("\n", TablesText.tables("2", cluster.report(2))))
          .contains("profile ideal", "no hardware's", "nothing is placed");

      IntendedRules rules =
          (IntendedRules)
              cluster.nodes.values().iterator().next().node.services().get(FlowRuleService.class);
      List<FlowRule> wanted = new ArrayList<>();
      for (int i = 0; i < 2 * ACCESS; i++) {
        wanted.add(rule(i));
      }
      rules.applyFlowRules(wanted.toArray(FlowRule[]::new));
      Await.until(
          "all rules are decided on",
          PATIENCE,
          () -> wanted.stream().allMatch(rule -> decided(rules, rule)),
          () -> cluster.report(1).toString());
      PlacementReport full = cluster.report(1);
      PlacementReport.Layer access = full.layers().get(1);
      assertThat(access.entries()).isBetween(ACCESS / 2, ACCESS);
      assertThat(access.refused()).as("the switch refused nothing").isZero();
      assertThat(full.refusedCount()).isBetween(ACCESS, 2 * ACCESS);
      assertThat(
              network
                  .switchNamed("s1")
                  .inspect(model -> model.pipeline().tables().get(1).entries().size())
                  .join())
          .isBetween(access.entries(), ACCESS);
    }
  }
}
