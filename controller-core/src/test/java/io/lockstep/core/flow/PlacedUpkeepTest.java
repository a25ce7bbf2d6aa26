package io.lockstep.core.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.oracle.Frame;
import io.lockstep.core.flow.oracle.TableSwitch;
import io.lockstep.core.flow.placed.RuleReport;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.PacketIn;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;

/** What a placed switch makes of time, traffic, others' entries and lost ones. */
class PlacedUpkeepTest {
  private static final ApplicationEntries ENTRIES = new ApplicationEntries("learning-switch", 10);

  private final Random random = new Random(23);
  private final PlacedBench bench = new PlacedBench(PlacedBench.twoTables(8, 8), random);

  PlacedUpkeepTest() {
    bench.device.with(
        tables -> {
          tables.limit(0, 8);
          tables.limit(1, 8);
          return null;
        });
    bench.begin();
  }

  @AfterEach
  void close() {
    bench.close();
    assertThat(bench.device.wrong()).isEmpty();
  }

  private static FlowRule wide(int priority, long port) {
    return PlacedBench.rule(priority, PlacedBench.net("10.0.0.0/8"), port);
  }

  private static FlowRule narrow(int number, int priority) {
    return PlacedBench.rule(priority, PlacedBench.net("10." + number + ".0.0/16"), 2);
  }

  private static FlowMod foreign(int table, int number) {
    return new FlowMod(
        FlowMod.Operation.ADD,
        table,
        5,
        0x77,
        0,
        0,
        0,
        false,
        PacketIn.NO_BUFFER,
        PlacedBench.net("192.168." + number + ".0/24"),
        DefaultTrafficTreatment.builder().drop().build());
  }

  private int count(int table) {
    return bench.device.<Integer>with(tables -> tables.count(table));
  }

  private void tick(long millis) {
    bench.clockMillis.addAndGet(millis);
    bench.readBack();
    bench.settled();
  }

  @Test
  void entriesThatVanishedAreWrittenAgainAndStraysGo() {
    FlowRule rule = wide(50, 1);
    bench.rules.applyFlowRules(rule, narrow(1, 60));
    bench.awaitState(rule, FlowEntryState.ADDED);
    bench.awaitState(narrow(1, 60), FlowEntryState.ADDED);
    bench.settled();
    bench.device.watched = false;
    bench.device.with(tables -> tables.entries().removeIf(entry -> true));
    PlacedBench.await(
        "healed",
        () -> {
          tick(5_000);
          return follows(new Frame(1, 0, 0x0a05_0000, 80), "port 1");
        });
    assertThat(bench.report().vanished()).isPositive();
    assertThat(count(0) + count(1)).isEqualTo(5);
  }

  /** The switch has forgotten the last change, or carried out a late flow-mod. */
  @Test
  void entryWithTheActionsThatItsRuleHadBeforeIsWrittenAgain() {
    List<FlowMod> sent = new CopyOnWriteArrayList<>();
    bench.device.refuses =
        mod -> {
          if (mod.priority() == 50) {
            sent.add(mod);
          }
          return null;
        };
    Frame frame = new Frame(1, 0, 0x0a05_0000, 80);
    bench.rules.applyFlowRules(wide(50, 1));
    PlacedBench.await("it is there", () -> follows(frame, "port 1"));
    bench.rules.applyFlowRules(wide(50, 3));
    PlacedBench.await("it is changed", () -> follows(frame, "port 3"));
    bench.settled();
    bench.device.watched = false;
    bench.device.with(tables -> tables.apply(sent.get(0)));
    assertThat(follows(frame, "port 1")).isTrue();
    PlacedBench.await(
        "healed",
        () -> {
          tick(5_000);
          return follows(frame, "port 3");
        });
    assertThat(bench.report().vanished()).isEqualTo(1);
  }

