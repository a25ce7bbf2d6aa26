package io.lockstep.deploy.ovs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.placed.SwitchProfiles;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.OneNode;
import io.lockstep.openflow.channel.ovs.OpenVSwitch;
import io.lockstep.openflow.channel.ovs.OvsHost;
import io.lockstep.placer.profile.BuiltInProfiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Somebody deletes the flow entries of an Open vSwitch bridge with its own tool, again and again,
 * while it stays connected. The tests mostly wait for a read-back, so they run at once.
 */
@Execution(ExecutionMode.CONCURRENT)
class OwnEntriesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long DPID = 5;
  private static final String BRIDGE = "e1";
  private static final String DISCOVERY = "dl_type=0x88cc";
  private static final long READ_BACK_MILLIS = 2_000;

  /** An action that only Open vSwitch knows. */
  private static final String OF_ANOTHER = "priority=5,dl_type=0x9999,actions=resubmit(,7)";

  @TempDir private Path directory;

  private static String flows(OpenVSwitch ovs) {
    return ovs.ofctl("dump-flows", BRIDGE, "--no-stats");
  }

  private static boolean isWhole(OpenVSwitch ovs, String protocol) {
    String flows = flows(ovs);
    boolean misses =
        protocol.equals("OpenFlow10")
            || flows.lines().anyMatch(line -> line.contains("priority=0 actions=CONTROLLER"));
    return misses && flows.contains(DISCOVERY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"OpenFlow13", "OpenFlow10"})
  void deletedEntriesComeBackAndTheStatusSaysSo(String protocol) throws IOException {
    OpenVSwitch.assumeAvailable();
    try (OneNode node = OneNode.start(SwitchProfiles.NONE, READ_BACK_MILLIS);
        OpenVSwitch ovs = OpenVSwitch.start(directory)) {
      ovs.addBridge(BRIDGE, DPID);
      ovs.vsctl("set", "bridge", ovs.systemName(BRIDGE), "protocols=" + protocol);
      OvsHost one = ovs.addHost(BRIDGE, "x1", "10.0.0.1/24", "02:00:00:00:00:01");
      OvsHost two = ovs.addHost(BRIDGE, "x2", "10.0.0.2/24", "02:00:00:00:00:02");
      ovs.setControllers(BRIDGE, node.controller());
      boolean connected = one.pings(two, 60);
      assertThat(connected).as(() -> "connected: " + ovs.connectionLog()).isTrue();
      assertThat(node.trouble(DPID)).isEmpty();

      for (int round = 0; round < 2; round++) {
        ovs.ofctl("del-flows", BRIDGE);
        Await.until(
            "the entries are back", PATIENCE, () -> isWhole(ovs, protocol), () -> flows(ovs));
        assertThat(node.trouble(DPID)).contains("put back");
        assertThat(one.pings(two, 60)).isTrue();
      }

      // An entry that the node cannot read hides none of its own.
      ovs.ofctl("add-flow", BRIDGE, OF_ANOTHER);
      ovs.ofctl("del-flows", BRIDGE, DISCOVERY);
      Await.until("the entry is back", PATIENCE, () -> isWhole(ovs, protocol), () -> flows(ovs));
      assertThat(flows(ovs)).contains("resubmit(,7)");
    }
  }

  @Test
  void changedEntriesComeBack() throws IOException {
    OpenVSwitch.assumeAvailable();
    try (OneNode node = OneNode.start(SwitchProfiles.NONE, READ_BACK_MILLIS);
        OpenVSwitch ovs = OpenVSwitch.start(directory)) {
      ovs.addBridge(BRIDGE, DPID, node.controller());
      Await.until("it is set up", PATIENCE, () -> isWhole(ovs, "OpenFlow13"), () -> flows(ovs));
      for (String change :
          List.of("priority=0,actions=drop", "priority=0,idle_timeout=300,actions=controller")) {
        ovs.ofctl("add-flow", BRIDGE, change);
        Await.until("it is back", PATIENCE, () -> isWhole(ovs, "OpenFlow13"), () -> flows(ovs));
      }
      ovs.ofctl("mod-flows", BRIDGE, "actions=drop");
      Await.until(
          "both are back",
          PATIENCE,
          () -> isWhole(ovs, "OpenFlow13") && !flows(ovs).contains("drop"),
          () -> flows(ovs));
      assertThat(node.trouble(DPID)).contains("put back");
    }
  }

  @Test
  void switchWithBoundedTablesGetsItsEntriesBackToo() throws IOException {
    OpenVSwitch.assumeAvailable();
    SwitchProfiles profiles =
        new SwitchProfiles(
            List.of(new SwitchProfiles.Choice(DPID, DPID, BuiltInProfiles.get("ovs-small"))));
    try (OneNode node = OneNode.start(profiles, READ_BACK_MILLIS);
        OpenVSwitch ovs = OpenVSwitch.start(directory)) {
      ovs.addBridge(BRIDGE, DPID, node.controller());
      Await.until("it is set up", PATIENCE, () -> isPlaced(ovs), () -> flows(ovs));
      ovs.ofctl("del-flows", BRIDGE);
      Await.until("they are back", PATIENCE, () -> isPlaced(ovs), () -> flows(ovs));
      assertThat(node.trouble(DPID)).contains("put back");
    }
  }

  private static boolean isPlaced(OpenVSwitch ovs) {
    String flows = flows(ovs);
    return flows.contains(DISCOVERY) && flows.contains("priority=0");
  }
}
