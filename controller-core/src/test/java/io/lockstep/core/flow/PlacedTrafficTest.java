package io.lockstep.core.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.entry.HeaderSpace.Inexpressible;
import io.lockstep.core.flow.oracle.TableSwitch;
import io.lockstep.core.flow.placed.LogicalRule;
import io.lockstep.core.flow.placed.LogicalRule.Origin;
import io.lockstep.placer.Change;
import io.lockstep.placer.Placer;
import io.lockstep.placer.PlacerOptions;
import io.lockstep.placer.Plan;
import io.lockstep.placer.Rule;
import io.lockstep.placer.WeightedRule;
import io.lockstep.placer.profile.BuiltInProfiles;
import io.lockstep.placer.profile.SwitchProfile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;

/**
 * Rules that came in any order follow their traffic: measured at the switch, against a fill that
 * knows the weights from the beginning. {@code -Dplaced.rules=N} has N rules, {@code
 * -Dplaced.profile=NAME} another switch.
 */
class PlacedTrafficTest {
  private static final int RULES = Integer.getInteger("placed.rules", 600);
  private static final SwitchProfile PROFILE =
      BuiltInProfiles.get(System.getProperty("placed.profile", "ovs-small"));
  private static final long READING_MILLIS = 5_000;
  private static final int MOVED = 100;

  private final Random random = new Random(43);
  private final PlacedBench bench = new PlacedBench(PROFILE, random);
  private final List<FlowRule> rules = new ArrayList<>();

  /** Bytes per second by priority; every rule has its own. */
  private final double[] rates = new double[RULES + 1];

  @AfterEach
  void close() {
    bench.close();
    assertThat(bench.device.wrong()).isEmpty();
  }

  /** Prefixes, the longer ones above, with Zipf traffic in random order. */
  private void prefixes() {
    Set<String> nets = new HashSet<>();
    List<Integer> ranks = new ArrayList<>();
    for (int priority = 1; priority <= RULES; priority++) {
      int bits = 10 + 14 * (priority - 1) / RULES;
      String net;
      do {
        net =
            random.nextInt(224)
                + "."
                + random.nextInt(256)
                + "."
                + random.nextInt(256)
                + ".0/"
                + bits;
        net = org.onlab.packet.IpPrefix.valueOf(net).toString();
      } while (!nets.add(net));
      rules.add(PlacedBench.rule(priority, PlacedBench.net(net), 1 + priority % 4));
      ranks.add(priority);
    }
    Collections.shuffle(ranks, random);
    for (int i = 0; i < RULES; i++) {
      rates[ranks.get(i)] = 1e7 / (1 + i);
    }
    Collections.shuffle(rules, random);
  }

  private double share(Set<Integer> priorities) {
    double hardware = 0;
    double all = 0;
    for (int priority = 1; priority <= RULES; priority++) {
      hardware += priorities.contains(priority) ? rates[priority] : 0;
      all += rates[priority];
    }
    return hardware / all;
  }

  private double shareOfFill() throws Inexpressible {
    List<WeightedRule> weighted = new ArrayList<>();
    for (FlowRule one : rules) {
      LogicalRule rule =
          LogicalRule.of(one.priority(), one.selector(), one.treatment(), Origin.INTENDED);
      weighted.add(new WeightedRule(new Rule(rule.key(), rule.treatment()), rates[one.priority()]));
    }
    Placer placer =
        new Placer("fill", PROFILE, PlacerOptions.standard().withControllerServes(false));
    Plan plan = (Plan) placer.plan(new Change.Fill(weighted));
    placer.confirm(plan, 0);
    Set<Integer> first = new HashSet<>();
    weighted.forEach(
        one -> {
          if (placer.layerOf(one.rule().key()) == 0) {
            first.add(one.rule().key().priority());
          }
        });
    return share(first);
  }

