package io.lockstep.core.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.placer.profile.BuiltInProfiles;
import io.lockstep.placer.profile.SwitchProfile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;

/**
 * A rule above many others leaves: none of those below keeps it in the switch. {@code
 * -Dplaced.hidden=N} has N rules below, and prints how long the removal took.
 */
class PlacedRemovalTest {
  private static final int HIDDEN = Integer.getInteger("placed.hidden", 600);
  private static final int ABSENT_PORT = 99;
  private static final FlowRule DENY =
      DefaultFlowRule.builder()
          .forDevice(PlacedBench.rule(1, DefaultTrafficSelector.emptySelector(), 1).deviceId())
          .withSelector(DefaultTrafficSelector.emptySelector())
          .withTreatment(DefaultTrafficTreatment.builder().drop().build())
          .withPriority(40_000)
          .fromApp(PlacedBench.APP)
          .makePermanent()
          .build();

  private final Random random = new Random(41);
  private PlacedBench bench = new PlacedBench(BuiltInProfiles.get("ovs-small"), random);

  @AfterEach
  void close() {
    bench.close();
    assertThat(bench.device.wrong()).isEmpty();
  }

  private void begin(boolean watched) {
    bench.master();
    bench.ready();
    bench.settled();
    bench.device.watched = watched;
  }

  private void other(SwitchProfile profile) {
    bench.close();
    bench = new PlacedBench(profile, random);
  }

  private static FlowRule route(int number, long port) {
    String net = "10." + (number >> 8) + "." + (number & 255) + ".0/24";
    return PlacedBench.rule(100 + number % 5_000, PlacedBench.net(net), port);
  }

  private static boolean outputs(FlowMod mod, long port) {
    return mod.treatment().allInstructions().stream()
        .anyMatch(one -> one instanceof OutputInstruction output && output.port().toLong() == port);
  }

  private void hide(List<FlowRule> hidden) {
    bench.rules.applyFlowRules(DENY);
    bench.awaitState(DENY, FlowEntryState.ADDED);
    bench.rules.applyFlowRules(hidden.toArray(FlowRule[]::new));
    awaitAll(hidden, Set.of(FlowEntryState.ADDED)::contains);
    bench.settled();
  }

  private void awaitAll(List<FlowRule> rules, Predicate<FlowEntryState> wanted) {
    PlacedBench.await(
        "all rules have their state",
        () -> rules.stream().allMatch(rule -> wanted.test(bench.stateOf(rule))));
  }

  private void removeDeny() {
    bench.rules.removeFlowRules(DENY);
    bench.awaitState(DENY, FlowEntryState.REMOVED);
  }

  @Test
  void rulesToAnAbsentPortDoNotKeepTheRuleAboveThem() {
    begin(true);
    bench.device.refuses = mod -> outputs(mod, ABSENT_PORT) ? "BAD_ACTION/BAD_OUT_PORT" : null;
    List<FlowRule> good = new ArrayList<>();
    List<FlowRule> bad = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      (i % 15 == 7 ? bad : good).add(route(i, i % 15 == 7 ? ABSENT_PORT : 1 + i % 4));
    }
    List<FlowRule> all = new ArrayList<>(good);
    all.addAll(bad);
    hide(all);
    removeDeny();
    awaitAll(good, Set.of(FlowEntryState.ADDED)::contains);
    awaitAll(bad, Set.of(FlowEntryState.FAILED)::contains);
    assertThat(bench.rules.error(bad.get(0))).contains("BAD_OUT_PORT");
    bench.settled();
    assertThat(bench.device.<Integer>with(tables -> tables.entries().size()))
        .as("with two last entries and the one for link discovery")
        .isEqualTo(good.size() + 3);
  }

  @Test
  void rulesThatFindNoRoomDoNotKeepTheRuleAboveThem() {
    other(PlacedBench.twoTables(40, 40));
    begin(true);
    List<FlowRule> hidden = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      hidden.add(route(i, 1 + i % 4));
    }
    hide(hidden);
    removeDeny();
    awaitAll(hidden, Set.of(FlowEntryState.ADDED, FlowEntryState.FAILED)::contains);
    bench.settled();
    assertThat(hidden.stream().filter(rule -> bench.stateOf(rule) == FlowEntryState.ADDED).count())
        .as("rules in 80 places, of which three are taken")
        .isBetween(70L, 77L);
  }

  @Test
  void rulesThatOverlapComeInAnyOrderWhereTheSwitchRefusesSome() {
    for (int round = 0; round < 4; round++) {
      other(PlacedBench.twoTables(20, 0));
      begin(true);
      List<FlowRule> hidden = new ArrayList<>();
      for (int i = 0; i < 80; i++) {
        hidden.add(PlacedBench.random(random, 100 + i));
      }
      Collections.shuffle(hidden, random);
      hide(hidden);
      bench.device.refuses =
          mod ->
              mod.operation() == FlowMod.Operation.ADD && random.nextInt(10) == 0
                  ? "FLOW_MOD_FAILED/UNKNOWN"
                  : null;
      removeDeny();
      bench.device.refuses = mod -> null;
      PlacedBench.await(
          "what the switch refused is there",
          () -> {
            bench.clockMillis.addAndGet(20_000);
            bench.readBack();
            return hidden.stream().allMatch(rule -> bench.stateOf(rule) == FlowEntryState.ADDED);
          });
      bench.settled();
      assertThat(bench.device.wrong()).isEmpty();
    }
  }

  @Test
  void manyRulesBelowComeInFewParts() {
    begin(false);
    List<FlowRule> hidden = new ArrayList<>();
    for (int i = 0; i < HIDDEN; i++) {
      hidden.add(route(i, 1 + i % 4));
    }
    hide(hidden);
    int before = bench.device.<Integer>with(tables -> tables.batches);
    long startNanos = System.nanoTime();
    removeDeny();
    System.out.printf(
        "removed above %d rules after %d ms%n",
        HIDDEN, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos));
    assertThat(bench.device.<Integer>with(tables -> tables.batches) - before)
        .as("barriers")
        .isLessThan(4 + HIDDEN / 60);
    awaitAll(hidden, Set.of(FlowEntryState.ADDED)::contains);
  }
}
