package io.lockstep.bench.placer;

import io.lockstep.placer.Rule;
import io.lockstep.placer.WeightedRule;
import io.lockstep.placer.choice.Policy;
import io.lockstep.placer.profile.SwitchProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * One kind of rule set on one switch with all policies. The same rules come for every profile and
 * share, so that their points can be compared. Used by one thread.
 *
 * @param zipf traffic, else equal traffic for all rules
 */
record PlacerStudy(RuleFamily family, String profile, int rules, double share, boolean zipf) {
  /** Rules up to which the optimum is asked for, and several sets make one point. */
  static final int FEW = 20;

  /** Packets that are looked at for the other policies, for each point. */
  private static final long FEWER_PACKETS = 10_000;

  /**
   * How much is done.
   *
   * @param sets of few rules for each point; of many there is one
   * @param changes after the filling, for the placer's own policy
   * @param packets looked at for each point, for the placer's own policy; its sets share them
   */
  record Effort(int sets, int changes, long packets) {}

  /** A point for each policy. */
  List<PlacerPoint> points(Effort effort) {
    boolean few = rules <= FEW;
    double[] best = new double[few ? effort.sets() : 1];
    List<PlacerPoint> points = new ArrayList<>();
    if (few) {
      points.add(point(Policy.OPTIMUM, effort, best));
    }
    for (Policy policy :
        List.of(Policy.PLACER, Policy.COVER_ONLY, Policy.CLOSURE_ONLY, Policy.FIRST_COME)) {
      points.add(point(policy, effort, best));
    }
    return points;
  }

  /**
   * @param best share of the traffic in hardware by the optimum, for each set; the optimum sets it
   */
  private PlacerPoint point(Policy policy, Effort effort, double[] best) {
    boolean own = policy == Policy.PLACER;
    double hardware = 0;
    double ofOptimum = 0;
    long flowMods = 0;
    long checked = 0;
    long mismatches = 0;
    double millis = 0;
    SwitchProfile scaled = PlacerRun.scaled(profile, rules, share);
    long packets = own ? effort.packets() : Math.min(effort.packets(), FEWER_PACKETS);
    long packetsOfOne = (packets + best.length - 1) / best.length;
    for (int set = 0; set < best.length; set++) {
      PlacerRun run =
          new PlacerRun(scaled, policy, wanted(scaled, set), set)
              .run(own ? effort.changes() : 0, packetsOfOne);
      if (policy == Policy.OPTIMUM) {
        best[set] = run.hardwareTrafficShare();
      }
      hardware += run.hardwareTrafficShare() / best.length;
      ofOptimum += (best[set] == 0 ? 1 : run.hardwareTrafficShare() / best[set]) / best.length;
      flowMods += run.flowMods();
      checked += run.packets();
      mismatches += run.mismatches();
      millis += run.millis() / best.length;
    }
    return new PlacerPoint(
        label(family),
        profile,
        rules,
        share,
        zipf ? "zipf" : "uniform",
        label(policy),
        hardware,
        rules <= FEW ? ofOptimum : null,
        flowMods,
        checked,
        mismatches,
        millis);
  }

  private List<WeightedRule> wanted(SwitchProfile scaled, int set) {
    Random random = new Random(31L * set + rules);
    int required = scaled.layers().get(PlacerRun.tcam(scaled)).required();
    List<Rule> made = RuleFamily.requiring(required, family.rules(rules, random));
    return RuleFamily.weighted(made, zipf, random);
  }

  /** In camel case, as keys of results are. */
  static String label(Enum<?> value) {
    StringBuilder text = new StringBuilder();
    for (String word : value.name().toLowerCase(Locale.ROOT).split("_", -1)) {
      text.append(
          text.isEmpty()
              ? word
              : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
    }
    return text.toString();
  }
}
