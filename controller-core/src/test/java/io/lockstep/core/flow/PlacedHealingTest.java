package io.lockstep.core.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.flow.oracle.Frame;
import io.lockstep.core.flow.oracle.TableSwitch;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.PacketIn;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;

/** Entries of a placed switch that another controller changes and whose cookies stay. */
class PlacedHealingTest {
  private static final TrafficTreatment DROP = DefaultTrafficTreatment.builder().drop().build();

  private final PlacedBench bench = new PlacedBench(PlacedBench.twoTables(8, 8), new Random(29));

  PlacedHealingTest() {
    bench.master();
    bench.ready();
    bench.settled();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private String follow(Frame frame) {
    return bench.device.with(tables -> tables.follow(frame));
  }

  private void modify(Predicate<TableSwitch.Entry> which, TrafficTreatment treatment) {
    int met = bench.device.<Integer>with(tables -> tables.modify(which, treatment));
    assertThat(met).as("entries that are changed").isEqualTo(1);
  }

  private void readBack() {
    bench.clockMillis.addAndGet(5_000);
    bench.readBack();
    bench.settled();
  }

  private void awaitHealed(Frame frame, String action) {
    PlacedBench.await(
        "healed",
        () -> {
          readBack();
          return follow(frame).equals(action);
        });
  }

  private FlowRule added(int priority, TrafficTreatment treatment) {
    FlowRule rule =
        PlacedBench.builder(priority, PlacedBench.net("10.0.0.0/8"), 1)
            .withTreatment(treatment)
            .makePermanent()
            .build();
    bench.rules.applyFlowRules(rule);
    bench.awaitState(rule, FlowEntryState.ADDED);
    bench.settled();
    return rule;
  }

  @Test
  void ruleWhoseActionsWereChangedIsWrittenAgainAndThatIsSaid() {
    FlowRule rule = added(50, DefaultTrafficTreatment.builder().setOutput(port(1)).build());
    Frame frame = new Frame(1, 0, 0x0a05_0000, 80);
    readBack();
    assertThat(bench.report().vanished()).isZero();
    modify(entry -> entry.isFor(50), DefaultTrafficTreatment.builder().setOutput(port(7)).build());
    assertThat(follow(frame)).isEqualTo("port 7");
    awaitHealed(frame, "port 1");
    assertThat(bench.report().vanished()).isEqualTo(1);
    assertThat(bench.stateOf(rule)).isEqualTo(FlowEntryState.ADDED);
    assertThat(trouble()).contains("1 entries had been deleted or changed");
  }

  /** Such as those that choose a queue. */
  @Test
  void ruleWhoseActionsWereChangedIntoInexpressibleOnesIsWrittenAgain() {
    added(50, DefaultTrafficTreatment.builder().setOutput(port(1)).build());
    modify(entry -> entry.isFor(50), FlowStats.INEXPRESSIBLE);
    awaitHealed(new Frame(1, 0, 0x0a05_0000, 80), "port 1");
    assertThat(bench.report().vanished()).isEqualTo(1);
  }

  private String trouble() {
    return bench.ask(installer -> installer.trouble(PlacedBench.DPID));
  }

  private static PortNumber port(long number) {
    return PortNumber.portNumber(number);
  }

  @Test
  void ruleThatDropsIsAsItWasSentHoweverTheSwitchWordsThat() {
    added(50, DROP);
    modify(entry -> entry.isFor(50), DefaultTrafficTreatment.emptyTreatment());
    readBack();
    readBack();
    assertThat(bench.report().vanished()).isZero();
    assertThat(trouble()).isEmpty();
  }

  @Test
  void lastEntryOfATableThatWasChangedIsPutBack() {
    Frame unknown = new Frame(1, 0, 0x0b05_0000, 80);
    assertThat(follow(unknown)).isEqualTo(TableSwitch.CONTROLLER);
    modify(entry -> entry.isIn(0) && entry.isFrom(Cookies.TABLE_MISS), DROP);
    assertThat(follow(unknown)).isEqualTo("drop");
    awaitHealed(unknown, TableSwitch.CONTROLLER);
    modify(entry -> entry.isIn(1) && entry.isFrom(Cookies.TABLE_MISS), DROP);
    awaitHealed(unknown, TableSwitch.CONTROLLER);
    assertThat(bench.report().vanished()).isEqualTo(2);
  }

  @Test
  void discoveryEntryThatWasChangedIsPutBack() {
    modify(entry -> entry.isFor(65_535), DROP);
    PlacedBench.await(
        "healed",
        () -> {
          readBack();
          return bench.report().vanished() == 1;
        });
    readBack();
    assertThat(bench.report().vanished()).isEqualTo(1);
  }

  @Test
  void entryOfAnotherControllerWithTheCookieOfTheLastEntryGoes() {
    Frame frame = new Frame(1, 0, 0x0a05_0000, 80);
    FlowMod copy = add(9, PlacedBench.net("10.0.0.0/8"), Cookies.TABLE_MISS);
    bench.device.with(tables -> tables.apply(copy));
    assertThat(follow(frame)).isEqualTo("drop");
    awaitHealed(frame, TableSwitch.CONTROLLER);
    assertThat(bench.report().strays()).isEqualTo(1);
  }

  /** As a late flow-mod of an earlier rule would be. */
  @Test
  void entryWithTheCookieOfARuleInPlaceOfTheLastOneIsReplaced() {
    Frame frame = new Frame(1, 0, 0x0b05_0000, 80);
    FlowMod late = add(0, DefaultTrafficSelector.emptySelector(), Cookies.placed(77));
    bench.device.with(tables -> tables.apply(late));
    assertThat(follow(frame)).isEqualTo("drop");
    awaitHealed(frame, TableSwitch.CONTROLLER);
  }

  private static FlowMod add(int priority, TrafficSelector selector, long cookie) {
    return new FlowMod(
        FlowMod.Operation.ADD,
        0,
        priority,
        cookie,
        0,
        0,
        0,
        false,
        PacketIn.NO_BUFFER,
        selector,
        DROP);
  }
}
