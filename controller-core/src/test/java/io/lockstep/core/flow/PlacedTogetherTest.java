package io.lockstep.core.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.flow.oracle.Frame;
import io.lockstep.core.flow.oracle.TableSwitch;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.placer.profile.BuiltInProfiles;
import io.lockstep.placer.profile.Capacity;
import io.lockstep.placer.profile.Cover;
import io.lockstep.placer.profile.LayerProfile;
import io.lockstep.placer.profile.SwitchProfile;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.MacAddress;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficTreatment;

/** What one decision of an application installs: the switch gets all of it, or nothing. */
class PlacedTogetherTest {
  private static final String BALANCER = "load-balancer";

  /** Beside the entry for what matches nothing and the one for link discovery. */
  private static final int ROOM = 4;

  private final PlacedBench bench = new PlacedBench(oneTable(2 + ROOM, true), new Random(37));

  @BeforeEach
  void master() {
    bench.master();
    bench.ready();
    bench.settled();
    bench.device.watched = true;
  }

  @AfterEach
  void close() {
    bench.close();
    assertThat(bench.device.wrong()).isEmpty();
  }

  private static SwitchProfile oneTable(int units, boolean rewrites) {
    SwitchProfile small = BuiltInProfiles.get("ovs-small");
    LayerProfile first = small.layers().get(0);
    LayerProfile only =
        new LayerProfile(
            first.id(),
            first.table(),
            first.kind(),
            first.allowed(),
            first.required(),
            first.exactness(),
            rewrites ? first.rewrites() : 0,
            Capacity.ofEntries(units),
            first.overflow(),
            Cover.CONTROLLER,
            0);
    return new SwitchProfile("one", "1.3", true, false, 64, List.of(only), List.of());
  }

  private static FlowMod add(int priority, String net, TrafficTreatment treatment) {
    return new FlowMod(
        FlowMod.Operation.ADD,
        0,
        priority,
        Cookies.softEntriesOf(BALANCER),
        0,
        100,
        0,
        false,
        PacketIn.NO_BUFFER,
        PlacedBench.net(net),
        treatment);
  }

  private static FlowMod add(int priority, String net) {
    return add(
        priority,
        net,
        DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(5)).build());
  }

  private static FlowMod add(int priority, int net) {
    return add(priority, "10." + net + ".0.0/16");
  }

  private static FlowRule filler(int number) {
    return PlacedBench.rule(90, PlacedBench.net("192.168." + number + ".0/24"), 3);
  }

  private void fill(int rules) {
    for (int i = 0; i < rules; i++) {
      bench.rules.applyFlowRules(filler(i));
      bench.awaitState(filler(i), FlowEntryState.ADDED);
    }
    bench.settled();
  }

  private void decide(FlowMod... mods) {
    assertThat(bench.installer.send(bench.connection(), List.of(mods))).isTrue();
    bench.settled();
  }

  private boolean forwards(int net) {
    Frame frame = new Frame(1, 0, 0x0a00_0001 | net << 16, 80);
    String action = bench.device.<String>with(tables -> tables.follow(frame));
    assertThat(action).isIn("port 5", TableSwitch.CONTROLLER);
    return action.equals("port 5");
  }

  private long refused() {
    return bench.installer.softEntriesRefused(BALANCER);
  }

  private int flowMods() {
    return bench.device.<Integer>with(tables -> tables.flowMods);
  }

  @Test
  void withRoomForOneOfTwoNoneIsSent() {
    fill(ROOM - 1);
    int before = flowMods();
    decide(add(20, 1), add(20, 2));
    assertThat(flowMods()).as("flow-mods").isEqualTo(before);
    assertThat(refused()).isEqualTo(2);
    assertThat(bench.report().refusedCount()).as("no one waits for them").isZero();

    bench.rules.removeFlowRules(filler(0));
    bench.awaitState(filler(0), FlowEntryState.REMOVED);
    decide(add(20, 1), add(20, 2));
    assertThat(forwards(1)).isTrue();
    assertThat(forwards(2)).isTrue();
    assertThat(refused()).isEqualTo(2);
  }

  @Test
  void rulesBelowOthersOfTheirDecisionCountToo() {
    fill(ROOM - 2);
    decide(add(20, 1), add(20, 2), add(15, "10.0.0.0/8"));
    assertThat(forwards(1)).isFalse();
    assertThat(forwards(2)).isFalse();
    assertThat(refused()).isEqualTo(3);
  }

  @Test
  void whatTheSwitchHasStaysWhereALaterDecisionIsRefused() {
    fill(ROOM - 2);
    decide(add(20, 1));
    decide(add(20, 1), add(20, 2), add(20, 3));
    assertThat(forwards(1)).isTrue();
    assertThat(forwards(2)).isFalse();
    assertThat(refused()).isEqualTo(2);
    decide(add(20, 1), add(20, 2));
    assertThat(forwards(2)).isTrue();
  }

  @Test
  void whereTheSwitchRefusesOneTheOthersGoAgain() {
    bench.device.refuses = mod -> mod.priority() == 19 ? "FLOW_MOD_FAILED/TABLE_FULL" : null;
    decide(add(20, 1), add(20, 2), add(19, 3));
    PlacedBench.await("they are gone", () -> !forwards(1) && !forwards(2));
    bench.settled();
    assertThat(refused()).isEqualTo(3);
    bench.device.refuses = mod -> null;
    bench.clockMillis.addAndGet(20_000);
    bench.readBack();
    bench.settled();
    decide(add(20, 1), add(20, 2), add(19, 3));
    PlacedBench.await("they are there", () -> forwards(1) && forwards(2) && forwards(3));
  }

  @Test
  void aTableThatCannotRewriteGetsNoneWhereOneRewrites() {
    bench.configure(oneTable(2 + ROOM, false));
    bench.master();
    bench.ready();
    bench.settled();
    TrafficTreatment rewriting =
        DefaultTrafficTreatment.builder()
            .setEthDst(MacAddress.valueOf(1))
            .setOutput(PortNumber.portNumber(5))
            .build();
    int before = flowMods();
    decide(add(20, 1), add(20, "10.2.0.0/16", rewriting));
    assertThat(flowMods()).isEqualTo(before);
    assertThat(refused()).isEqualTo(2);
    decide(add(20, 1));
    assertThat(forwards(1)).isTrue();
  }
}
