package io.lockstep.deploy.placed;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.IntendedRules;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.openflow.channel.ovs.OpenVSwitch;
import io.lockstep.placer.profile.BuiltInProfiles;
import io.lockstep.placer.profile.Capacity;
import io.lockstep.placer.profile.SwitchProfile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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

/**
 * Flow rules at Open vSwitch with two tables of 12 flows each, which it enforces, and three nodes.
 * What packets get is asked of the switch itself ({@code ofproto/trace}).
 */
class PlacedOpenVSwitchIT {
  private static final long DPID = 5;
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String BRIDGE = "p1";
  private static final int LIMIT = 12;
  private static @Nullable OpenVSwitch shared;

  private final OpenVSwitch ovs = Objects.requireNonNull(shared);
  private NodesInOneProcess cluster;

  @BeforeAll
  static void startSwitches(@TempDir Path directory) {
    OpenVSwitch.assumeAvailable();
    shared = OpenVSwitch.start(directory);
  }

  @AfterAll
  static void stopSwitches() {
    if (shared != null) {
      shared.close();
    }
  }

  @BeforeEach
  void start() throws IOException {
    SwitchProfile profile = BuiltInProfiles.get("ovs-small");
    profile = profile.withCapacity(0, Capacity.ofEntries(LIMIT), 2);
    cluster = new NodesInOneProcess(profile.withCapacity(1, Capacity.ofEntries(LIMIT), 2));
    ovs.addBridge(BRIDGE, DPID, cluster.controllers());
    ovs.limitFlows(BRIDGE, 0, LIMIT);
    ovs.limitFlows(BRIDGE, 1, LIMIT);
    await("the switch is read", () -> cluster.master(DPID) != null);
  }

  @AfterEach
  void stop() {
    ovs.deleteBridge(BRIDGE);
    cluster.close();
  }

  private static void await(String what, Callable<Boolean> condition) {
    Await.until(what, PATIENCE, condition, () -> "");
  }

  private IntendedRules rules() {
    return cluster.rules();
  }