  private double shareNow() {
    return share(
        bench.device.with(
            tables -> {
              Set<Integer> first = new HashSet<>();
              tables.entries().stream()
                  .filter(entry -> entry.isIn(0) && entry.isRule())
                  .forEach(entry -> first.add(entry.priority));
              return first;
            }));
  }

  /** Traffic for a while, counted by the entry that serves each rule, and a reading. */
  private void reading(long millis, double noise) {
    bench.clockMillis.addAndGet(millis);
    bench.device.with(
        tables -> {
          tables.nowSeconds += millis / 1000;
          Set<Integer> counted = new HashSet<>();
          for (int table = 0; table < 2; table++) {
            for (TableSwitch.Entry entry : tables.entries()) {
              if (entry.isIn(table)
                  && entry.isRule()
                  && entry.priority <= RULES
                  && counted.add(entry.priority)) {
                double factor = 1 + noise * (2 * random.nextDouble() - 1);
                entry.bytes += (long) (rates[entry.priority] * factor * millis / 1000);
              }
            }
          }
          return null;
        });
    bench.readBack();
    bench.settled();
  }

  private int flowMods() {
    return bench.device.<Integer>with(tables -> tables.flowMods);
  }

  @Test
  void rulesComeForwardSoonAndStayWhileTrafficIsSteady() throws Inexpressible {
    prefixes();
    bench.master();
    bench.ready();
    bench.settled();
    long startNanos = System.nanoTime();
    bench.rules.applyFlowRules(rules.toArray(FlowRule[]::new));
    PlacedBench.await(
        "all are there",
        () -> rules.stream().allMatch(rule -> bench.stateOf(rule) == FlowEntryState.ADDED));
    bench.settled();
    long installedMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    double arrived = shareNow();
    double fill = shareOfFill();
    int readings = 0;
    startNanos = System.nanoTime();
    do {
      reading(READING_MILLIS, 0.2);
    } while (++readings < 4 && shareNow() < 0.95 * fill);
    System.out.printf(
        "%d rules: installed in %d ms, share %.3f; %.3f after %d readings (%d ms), fill %.3f%n",
        RULES,
        installedMillis,
        arrived,
        shareNow(),
        readings,
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos),
        fill);
    assertThat(shareNow()).isGreaterThanOrEqualTo(0.95 * fill);
    for (int i = 0; i < 4; i++) {
      reading(READING_MILLIS, 0.2);
    }
    steady();
    changed();
  }

  private void steady() {
    int before = flowMods();
    int minutes = 2;
    for (int i = 0; i < minutes * 12; i++) {
      reading(READING_MILLIS, 0.2);
    }
    System.out.printf("%d flow-mods in %d minutes%n", flowMods() - before, minutes);
    assertThat(flowMods() - before).isLessThanOrEqualTo(minutes);
  }

  private void changed() throws Inexpressible {
    List<Integer> order = new ArrayList<>();
    for (int priority = 1; priority <= RULES; priority++) {
      order.add(priority);
    }
    order.sort((a, b) -> Double.compare(rates[b], rates[a]));
    List<Integer> others = new ArrayList<>(order.subList(MOVED, RULES));
    Collections.shuffle(others, random);
    for (int i = 0; i < MOVED; i++) {
      double rate = rates[order.get(i)];
      rates[order.get(i)] = rates[others.get(i)];
      rates[others.get(i)] = rate;
    }
    int before = flowMods();
    double lost = shareNow();
    for (int i = 0; i < 4; i++) {
      reading(READING_MILLIS, 0.2);
    }
    double fill = shareOfFill();
    System.out.printf(
        "%d rules changed places: share %.3f, then %.3f, fill %.3f, %d flow-mods%n",
        MOVED, lost, shareNow(), fill, flowMods() - before);
    assertThat(shareNow()).isGreaterThanOrEqualTo(0.95 * fill);
    assertThat(flowMods() - before).isLessThanOrEqualTo(3 * MOVED);
  }
}
