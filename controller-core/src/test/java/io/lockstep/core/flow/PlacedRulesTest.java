package io.lockstep.core.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.oracle.TableSwitch;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.placer.profile.SwitchProfile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;

/**
 * Flow rules at a switch with bounded tables, from the service to the flow-mods, over a real store.
 * Behind every flow-mod the switch is looked at by an oracle that shares no code with the placer.
 * {@code -Dplaced.changes=N} makes N changes.
 */
class PlacedRulesTest {
  private static final int CHANGES = Integer.getInteger("placed.changes", 300);

  private static final Set<FlowEntryState> DECIDED =
      Set.of(FlowEntryState.ADDED, FlowEntryState.FAILED);

  private final Random random = new Random(11);
  private PlacedBench bench = new PlacedBench(PlacedBench.twoTables(12, 0), random);

  @AfterEach
  void close() {
    bench.close();
    assertThat(bench.device.wrong()).isEmpty();
  }

  private void other(SwitchProfile profile) {
    bench.close();
    bench = new PlacedBench(profile, random);
  }

  @Test
  void firstTableIsNeverDrivenPastItsCapacityAndTheRestIsInTheSecond() {
    bench.device.with(
        tables -> {
          tables.limit(0, 12);
          return null;
        });
    bench.begin();
    List<FlowRule> rules = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      rules.add(PlacedBench.random(random, 100 + i));
    }
    rules.forEach(bench.rules::applyFlowRules);
    rules.forEach(rule -> bench.awaitState(rule, FlowEntryState.ADDED));
    assertThat(bench.<Integer>ask(any -> bench.device.with(t -> t.count(0)))).isLessThan(13);
    // Some rules are hidden by others; how many of them have entries depends on who came first.
    assertThat(bench.<Integer>ask(any -> bench.device.with(t -> t.count(1)))).isGreaterThan(20);
    assertThat(bench.report().layers().get(0).refused()).isZero();
    rules.forEach(bench.rules::removeFlowRules);
    rules.forEach(rule -> bench.awaitState(rule, FlowEntryState.REMOVED));
    bench.settled();
    // Two last entries and the one for link discovery are left.
    assertThat(bench.<Integer>ask(any -> bench.device.with(t -> t.entries().size()))).isEqualTo(3);
  }

  @Test
  void whatDoesNotFitSaysWhereWhyAndHowMuchAndComesWhenThereIsRoom() {
    other(PlacedBench.twoTables(6, 6));
    bench.begin();
    List<FlowRule> rules = new ArrayList<>();
    for (int i = 0; i < 11; i++) {
      rules.add(PlacedBench.rule(200 - i, PlacedBench.net("10." + i + ".0.0/16"), 1));
    }
    rules.forEach(bench.rules::applyFlowRules);
    PlacedBench.await(
        "all have a state", () -> rules.stream().allMatch(r -> DECIDED.contains(bench.stateOf(r))));
    List<FlowRule> failed =
        rules.stream().filter(r -> bench.stateOf(r) == FlowEntryState.FAILED).toList();
    assertThat(failed).isNotEmpty().hasSizeLessThan(6);
    assertThat(bench.rules.error(failed.get(0)))
        .contains("of:0000000000000001")
        .contains("layer first")
        .contains("priority " + failed.get(0).priority())
        .contains("capacity 5 units")
        .contains("used");
    assertThat(Objects.requireNonNull(bench.explain(failed.get(0))).why())
        .as("beside traffic of 0 bytes")
        .contains("its traffic is not known: the switch counts packets of rules that it has");
    rules.stream()
        .filter(rule -> !failed.contains(rule))
        .limit(failed.size())
        .forEach(bench.rules::removeFlowRules);
    failed.forEach(rule -> bench.awaitState(rule, FlowEntryState.ADDED));
  }

  @Test
  void mastersDieInTheMiddleOfPlansAndTheNextGoesOn() {
    Map<Integer, FlowRule> wanted = new HashMap<>();
    bench.begin();
    for (int i = 0; i < CHANGES; i++) {
      change(wanted, i);
      if (random.nextInt(4) == 0) {
        bench.connection().cutAfter(random.nextInt(4));
        PlacedBench.await(
            "the cut or rest", () -> bench.connection().cut() || bench.report().rests());
        bench.kill();
        bench.master();
        bench.ready();
      }
      if (i % 20 == 0) {
        bench.settled();
        bench.clockMillis.addAndGet(20_000);
        bench.readBack();
      }
      assertThat(bench.device.wrong()).isEmpty();
    }
    endsAsWanted(wanted);
  }

  @Test
  void churnAtASwitchThatRefusesAtRandom() {
    bench.device.refuses =
        mod ->
            bench.device.watched && random.nextInt(8) == 0
                ? random.nextBoolean() ? "FLOW_MOD_FAILED/TABLE_FULL" : "FLOW_MOD_FAILED/UNKNOWN"
                : null;
    bench.begin();
    Map<Integer, FlowRule> wanted = new HashMap<>();
    for (int i = 0; i < CHANGES; i++) {
      change(wanted, i);
      if (i % 10 == 0) {
        bench.settled();
        bench.clockMillis.addAndGet(20_000);
        bench.readBack();
      }
      assertThat(bench.device.wrong()).isEmpty();
    }
    bench.device.refuses = mod -> null;
    endsAsWanted(wanted);
  }

  @Test
  void aRemovalThatTheSwitchRefusesIsRetried() {
    bench.begin();
    FlowRule rule = PlacedBench.rule(100, PlacedBench.net("10.1.0.0/16"), 1);
    bench.rules.applyFlowRules(rule);
    bench.awaitState(rule, FlowEntryState.ADDED);
    bench.device.refuses =
        mod -> mod.operation() == FlowMod.Operation.DELETE_STRICT ? "FLOW_MOD_FAILED/EPERM" : null;
    bench.rules.removeFlowRules(rule);
    bench.awaitState(rule, FlowEntryState.PENDING_REMOVE);
    PlacedBench.await("it is rejected", () -> bench.report().refusedCount() == 1);
    bench.settled();
    bench.device.refuses = mod -> null;
    PlacedBench.await(
        "the removal is tried again with a reading",
        () -> {
          bench.clockMillis.addAndGet(20_000);
          bench.readBack();
          bench.settled();
          return bench.stateOf(rule) == FlowEntryState.REMOVED;
        });
    assertThat(bench.report().refusedCount()).isZero();
  }

  private void change(Map<Integer, FlowRule> wanted, int i) {
    int priority = 1 + random.nextInt(60);
    FlowRule there = wanted.get(priority);
    if (there == null) {
      FlowRule rule = PlacedBench.random(random, priority);
      wanted.put(priority, rule);
      bench.rules.applyFlowRules(rule);
    } else if (random.nextInt(3) == 0) {
      FlowRule rule = PlacedBench.rule(priority, there.selector(), 1 + random.nextInt(5));
      wanted.put(priority, rule);
      bench.rules.applyFlowRules(rule);
    } else {
      wanted.remove(priority);
      bench.rules.removeFlowRules(there);
    }
    if (i % 3 == 0) {
      bench.settled();
    }
  }

  private void endsAsWanted(Map<Integer, FlowRule> wanted) {
    PlacedBench.await(
        "every rule is there",
        () -> {
          bench.settled();
          bench.clockMillis.addAndGet(20_000);
          bench.readBack();
          return wanted.values().stream()
              .allMatch(rule -> bench.stateOf(rule) == FlowEntryState.ADDED);
        });
    PlacedBench.await("no more than these", () -> bench.rules.getFlowRuleCount() == wanted.size());
    bench.settled();
    for (var frame : io.lockstep.core.flow.oracle.Frame.some(random, 5_000)) {
      FlowRule best = null;
      for (FlowRule rule : wanted.values()) {
        if (frame.matches(rule.selector()) && (best == null || rule.priority() > best.priority())) {
          best = rule;
        }
      }
      String expected =
          best == null
              ? TableSwitch.CONTROLLER
              : "port "
                  + ((org.onosproject.net.flow.instructions.Instructions.OutputInstruction)
                          best.treatment().allInstructions().get(0))
                      .port()
                      .toLong();
      assertThat(bench.device.<String>with(tables -> tables.follow(frame))).isEqualTo(expected);
    }
  }
}
