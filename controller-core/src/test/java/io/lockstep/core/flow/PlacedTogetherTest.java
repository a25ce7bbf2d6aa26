package io.lockstep.core.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.oracle.Frame;
import io.lockstep.core.flow.oracle.TableSwitch;
import io.lockstep.core.southbound.FlowMod;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.MacAddress;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.IPCriterion;

/**
 * What one decision of an application installs: the switch gets its guards first and each alone,
 * and all of its other entries or none.
 */
class PlacedTogetherTest {
  private static final ApplicationEntries ENTRIES = new ApplicationEntries("load-balancer", 100);

  /** Beside the entry for what matches nothing and the one for link discovery. */
  private static final int ROOM = 4;

  private final PlacedBench bench = new PlacedBench(OneTable.of(2 + ROOM), new Random(37));

  @BeforeEach
  void begin() {
    bench.begin();
  }

  @AfterEach
  void close() {
    bench.close();
    assertThat(bench.device.wrong()).isEmpty();
  }

  private static FlowMod add(int priority, String net, TrafficTreatment treatment) {
    return ENTRIES.add(priority, PlacedBench.net(net), treatment);
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

  private static String net(FlowMod mod) {
    return ((IPCriterion)
            Objects.requireNonNull(mod.selector().getCriterion(Criterion.Type.IPV4_DST)))
        .ip()
        .toString();
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
    return bench.installer.softEntriesRefused(ENTRIES.application());
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
  void whereTheSwitchRefusesOneTheOthersAreRemovedInTheirOrder() {
    List<String> deleted = new CopyOnWriteArrayList<>();
    bench.device.refuses =
        mod -> {
          if (mod.operation() == FlowMod.Operation.DELETE_STRICT) {
            deleted.add(net(mod));
          }
          return mod.priority() == 19 ? "FLOW_MOD_FAILED/TABLE_FULL" : null;
        };
    decide(add(20, 1), add(20, 2), add(19, 3));
    PlacedBench.await("they are gone", () -> !forwards(1) && !forwards(2));
    bench.settled();
    assertThat(deleted).containsExactly("10.1.0.0/16", "10.2.0.0/16");
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
    bench.configure(OneTable.of(2 + ROOM, "    rewrites: [vlan_vid]\n"));
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
    decide(add(20, "10.2.0.0/16", rewriting), guard(15, "10.2.0.0/16"));
    assertThat(hasGuard(15)).isTrue();
    assertThat(refused()).isEqualTo(3);
    decide(add(20, 1));
    assertThat(forwards(1)).isTrue();
  }

  // ---- guards ----

  private static final TrafficTreatment PUNT = DefaultTrafficTreatment.builder().punt().build();

  /** The guard of entries to these nets; priorities name guards. */
  private static FlowMod guard(int priority, String nets) {
    return add(priority, nets, PUNT);
  }

  /** A connection of a client and a member: to the member, back, and their guard. */
  private static FlowMod[] connection(int number) {
    return new FlowMod[] {
      add(20, number), add(20, 100 + number), guard(15, "10.96.0.0/11") // nets 96 to 127
    };
  }

  private boolean hasGuard(int priority) {
    return bench.device.<Boolean>with(
        tables -> tables.entries().stream().anyMatch(entry -> entry.priority == priority));
  }

  /** Two decisions, of which the second comes before the switch confirmed anything of the first. */
  private void decideBoth(FlowMod[] first, FlowMod[] second) {
    CompletableFuture<Void> confirmed = bench.device.holdAnswers();
    assertThat(bench.installer.send(bench.connection(), List.of(first))).isTrue();
    assertThat(bench.installer.send(bench.connection(), List.of(second))).isTrue();
    bench.ask(any -> true);
    confirmed.complete(null);
    bench.settled();
  }

  @Test
  void aConnectionThatFitsStaysWhereAnotherOfItsGuardDoesNotFit() {
    fill(ROOM - 3);
    for (int i = 0; i < 3; i++) {
      decideBoth(connection(1), connection(2));
      assertThat(forwards(1)).isTrue();
      assertThat(forwards(101)).isTrue();
      assertThat(hasGuard(15)).isTrue();
      assertThat(forwards(2) || forwards(102)).isFalse();
    }
    assertThat(refused()).isEqualTo(6);
  }

  @Test
  void aGuardStaysWhereTheSwitchRefusesAnEntryOfOneOfItsConnections() {
    bench.device.refuses =
        mod ->
            mod.operation() == FlowMod.Operation.ADD && net(mod).equals("10.102.0.0/16")
                ? "FLOW_MOD_FAILED/UNKNOWN"
                : null;
    decideBoth(connection(1), connection(2));
    assertThat(forwards(1)).isTrue();
    assertThat(forwards(101)).isTrue();
    assertThat(hasGuard(15)).isTrue();
    assertThat(forwards(2) || forwards(102)).isFalse();
    assertThat(refused()).isEqualTo(2);
  }

  @Test
  void whereTheEntriesDoNotFitTheirGuardComes() {
    fill(ROOM - 2);
    decide(connection(1));
    assertThat(hasGuard(15)).isTrue();
    assertThat(forwards(1) || forwards(101)).isFalse();
    assertThat(refused()).isEqualTo(2);
    decide(connection(1));
    assertThat(hasGuard(15)).isTrue();
    assertThat(refused()).isEqualTo(4);
  }

  @Test
  void whereTheGuardIsRefusedItsEntriesDoNotCome() {
    bench.device.refuses = mod -> mod.priority() == 15 ? "FLOW_MOD_FAILED/UNKNOWN" : null;
    int before = flowMods();
    decide(connection(1));
    assertThat(flowMods()).as("entries").isEqualTo(before);
    assertThat(refused()).isEqualTo(3);
  }

  @Test
  void whereOnlyTheGuardWentAndDoesNotFitItsEntriesMakeRoom() {
    fill(ROOM - 3);
    decide(connection(1));
    FlowMod guard = connection(1)[2];
    decide(ENTRIES.removal(guard.selector(), PUNT));
    assertThat(hasGuard(15)).isFalse();
    assertThat(forwards(1) && forwards(101)).isTrue();
    bench.rules.applyFlowRules(filler(99));
    bench.awaitState(filler(99), FlowEntryState.ADDED);
    decide(connection(1));
    assertThat(forwards(1) || forwards(101)).as("without a guard").isFalse();
    decide(connection(1));
    assertThat(hasGuard(15)).isTrue();
    assertThat(forwards(1) || forwards(101)).isFalse();
  }

  @Test
  void anEntryBesideGuardsDependsOnItsOwnOnly() {
    FlowMod[] direct = {guard(15, "10.96.0.0/11"), guard(14, "10.32.0.0/11"), add(16, 100)};
    bench.device.refuses = mod -> mod.priority() == 14 ? "FLOW_MOD_FAILED/UNKNOWN" : null;
    decide(direct);
    assertThat(hasGuard(15)).isTrue();
    assertThat(forwards(100)).isTrue();
    bench.device.refuses = mod -> null;
    FlowMod[] other = {guard(13, "10.64.0.0/11"), add(16, 70)};
    fill(ROOM - 3);
    decide(other);
    assertThat(hasGuard(13)).isTrue();
    assertThat(forwards(70)).as("no room").isFalse();
  }
}