  private static FlowRule rule(int priority, String net, long port) {
    return DefaultFlowRule.builder()
        .forDevice(DeviceId.deviceId("of:0000000000000005"))
        .withSelector(
            DefaultTrafficSelector.builder()
                .matchEthType((short) 0x800)
                .matchIPDst(IpPrefix.valueOf(net))
                .build())
        .withTreatment(
            DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(port)).build())
        .withPriority(priority)
        .fromApp(new DefaultApplicationId(7, "org.example"))
        .makePermanent()
        .build();
  }

  private FlowEntryState state(FlowRule rule) {
    FlowEntry entry = rules().getFlowEntry(rule);
    return entry == null ? FlowEntryState.REMOVED : entry.state();
  }

  private boolean decided(FlowRule rule) {
    return state(rule) == FlowEntryState.ADDED || state(rule) == FlowEntryState.FAILED;
  }

  /** What the switch does with a packet to an address: "output:N" or "CONTROLLER". */
  private boolean sends(String address, String action) {
    String trace =
        ovs.appctl("ofproto/trace", ovs.systemName(BRIDGE), "in_port=1,ip,nw_dst=" + address);
    return trace.contains(action);
  }

  private long flows(int table) {
    return ovs.ofctl("dump-flows", BRIDGE)
        .lines()
        .filter(line -> line.contains("table=" + table + ","))
        .count();
  }

  private static String net(int number) {
    return "10." + number + ".0.0/16";
  }

  @Test
  void tablesAreFilledToTheirLimitAndNeverPast() {
    List<FlowRule> wanted = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      wanted.add(rule(300 - i, net(i), 1 + i));
    }
    wanted.forEach(rules()::applyFlowRules);
    await("all are decided", () -> wanted.stream().allMatch(this::decided));
    List<FlowRule> failed =
        wanted.stream().filter(rule -> state(rule) == FlowEntryState.FAILED).toList();
    assertThat(failed).hasSizeBetween(8, 14);
    assertThat(failed)
        .allSatisfy(
            rule ->
                assertThat(rules().error(rule))
                    .contains("of:0000000000000005", "layer", "capacity", "used")
                    .doesNotContain("TABLE_FULL"));
    assertThat(cluster.report(DPID).layers()).allMatch(layer -> layer.refused() == 0);
    assertThat(flows(0)).isLessThanOrEqualTo(LIMIT);
    assertThat(flows(1)).isLessThanOrEqualTo(LIMIT);
    for (int i = 0; i < 30; i++) {
      assertThat(sends("10." + i + ".0.9", "output:" + (1 + i)))
          .isEqualTo(state(wanted.get(i)) == FlowEntryState.ADDED);
    }
  }

  @Test
  void whatOthersDoToTheTablesIsSeenAndHealed() {
    FlowRule wide = rule(10, "10.0.0.0/8", 1);
    FlowRule narrow = rule(20, net(7), 2);
    rules().applyFlowRules(wide, narrow);
    await(
        "both are there",
        () -> state(narrow) == FlowEntryState.ADDED && sends("10.8.0.1", "output:1"));
    for (int i = 0; i < 6; i++) {
      ovs.ofctl(
          "add-flow", BRIDGE, "table=0,priority=3,ip,nw_dst=192.168." + i + ".0/24,actions=drop");
    }
    await(
        "strangers count",
        () ->
            cluster.report(DPID).layers().get(0).foreign() == 6
                && cluster.report(DPID).layers().get(0).capacity() == LIMIT - 1 - 6);
    List<FlowRule> more = new ArrayList<>();
    for (int i = 20; i < 40; i++) {
      more.add(rule(100 + i, net(i), 3));
    }
    more.forEach(rules()::applyFlowRules);
    await("all are decided", () -> more.stream().allMatch(this::decided));
    assertThat(cluster.report(DPID).layers()).allMatch(layer -> layer.refused() == 0);
    more.forEach(rules()::removeFlowRules);
    await("they are gone", () -> rules().getFlowRuleCount() == 2);
    ovs.ofctl("del-flows", BRIDGE);
    await(
        "what vanished is back",
        () ->
            sends("10.7.0.1", "output:2")
                && sends("10.8.0.1", "output:1")
                && sends("11.0.0.1", "CONTROLLER"));
    await("nothing waits", () -> cluster.report(DPID).rests());
    assertThat(sends("11.0.0.1", "CONTROLLER")).isTrue();
    ovs.limitFlows(BRIDGE, 0, (int) flows(0));
    ovs.limitFlows(BRIDGE, 1, (int) flows(1));
    FlowRule late = rule(30, "10.9.0.0/16", 4);
    rules().applyFlowRules(late);
    await("it is refused", () -> state(late) == FlowEntryState.FAILED);
    assertThat(rules().error(late)).contains("capacity").contains("TABLE_FULL");
    ovs.limitFlows(BRIDGE, 0, LIMIT);
    ovs.limitFlows(BRIDGE, 1, LIMIT);
    await("the room is found", () -> state(late) == FlowEntryState.ADDED);
    assertThat(sends("10.9.0.1", "output:4")).isTrue();
  }

  @Test
  void mastersDieUnderChurnAndTheLastLeavesTheSwitchAsWanted() {
    Random random = new Random(3);
    Map<Integer, FlowRule> wanted = new HashMap<>();
    for (String victim : List.of("n1", "n2")) {
      for (int i = 0; i < 150; i++) {
        int number = random.nextInt(12);
        FlowRule there = wanted.get(number);
        if (there == null) {
          FlowRule rule =
              rule(
                  40 + number, "10." + 16 * (number % 4) + ".0.0/" + (10 + number % 3), 1 + number);
          wanted.put(number, rule);
          rules().applyFlowRules(rule);
        } else {
          wanted.remove(number);
          rules().removeFlowRules(there);
        }
        if (i == 100) {
          // The others' service goes on; the master dies with what is on its way.
          new Thread(cluster.node(victim)::kill, "kill " + victim).start();
          await("it is gone", () -> !cluster.nodes.containsKey(victim));
        }
      }
      await("another masters the switch", () -> cluster.master(DPID) != null);
    }
    await(
        "all is as wanted",
        () ->
            rules().getFlowRuleCount() == wanted.size()
                && wanted.values().stream().allMatch(r -> state(r) == FlowEntryState.ADDED));
    await("nothing waits", () -> cluster.report(DPID).rests());
    for (int high = 0; high < 64; high++) {
      String address = "10." + high + ".1.1";
      FlowRule best = null;
      for (FlowRule rule : wanted.values()) {
        boolean here = covers(rule, high);
        best = here && (best == null || rule.priority() > best.priority()) ? rule : best;
      }
      String expected = best == null ? "CONTROLLER" : "output:" + (best.priority() - 39);
      assertThat(sends(address, expected)).as("%s gets %s", address, expected).isTrue();
    }
  }

  private static boolean covers(FlowRule rule, int high) {
    int number = rule.priority() - 40;
    int bits = 10 + number % 3;
    int net = 16 * (number % 4);
    return (net ^ high) >>> (16 - bits) == 0;
  }
}