  @Test
  void othersEntriesCountAndNoRuleIsSentThatWouldNotFit() {
    for (int i = 0; i < 4; i++) {
      int number = i;
      bench.device.with(tables -> tables.apply(foreign(0, number)));
    }
    PlacedBench.await(
        "it is seen and counts",
        () -> {
          tick(5_000);
          return bench.report().layers().get(0).foreign() == 4
              && bench.report().layers().get(0).capacity() == 3;
        });
    List<FlowRule> rules = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      rules.add(narrow(i, 100 + i));
    }
    rules.forEach(bench.rules::applyFlowRules);
    PlacedBench.await(
        "all are decided",
        () ->
            rules.stream()
                .allMatch(
                    rule ->
                        bench.stateOf(rule) == FlowEntryState.ADDED
                            || bench.stateOf(rule) == FlowEntryState.FAILED));
    assertThat(bench.report().layers()).allMatch(layer -> layer.refused() == 0);
    assertThat(count(0)).isLessThanOrEqualTo(8);
    long before =
        rules.stream().filter(rule -> bench.stateOf(rule) == FlowEntryState.FAILED).count();
    assertThat(before).isPositive();
    bench.device.with(tables -> tables.entries().removeIf(entry -> entry.isFrom(0x77)));
    PlacedBench.await(
        "room is used",
        () -> {
          tick(20_000);
          return rules.stream().filter(rule -> bench.stateOf(rule) == FlowEntryState.FAILED).count()
              < before;
        });
  }

  @Test
  void limitThatShrinksIsLearntAndOneThatGrowsIsFound() {
    bench.rules.applyFlowRules(narrow(1, 11), narrow(2, 12));
    bench.awaitState(narrow(2, 12), FlowEntryState.ADDED);
    bench.settled();
    bench.device.with(
        tables -> {
          tables.limit(0, tables.count(0));
          tables.limit(1, tables.count(1));
          return null;
        });
    FlowRule late = narrow(3, 13);
    bench.rules.applyFlowRules(late);
    bench.awaitState(late, FlowEntryState.FAILED);
    assertThat(bench.rules.error(late)).contains("TABLE_FULL").contains("capacity 3");
    bench.device.with(
        tables -> {
          tables.limit(0, 8);
          tables.limit(1, 8);
          return null;
        });
    PlacedBench.await(
        "it is found",
        () -> {
          tick(20_000);
          return bench.stateOf(late) == FlowEntryState.ADDED;
        });
  }

  @Test
  void temporaryRuleGoesWhenItIsIdleAndNotBefore() {
    FlowRule rule =
        PlacedBench.builder(70, PlacedBench.net("10.7.0.0/16"), 3).makeTemporary(10).build();
    bench.rules.applyFlowRules(rule);
    bench.awaitState(rule, FlowEntryState.ADDED);
    tick(8_000);
    assertThat(bench.stateOf(rule)).isEqualTo(FlowEntryState.ADDED);
    bench.device.with(
        tables -> {
          tables.entries().forEach(entry -> entry.packets += 3);
          return null;
        });
    tick(8_000);
    assertThat(bench.stateOf(rule)).isEqualTo(FlowEntryState.ADDED);
    tick(11_000);
    bench.awaitState(rule, FlowEntryState.REMOVED);
    PlacedBench.await("its entry is gone", () -> bench.report().rules() == 1);
  }

  @Test
  void ruleOfPriorityZeroReplacesTheLastEntryAndItComesBack() {
    FlowRule all = PlacedBench.rule(0, DefaultTrafficSelector.emptySelector(), 4);
    Frame frame = new Frame(1, 0, 0x0a09_0000, 80);
    bench.rules.applyFlowRules(all);
    bench.awaitState(all, FlowEntryState.ADDED);
    assertThat(bench.device.<String>with(t -> t.follow(frame))).isEqualTo("port 4");
    tick(5_000);
    bench.kill();
    bench.master();
    bench.ready();
    bench.settled();
    assertThat(bench.device.<String>with(t -> t.follow(frame))).isEqualTo("port 4");
    bench.rules.removeFlowRules(all);
    bench.awaitState(all, FlowEntryState.REMOVED);
    assertThat(bench.device.<String>with(t -> t.follow(frame))).isEqualTo(TableSwitch.CONTROLLER);
    assertThat(bench.report().strays()).isZero();
    assertThat(bench.report().vanished()).isZero();
  }

  @Test
  void sameRuleOfTwoApplicationsIsOneEntryUntilBothAreGone() {
    TrafficSelector selector = PlacedBench.net("10.3.0.0/16");
    FlowRule one = PlacedBench.rule(33, selector, 2);
    FlowRule same = ofOtherApp(33, selector, 2);
    FlowRule clash =
        DefaultFlowRule.builder()
            .forDevice(one.deviceId())
            .withSelector(selector)
            .withTreatment(DefaultTrafficTreatment.builder().drop().build())
            .withPriority(33)
            .fromApp(new DefaultApplicationId(9, "org.third"))
            .makePermanent()
            .build();
    bench.rules.applyFlowRules(one);
    bench.awaitState(one, FlowEntryState.ADDED);
    int before = count(0);
    bench.rules.applyFlowRules(same, clash);
    bench.awaitState(same, FlowEntryState.ADDED);
    bench.awaitState(clash, FlowEntryState.FAILED);
    assertThat(count(0)).isEqualTo(before);
    bench.rules.removeFlowRules(one);
    bench.awaitState(one, FlowEntryState.REMOVED);
    bench.settled();
    assertThat(count(0)).isEqualTo(before);
    bench.rules.removeFlowRules(same);
    bench.awaitState(same, FlowEntryState.REMOVED);
    bench.awaitState(clash, FlowEntryState.ADDED);
  }

  private static FlowRule ofOtherApp(int priority, TrafficSelector selector, long port) {
    return DefaultFlowRule.builder()
        .forDevice(PlacedBench.rule(1, selector, 1).deviceId())
        .withSelector(selector)
        .withTreatment(
            DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(port)).build())
        .withPriority(priority)
        .fromApp(new DefaultApplicationId(8, "org.other"))
        .makePermanent()
        .build();
  }

  @Test
  void whatCannotBePlacedIsRefusedByFieldAndRule() {
    FlowRule odd =
        PlacedBench.rule(5, DefaultTrafficSelector.builder().matchMetadata(3).build(), 1);
    FlowRule elsewhere =
        PlacedBench.builder(6, PlacedBench.net("10.0.0.0/8"), 1)
            .forTable(3)
            .makePermanent()
            .build();
    bench.rules.applyFlowRules(odd, elsewhere);
    bench.awaitState(odd, FlowEntryState.FAILED);
    bench.awaitState(elsewhere, FlowEntryState.FAILED);
    assertThat(bench.rules.error(odd)).contains("METADATA").contains("priority 5");
    assertThat(bench.rules.error(elsewhere)).contains("table");
    bench.rules.removeFlowRules(odd, elsewhere);
    bench.awaitState(odd, FlowEntryState.REMOVED);
    bench.awaitState(elsewhere, FlowEntryState.REMOVED);
  }

  @Test
  void flowOfAnApplicationIsPlacedOutlivesTheMasterAndGoesWhenIdle() {
    FlowRule above = PlacedBench.rule(40, PlacedBench.net("10.1.0.0/16"), 3);
    bench.rules.applyFlowRules(above);
    bench.awaitState(above, FlowEntryState.ADDED);
    FlowMod flow =
        ENTRIES.add(
            10,
            PlacedBench.net("10.0.0.0/8"),
            DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(5)).build());
    assertThat(bench.installer.matches(bench.connection())).isNotSameAs(MatchChoice.AS_ASKED);
    assertThat(bench.installer.send(bench.connection(), List.of(flow))).isTrue();
    Frame frame = new Frame(1, 0, 0x0a05_0000, 80);
    PlacedBench.await("it is there", () -> follows(frame, "port 5"));
    bench.kill();
    bench.master();
    bench.ready();
    bench.settled();
    assertThat(follows(frame, "port 5")).isTrue();
    assertThat(follows(new Frame(1, 0, 0x0a01_0000, 80), "port 3")).isTrue();
    tick(9_000);
    assertThat(follows(frame, "port 5")).isTrue();
    PlacedBench.await(
        "it is idle",
        () -> {
          tick(2_000);
          return follows(frame, TableSwitch.CONTROLLER);
        });
    bench.installer.send(bench.connection(), List.of(flow));
    PlacedBench.await("it is back", () -> follows(frame, "port 5"));
    bench.installer.send(
        bench.connection(), List.of(ENTRIES.removal(DefaultTrafficSelector.emptySelector())));
    PlacedBench.await("it is gone", () -> follows(frame, TableSwitch.CONTROLLER));
    assertThat(bench.stateOf(above)).isEqualTo(FlowEntryState.ADDED);
  }

  private boolean follows(Frame frame, String action) {
    return bench.device.<String>with(tables -> tables.follow(frame)).equals(action);
  }

  @Test
  void rulesFollowTheirTrafficAndSayWhyTheyAreWhereTheyAre() {
    List<FlowRule> rules = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      rules.add(narrow(i, 100 - i));
    }
    rules.forEach(
        rule -> {
          bench.rules.applyFlowRules(rule);
          bench.awaitState(rule, FlowEntryState.ADDED);
        });
    FlowRule busy =
        rules.stream().filter(rule -> "second".equals(layer(rule))).findFirst().orElseThrow();
    for (int i = 0; i < 8 && layer(busy).equals("second"); i++) {
      bench.device.with(
          tables -> {
            tables.entries().stream()
                .filter(entry -> entry.isFor(busy.priority()))
                .forEach(entry -> entry.bytes += 10_000_000);
            return null;
          });
      tick(11_000);
    }
    assertThat(layer(busy)).isEqualTo("first");
    RuleReport report = Objects.requireNonNull(bench.explain(busy));
    assertThat(report.bytesPerSecond()).isPositive();
    assertThat(report.rank()).isLessThanOrEqualTo(2);
    assertThat(report.sinceMillis()).isGreaterThan(1_000_000);
    assertThat(report.wouldMove()).isNotEmpty();
  }

  private String layer(FlowRule rule) {
    RuleReport report = bench.explain(rule);
    return report == null ? "?" : report.layer();
  }
}
