package io.lockstep.core.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.flow.oracle.Frame;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.placer.profile.BuiltInProfiles;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficTreatment;

/** Rules of a switch that takes everything, which another controller changes. */
class DirectHealingTest {
  private static final TrafficTreatment DROP = DefaultTrafficTreatment.builder().drop().build();
  private static final Frame FRAME = new Frame(1, 0, 0x0a05_0000, 80);

  private final PlacedBench bench = new PlacedBench(BuiltInProfiles.get("ideal"), new Random(31));

  DirectHealingTest() {
    bench.device.with(tables -> tables.timeouts = true);
    bench.master();
    bench.ready();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private String follow() {
    return bench.device.with(tables -> tables.follow(FRAME));
  }

  private int flowMods() {
    return bench.device.<Integer>with(tables -> tables.flowMods);
  }

  private String trouble() {
    return bench.ask(installer -> installer.trouble(PlacedBench.DPID));
  }

  private void added(FlowRule rule) {
    bench.rules.applyFlowRules(rule);
    bench.awaitState(rule, FlowEntryState.ADDED);
    bench.readBack();
  }

  private void awaitHealed() {
    PlacedBench.await(
        "healed",
        () -> {
          bench.readBack();
          return follow().equals("port 1");
        });
  }

  @Test
  void ruleWhoseActionsWereChangedIsSentAgainAndThatIsSaid() {
    FlowRule rule = PlacedBench.rule(50, PlacedBench.net("10.0.0.0/8"), 1);
    added(rule);
    int sent = flowMods();
    bench.readBack();
    assertThat(flowMods()).as("while nothing differs").isEqualTo(sent);
    assertThat(trouble()).isEmpty();
    TrafficTreatment other =
        DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(7)).build();
    bench.device.with(tables -> tables.modify(entry -> entry.isFor(50), other));
    assertThat(follow()).isEqualTo("port 7");
    awaitHealed();
    assertThat(bench.stateOf(rule)).isEqualTo(FlowEntryState.ADDED);
    assertThat(trouble()).contains("1 rules had been deleted or changed");
    assertThat(bench.report().vanished()).isEqualTo(1);
    bench.clockMillis.addAndGet(61_000);
    assertThat(trouble()).isEmpty();
  }

  @Test
  void temporaryRuleWhoseActionsWereChangedIsSentAgainAndHasNotExpired() {
    FlowRule rule =
        PlacedBench.builder(50, PlacedBench.net("10.0.0.0/8"), 1).makeTemporary(10).build();
    added(rule);
    bench.device.with(tables -> tables.modify(entry -> entry.isFor(50), DROP));
    awaitHealed();
    assertThat(bench.stateOf(rule)).isEqualTo(FlowEntryState.ADDED);
  }

  /** Such as those that choose a queue: the entry is there, so the rule has not expired. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ruleWhoseActionsWereChangedIntoInexpressibleOnesIsSentAgain(boolean permanent) {
    FlowRule.Builder builder = PlacedBench.builder(50, PlacedBench.net("10.0.0.0/8"), 1);
    FlowRule rule = (permanent ? builder.makePermanent() : builder.makeTemporary(10)).build();
    added(rule);
    bench.device.with(tables -> tables.modify(entry -> entry.isFor(50), FlowStats.INEXPRESSIBLE));
    awaitHealed();
    assertThat(bench.stateOf(rule)).isEqualTo(FlowEntryState.ADDED);
  }

  /** An entry that no rule explains goes. */
  @Test
  void orphanWithInexpressibleActionsGoes() {
    FlowRule rule = PlacedBench.rule(50, PlacedBench.net("10.0.0.0/8"), 1);
    FlowRule former = PlacedBench.rule(60, PlacedBench.net("10.0.0.0/8"), 2);
    added(rule);
    FlowMod orphan =
        new FlowMod(
            FlowMod.Operation.ADD,
            0,
            60,
            Cookies.intended(former),
            0,
            0,
            0,
            false,
            PacketIn.NO_BUFFER,
            former.selector(),
            FlowStats.INEXPRESSIBLE);
    bench.device.with(tables -> tables.apply(orphan));
    assertThat(follow()).isNotEqualTo("port 1");
    awaitHealed();
  }

  @Test
  void ruleThatDropsIsAsItWasSentHoweverTheSwitchWordsThat() {
    FlowRule rule =
        PlacedBench.builder(50, PlacedBench.net("10.0.0.0/8"), 1)
            .withTreatment(DROP)
            .makePermanent()
            .build();
    added(rule);
    int sent = flowMods();
    TrafficTreatment none = DefaultTrafficTreatment.emptyTreatment();
    bench.device.with(tables -> tables.modify(entry -> entry.isFor(50), none));
    bench.readBack();
    bench.readBack();
    assertThat(flowMods()).isEqualTo(sent);
  }

  @Test
  void entryWithTheCookieOfARuleAndAnotherMatchIsNotTheRule() {
    FlowRule rule = PlacedBench.rule(50, PlacedBench.net("10.0.0.0/8"), 1);
    added(rule);
    bench.device.with(tables -> tables.entries().removeIf(entry -> entry.isFor(50)));
    FlowMod copy =
        new FlowMod(
            FlowMod.Operation.ADD,
            0,
            50,
            Cookies.intended(rule),
            0,
            0,
            0,
            false,
            PacketIn.NO_BUFFER,
            PlacedBench.net("10.9.0.0/16"),
            rule.treatment());
    bench.device.with(tables -> tables.apply(copy));
    awaitHealed();
    PlacedBench.await(
        "the copy is gone",
        () -> {
          bench.readBack();
          return bench.device.<Integer>with(tables -> tables.entries().size()) == 1;
        });
    assertThat(follow()).isEqualTo("port 1");
    assertThat(bench.stateOf(rule)).isEqualTo(FlowEntryState.ADDED);
  }
}
