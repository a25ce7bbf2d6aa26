package io.lockstep.core.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.flow.oracle.Frame;
import io.lockstep.core.flow.oracle.TableSwitch;
import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.placer.profile.BuiltInProfiles;
import io.lockstep.placer.profile.SwitchProfile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;

/** Changes that come while others are under way, that need room, or that are of the profile. */
class PlacedChangesTest {
  private static final Set<FlowEntryState> DECIDED =
      Set.of(FlowEntryState.ADDED, FlowEntryState.FAILED);

  private final Random random = new Random(41);
  private PlacedBench bench = new PlacedBench(PlacedBench.twoTables(8, 8), random);

  @AfterEach
  void close() {
    bench.close();
    assertThat(bench.device.wrong()).isEmpty();
  }

  private static long portOf(FlowRule rule) {
    return ((OutputInstruction) rule.treatment().allInstructions().get(0)).port().toLong();
  }

  private void awaitAsked(FlowRule wanted) {
    PlacedBench.await(
        "it is asked for",
        () -> {
          FlowEntry entry = bench.rules.getFlowEntry(wanted);
          return entry != null && portOf(entry) == portOf(wanted);
        });
    bench.ask(any -> true);
  }

  @Test
  void ruleThatIsWantedOtherwiseOnItsWayIsNotCalledInstalledAsWhatItWas() {
    bench.begin();
    FlowRule first = PlacedBench.rule(50, PlacedBench.net("10.3.0.0/16"), 2);
    FlowRule then = PlacedBench.rule(50, PlacedBench.net("10.3.0.0/16"), 3);
    Frame frame = new Frame(1, 0, 0x0a03_0001, 80);
    List<String> early = new CopyOnWriteArrayList<>();
    // What was begun when the switch came is over, or the answers to that would be held, too.
    FlowRule earlier = PlacedBench.rule(40, PlacedBench.net("10.9.0.0/16"), 4);
    bench.rules.applyFlowRules(earlier);
    bench.awaitState(earlier, FlowEntryState.ADDED);
    CompletableFuture<Void> answer = bench.device.holdAnswers();
    bench.rules.applyFlowRules(first);
    PlacedBench.await("it is sent", () -> follow(frame).equals("port 2"));
    bench.rules.applyFlowRules(then);
    awaitAsked(then);
    bench.device.refuses =
        mod -> {
          if (bench.storedAsInstalled(then)) {
            early.add("called installed before " + mod);
          }
          return null;
        };
    answer.complete(null);
    bench.awaitState(then, FlowEntryState.ADDED);
    assertThat(follow(frame)).isEqualTo("port 3");
    assertThat(early).isEmpty();
  }

  /** The next master would not know what became of it. */
  @Test
  void nothingIsSentBeforeTheStoreHasWhatItIsFor() {
    bench.begin();
    Frame frame = new Frame(1, 0, 0x0a03_0001, 80);
    FlowRule rule = PlacedBench.rule(50, PlacedBench.net("10.3.0.0/16"), 2);
    FlowRule changed = PlacedBench.rule(50, PlacedBench.net("10.3.0.0/16"), 3);
    sentOnceStored(() -> bench.rules.applyFlowRules(rule));
    PlacedBench.await("it is there", () -> follow(frame).equals("port 2"));
    sentOnceStored(() -> bench.rules.applyFlowRules(changed));
    PlacedBench.await("it is changed", () -> follow(frame).equals("port 3"));
    sentOnceStored(() -> bench.rules.removeFlowRules(changed));
    PlacedBench.await("it is gone", () -> follow(frame).equals(TableSwitch.CONTROLLER));
  }

  private void sentOnceStored(Runnable change) {
    bench.settled();
    int before = flowMods();
    AtomicBoolean asked = new AtomicBoolean();
    CompletableFuture<Void> goOn = new CompletableFuture<>();
    bench.writesGoOn = goOn;
    bench.beforeWrite =
        writes -> {
          if (writes.stream().anyMatch(PlacedChangesTest::isOfPlacement)) {
            asked.set(true);
          }
        };
    change.run();
    PlacedBench.await("the store is asked", asked::get);
    bench.ask(any -> true);
    assertThat(bench.report().rests()).isFalse();
    assertThat(flowMods()).isEqualTo(before);
    goOn.complete(null);
    PlacedBench.await("the switch is asked", () -> flowMods() > before);
  }

