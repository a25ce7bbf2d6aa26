package io.lockstep.bench.placer;

import io.lockstep.bench.placer.StudiedPolicy.SetResult;
import io.lockstep.placer.Rule;
import io.lockstep.placer.WeightedRule;
import io.lockstep.placer.profile.SwitchProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * One kind of rule set on one switch with all policies, by the placer alone. The same rules come
 * for every profile and share, so that their points can be compared. Used by one thread.
 *
 * @param zipf traffic, else equal traffic for all rules
 */
record PlacerStudy(RuleFamily family, String profile, int rules, double share, boolean zipf) {
  /** Rules up to which the optimum is known, and several sets make one point. */
  static final int FEW = BestSubset.MOST_RULES;

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
    SwitchProfile scaled = PlacerRun.scaled(profile, rules, share);
    List<List<WeightedRule>> sets = new ArrayList<>();
    for (int set = 0; set < (few ? effort.sets() : 1); set++) {
      sets.add(wanted(scaled, set));
    }
    double[] best = new double[sets.size()];
    List<PlacerPoint> points = new ArrayList<>();
    for (StudiedPolicy policy : StudiedPolicy.values()) {
      if (few || policy != StudiedPolicy.OPTIMUM) {
        points.add(point(policy, scaled, sets, effort, best));
      }
    }
    return points;
  }

  /**
   * @param best share of the traffic in hardware by the optimum, for each set; the optimum sets it
   */
  private PlacerPoint point(
      StudiedPolicy policy,
      SwitchProfile scaled,
      List<List<WeightedRule>> sets,
      Effort effort,
      double[] best) {
    long packets = (policy.packets(effort.packets()) + best.length - 1) / best.length;
    double[] hardware = new double[best.length];
    double[] ofOptimum = new double[best.length];
    long flowMods = 0;
    long checked = 0;
    long mismatches = 0;
    double millis = 0;
    for (int set = 0; set < best.length; set++) {
      SetResult result = policy.run(scaled, sets.get(set), effort.changes(), packets, set);
      hardware[set] = result.hardwareTrafficShare();
      if (policy == StudiedPolicy.OPTIMUM) {
        best[set] = hardware[set];
      }
      ofOptimum[set] = best[set] == 0 ? 1 : hardware[set] / best[set];
      flowMods += result.flowMods();
      checked += result.packets();
      mismatches += result.mismatches();
      millis += result.millis() / best.length;
    }
    boolean few = rules <= FEW;
    return new PlacerPoint(
        StudiedPolicy.label(family),
        profile,
        rules,
        share,
        zipf ? "zipf" : "uniform",
        PlacerPoint.PURE,
        policy.label(),
        Arrays.stream(hardware).average().orElse(0),
        few ? Arrays.stream(ofOptimum).average().orElse(0) : null,
        few ? Arrays.stream(ofOptimum).min().orElse(0) : null,
        flowMods,
        checked,
        mismatches,
        millis);
  }

  private List<WeightedRule> wanted(SwitchProfile scaled, int set) {
    Random random = new Random(31L * set + rules);
    int required = scaled.layers().get(PlacerRun.tcam(scaled)).required();
    List<Rule> made = RuleFamily.requiring(required, family.rules(rules, random));
    if (StationRules.fit(scaled)) {
      made = StationRules.beside(made);
    }
    return reachable(scaled, RuleFamily.weighted(made, zipf, random));
  }

  /** The same with no traffic for rules of which no packet is found: most of them win none. */
  static List<WeightedRule> reachable(SwitchProfile scaled, List<WeightedRule> wanted) {
    ReferenceProblem problem = new ReferenceProblem(scaled, wanted);
    List<Rule> unreachable = new ArrayList<>();
    for (int i = 0; i < problem.size(); i++) {
      if (problem.packet(i).isEmpty()) {
        unreachable.add(problem.rule(i).rule());
      }
    }
    return wanted.stream()
        .map(one -> unreachable.contains(one.rule()) ? new WeightedRule(one.rule(), 0) : one)
        .toList();
  }
}
