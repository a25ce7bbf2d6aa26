package io.lockstep.bench.placer;

import io.lockstep.bench.placer.LoadedSwitch.Reading;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.WeightedRule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleSupplier;

/**
 * Further phases of traffic at switches whose rules are in place: the heaviest rules change places
 * with the lightest, then traffic stays as it is. Used by one thread.
 */
final class TrafficPhases {
  /** Two read-backs, which are 10 s apart, and 10 s more. */
  static final int SWAP_SECONDS = 30;

  /** So long after a change of the traffic, nodes still move what the next readings show. */
  private static final int SETTLING_SECONDS = 30;

  private static final int SECONDS_PER_MINUTE = 60;

  private TrafficPhases() {}

  /**
   * Which phases there are.
   *
   * @param swappedRules the heaviest rules that change places; 0 for no such phase
   * @param steadyMinutes 0 for no such phase
   */
  record Settings(int swappedRules, int steadyMinutes) {}

  /**
   * A phase at one switch.
   *
   * @param fill works out what {@code fill} serves of the phase's traffic
   * @param weighted the rules with the traffic of the phase
   */
  record Outcome(
      DoubleSupplier fill,
      String profile,
      String phase,
      int swappedRules,
      double seconds,
      List<WeightedRule> weighted,
      Reading before,
      Reading after) {
    /** The same beside {@code fill}. */
    PhasePoint point(String ruleSet, int rules, double capacityShare) {
      double fillShare = fill.getAsDouble();
      double share = after.treated().hardwareTrafficShare();
      int places =
          changedPlaces(before.treated().rulesInHardware(), after.treated().rulesInHardware());
      long flowMods = after.flowMods() - before.flowMods();
      return new PhasePoint(
          ruleSet,
          profile,
          rules,
          capacityShare,
          phase,
          swappedRules,
          seconds,
          share(weighted, before.treated().rulesInHardware()),
          share,
          fillShare,
          fillShare == 0 ? 1 : share / fillShare,
          places,
          flowMods,
          places == 0 ? null : (double) flowMods / places,
          flowMods * SECONDS_PER_MINUTE / seconds,
          after.treated().mismatches());
    }
  }

  /**
   * Lets the phases pass. Traffic goes on meanwhile; so what takes long is worked out afterwards,
   * by {@link Outcome#point}.
   *
   * @param settled the switches at the beginning, in their order
   */
  static List<Outcome> run(
      Settings settings, List<LoadedSwitch> switches, List<Reading> settled, SwitchTraffic traffic)
      throws BenchException, InterruptedException {
    List<Outcome> outcomes = new ArrayList<>();
    List<Reading> last = settled;
    if (settings.swappedRules > 0) {
      for (LoadedSwitch one : switches) {
        one.weigh(swapped(one.wanted(), settings.swappedRules));
      }
      traffic.run(SWAP_SECONDS);
      last = end(PhasePoint.SWAP, settings, SWAP_SECONDS, switches, last, outcomes);
    }
    if (settings.steadyMinutes > 0) {
      int seconds = settings.steadyMinutes * SECONDS_PER_MINUTE;
      traffic.run(SETTLING_SECONDS);
      last = readings(switches);
      traffic.run(seconds);
      end(PhasePoint.STEADY, settings, seconds, switches, last, outcomes);
    }
    return outcomes;
  }

  /** Reads the switches at the end of a phase, and adds what came of it. */
  private static List<Reading> end(
      String phase,
      Settings settings,
      double seconds,
      List<LoadedSwitch> switches,
      List<Reading> before,
      List<Outcome> outcomes)
      throws BenchException, InterruptedException {
    List<Reading> after = readings(switches);
    for (int i = 0; i < switches.size(); i++) {
      LoadedSwitch one = switches.get(i);
      List<WeightedRule> weighted = one.wanted();
      outcomes.add(
          new Outcome(
              () -> one.beside(StudiedPolicy.PLACER, weighted).hardwareTrafficShare(),
              one.profile(),
              phase,
              phase.equals(PhasePoint.SWAP) ? settings.swappedRules : 0,
              seconds,
              weighted,
              before.get(i),
              after.get(i)));
    }
    return after;
  }

  private static List<Reading> readings(List<LoadedSwitch> switches)
      throws BenchException, InterruptedException {
    List<Reading> readings = new ArrayList<>();
    for (LoadedSwitch one : switches) {
      readings.add(one.reading());
    }
    return readings;
  }

  /**
   * The rules after the heaviest have changed places with the lightest that have traffic: the
   * heaviest has the traffic of the lightest from now on, and so on.
   *
   * @param count of each, up to half of the rules with traffic
   */
  static List<WeightedRule> swapped(List<WeightedRule> rules, int count) {
    List<WeightedRule> byWeight = new ArrayList<>(rules);
    byWeight.removeIf(one -> one.weight() == 0);
    byWeight.sort(Comparator.comparingDouble(WeightedRule::weight).reversed());
    Map<RuleKey, Double> changed = new HashMap<>();
    for (int i = 0; i < Math.min(count, byWeight.size() / 2); i++) {
      WeightedRule heavy = byWeight.get(i);
      WeightedRule light = byWeight.get(byWeight.size() - 1 - i);
      changed.put(heavy.rule().key(), light.weight());
      changed.put(light.rule().key(), heavy.weight());
    }
    return rules.stream()
        .map(
            one ->
                new WeightedRule(one.rule(), changed.getOrDefault(one.rule().key(), one.weight())))
        .toList();
  }

  /** How many places have another rule: of those that came and those that left, the more. */
  static int changedPlaces(Set<RuleKey> before, Set<RuleKey> after) {
    Set<RuleKey> came = new HashSet<>(after);
    came.removeAll(before);
    Set<RuleKey> left = new HashSet<>(before);
    left.removeAll(after);
    return Math.max(came.size(), left.size());
  }

  /** The part of all traffic that some rules have. */
  static double share(List<WeightedRule> weighted, Set<RuleKey> some) {
    double all = 0;
    double found = 0;
    for (WeightedRule one : weighted) {
      all += one.weight();
      found += some.contains(one.rule().key()) ? one.weight() : 0;
    }
    return all == 0 ? 0 : found / all;
  }
}