  /** Not the state of the rule, which is written on its own. */
  private static boolean isOfPlacement(Write write) {
    return (write instanceof Write.Put put && put.table().startsWith("net.placed-"))
        || (write instanceof Write.Remove remove && remove.table().startsWith("net.placed-"));
  }

  private int flowMods() {
    return bench.device.<Integer>with(tables -> tables.flowMods);
  }

  @Test
  void readingFromBeforeAChangeHealsNothing() {
    bench.begin();
    FlowRule goes = PlacedBench.rule(40, PlacedBench.net("10.4.0.0/16"), 3);
    bench.rules.applyFlowRules(goes);
    bench.awaitState(goes, FlowEntryState.ADDED);
    bench.settled();
    CompletableFuture<Void> reading = bench.device.holdStatistics();
    bench.readBack();
    FlowRule comes = PlacedBench.rule(50, PlacedBench.net("10.3.0.0/16"), 2);
    bench.rules.applyFlowRules(comes);
    bench.awaitState(comes, FlowEntryState.ADDED);
    bench.rules.removeFlowRules(goes);
    bench.awaitState(goes, FlowEntryState.REMOVED);
    bench.settled();
    reading.complete(null);
    bench.settled();
    bench.readBack();
    bench.settled();
    assertThat(bench.report().vanished()).isZero();
    assertThat(bench.report().strays()).isZero();
    assertThat(follow(new Frame(1, 0, 0x0a03_0001, 80))).isEqualTo("port 2");
  }

  /** A rule in the second table, above one in the first, which it needs a cover there for. */
  private FlowRule coveredAbove(FlowRule below) {
    bench.begin();
    List<FlowRule> fillers = new ArrayList<>();
    while (!isFullButForMoves()) {
      int number = fillers.size();
      fillers.add(PlacedBench.rule(10, at(2).matchIPProtocol((byte) number).build(), 1));
      add(fillers.get(number));
    }
    FlowRule above = PlacedBench.rule(100, at(1).build(), 3);
    add(above);
    for (FlowRule filler : fillers.subList(0, 2)) {
      bench.rules.removeFlowRules(filler);
      bench.awaitState(filler, FlowEntryState.REMOVED);
    }
    add(below);
    assertThat(layer(below)).isEqualTo("first");
    assertThat(layer(above)).isEqualTo("second");
    assertThat(firstTableHas(100)).isTrue();
    return above;
  }

  private void add(FlowRule rule) {
    bench.rules.applyFlowRules(rule);
    bench.awaitState(rule, FlowEntryState.ADDED);
    bench.settled();
  }

  private static TrafficSelector.Builder at(long port) {
    return DefaultTrafficSelector.builder()
        .matchEthType((short) 0x800)
        .matchInPort(PortNumber.portNumber(port));
  }

  private boolean isFullButForMoves() {
    PlacementReport.Layer first = bench.report().layers().get(0);
    return first.capacity() - first.used() <= first.reserve();
  }

  private String layer(FlowRule rule) {
    return Objects.requireNonNull(bench.explain(rule)).layer();
  }

  private boolean firstTableHas(int priority) {
    return bench.device.<Boolean>with(
        tables ->
            tables.entries().stream().anyMatch(entry -> entry.isIn(0) && entry.isFor(priority)));
  }

  @Test
  void coverGoesWithTheRuleBelowIt() {
    FlowRule below = PlacedBench.rule(50, PlacedBench.net("10.0.0.0/8"), 2);
    FlowRule above = coveredAbove(below);
    bench.rules.removeFlowRules(below);
    bench.awaitState(below, FlowEntryState.REMOVED);
    bench.settled();
    assertThat(layer(above)).isEqualTo("second");
    assertThat(firstTableHas(100)).isFalse();
  }

  @Test
  void coverGoesWhereTheRuleBelowItIsHiddenByAnother() {
    FlowRule below = PlacedBench.rule(50, PlacedBench.net("10.0.0.0/8"), 2);
    FlowRule above = coveredAbove(below);
    FlowRule hides = PlacedBench.rule(200, PlacedBench.net("10.0.0.0/8"), 4);
    add(hides);
    assertThat(firstTableHas(50)).isFalse();
    assertThat(layer(above)).isEqualTo("second");
    assertThat(firstTableHas(100)).isFalse();
  }

