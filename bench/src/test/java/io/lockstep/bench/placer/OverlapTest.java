package io.lockstep.bench.placer;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.bench.placer.MatchShape.FiveTuples;
import io.lockstep.placer.WeightedRule;
import io.lockstep.placer.profile.SwitchProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * How much of the traffic fits into hardware depends on how much the rules overlap: access lists
 * with ever shorter prefixes, the first as {@link RuleFamily#ACL} has them. With {@code
 * -Dplacer.overlap.rules=3000} the table of bench/README.md.
 */
class OverlapTest {
  private static final int RULES = Integer.getInteger("placer.overlap.rules", 600);

  /**
   * A set of rules, the last one for all packets aside.
   *
   * @param rulesAbove that share a packet with a rule, in the mean
   * @param pairs the share of the pairs of rules that share a packet
   * @param heaviest the share of the traffic that the heaviest 10 % of the rules have
   * @param residualGreedy the share that it serves with entries for 10 % of the rules
   */
  private record Measured(
      double rulesAbove, double pairs, double heaviest, double residualGreedy) {}

  private static Measured measured(FiveTuples shape) {
    Random random = new Random(RULES);
    SwitchProfile profile = PlacerRun.scaled("ovs-small", RULES, 0.1);
    List<WeightedRule> rules =
        RuleFamily.weighted(RuleFamily.rules(shape, RULES, random, false), true, random);
    ReferenceProblem problem = new ReferenceProblem(profile, PlacerStudy.reachable(profile, rules));
    int last = RULES - 1;
    long above = 0;
    for (int i = 0; i < last; i++) {
      above += problem.above(i).length;
    }
    return new Measured(
        (double) above / last,
        above / (last * (last - 1) / 2.0),
        heaviest(problem),
        ResidualGreedy.of(problem).hardwareTrafficShare());
  }

  private static double heaviest(ReferenceProblem problem) {
    double[] weights = new double[problem.size()];
    Arrays.setAll(weights, problem::weight);
    Arrays.sort(weights);
    double heaviest = Arrays.stream(weights).skip(RULES - RULES / 10).sum();
    return heaviest / Arrays.stream(weights).sum();
  }

  @Test
  void accessListsThatOverlapMoreHaveLessTrafficInHardware() {
    List<FiveTuples> lists =
        List.of(
            new FiveTuples(20, 32, 16, 32, 0.85, 0.75, 0.1),
            new FiveTuples(0, 24, 0, 24, 0.85, 0.5, 0.1),
            new FiveTuples(0, 16, 0, 16, 0.85, 0.5, 0.1));
    List<Measured> found = new ArrayList<>();
    for (FiveTuples shape : lists) {
      Measured one = measured(shape);
      System.out.printf(Locale.ROOT, "%s: %s%n", shape, one);
      found.add(one);
    }
    Measured ours = found.get(0);
    assertThat(ours.pairs).isLessThan(0.01);
    assertThat(ours.residualGreedy).isGreaterThan(0.98 * ours.heaviest);
    for (Measured dense : found.subList(1, found.size())) {
      assertThat(dense.pairs).isGreaterThan(0.015);
      assertThat(dense.residualGreedy).isLessThan(0.9 * dense.heaviest);
    }
  }
}