  @Test
  void coverWhoseActionsAnotherControllerChangedIsWrittenAgain() {
    FlowRule below = PlacedBench.rule(50, PlacedBench.net("10.0.0.0/8"), 2);
    FlowRule above = coveredAbove(below);
    Frame frame = new Frame(1, 0, 0x0a03_0001, 80);
    assertThat(follow(frame)).isEqualTo("port 3");
    bench.device.watched = false;
    int met =
        bench.device.<Integer>with(
            tables ->
                tables.modify(
                    entry -> entry.isIn(0) && entry.isFor(100),
                    DefaultTrafficTreatment.builder().drop().build()));
    assertThat(met).isEqualTo(1);
    assertThat(follow(frame)).isEqualTo("drop");
    PlacedBench.await(
        "healed",
        () -> {
          bench.readBack();
          bench.settled();
          return follow(frame).equals("port 3");
        });
    assertThat(bench.report().vanished()).isEqualTo(1);
    assertThat(bench.stateOf(above)).isEqualTo(FlowEntryState.ADDED);
  }

  private String follow(Frame frame) {
    return bench.device.with(tables -> tables.follow(frame));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void everyRuleCanGoHoweverFullTheTablesAre(int seed) {
    bench.begin();
    Random some = new Random(seed);
    List<FlowRule> rules = new ArrayList<>();
    for (int priority = 1; priority <= 40; priority++) {
      rules.add(PlacedBench.random(some, priority));
    }
    Collections.shuffle(rules, some);
    rules.forEach(bench.rules::applyFlowRules);
    rules.forEach(
        rule -> PlacedBench.await("decided", () -> DECIDED.contains(bench.stateOf(rule))));
    assertThat(rules).anyMatch(rule -> bench.stateOf(rule) == FlowEntryState.FAILED);
    Collections.shuffle(rules, some);
    for (FlowRule rule : rules) {
      bench.rules.removeFlowRules(rule);
      bench.awaitState(rule, FlowEntryState.REMOVED);
    }
  }

  @Test
  void switchThatBecomesIdealGetsItsRulesStraightAndIsPlacedAgainAfterwards() {
    bench.begin();
    List<FlowRule> rules = new ArrayList<>();
    for (int priority = 1; priority <= 30; priority++) {
      rules.add(PlacedBench.random(random, priority));
    }
    rules.forEach(bench.rules::applyFlowRules);
    rules.forEach(
        rule -> PlacedBench.await("decided", () -> DECIDED.contains(bench.stateOf(rule))));
    bench.settled();
    bench.device.watched = false;

    masteredAs(BuiltInProfiles.get("ideal"));
    rules.forEach(rule -> bench.awaitState(rule, FlowEntryState.ADDED));
    bench.readBack();
    bench.readBack();
    assertThat(bench.device.<List<Long>>with(TableSwitch::cookies))
        .noneMatch(Cookies::isPlaced)
        .filteredOn(Cookies::isIntended)
        .hasSize(rules.size());
    followsAllOf(rules);

    masteredAs(PlacedBench.twoTables(40, 0));
    bench.settled();
    rules.forEach(rule -> bench.awaitState(rule, FlowEntryState.ADDED));
    bench.settled();
    followsAllOf(rules);
    bench.device.watched = true;
    rules.forEach(bench.rules::removeFlowRules);
    rules.forEach(rule -> bench.awaitState(rule, FlowEntryState.REMOVED));
    assertThat(bench.device.<List<Long>>with(TableSwitch::cookies)).noneMatch(Cookies::isIntended);
    followsAllOf(List.of());
  }

  private void masteredAs(SwitchProfile profile) {
    bench.configure(profile);
    bench.master();
    bench.ready();
  }

  private void followsAllOf(List<FlowRule> rules) {
    for (Frame frame : Frame.some(random, 5_000)) {
      FlowRule best = null;
      for (FlowRule rule : rules) {
        if (frame.matches(rule.selector()) && (best == null || rule.priority() > best.priority())) {
          best = rule;
        }
      }
      assertThat(follow(frame))
          .isEqualTo(best == null ? TableSwitch.CONTROLLER : "port " + portOf(best));
    }
  }
}
