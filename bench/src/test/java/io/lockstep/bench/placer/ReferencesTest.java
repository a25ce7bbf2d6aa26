package io.lockstep.bench.placer;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.placer.Rule;
import io.lockstep.placer.WeightedRule;
import io.lockstep.placer.profile.BuiltInProfiles;
import io.lockstep.placer.profile.Capacity;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The optimum and the greedy reference, beside a search that is slower and simpler still. */
class ReferencesTest {
  private static final int PACKETS = 64;

  private static SwitchProfile room(String name, int entries) {
    return BuiltInProfiles.get(name).withCapacity(0, Capacity.ofEntries(entries), 0);
  }

  private static WeightedRule rule(int priority, TernaryMatch match, double weight) {
    return new WeightedRule(Rule.of(priority, match, RuleFamily.output(priority)), weight);
  }

  private static WeightedRule prefix(int bits, double weight) {
    return rule(bits, MatchShape.IPV4.withPrefix(HeaderField.IPV4_DST, 0x0A010203, bits), weight);
  }

  @Test
  void nestedPrefixesNeedOneCoverAndNotAll() {
    SwitchProfile profile = room("ovs-small", 2);
    ReferenceProblem problem =
        new ReferenceProblem(
            profile, List.of(prefix(8, 100), prefix(16, 1), prefix(24, 1), prefix(32, 1)));
    for (ReferenceChoice choice : List.of(BestSubset.of(problem), ResidualGreedy.of(problem))) {
      assertThat(choice.rules()).isEqualTo(bits(3));
      assertThat(choice.covers()).isEqualTo(bits(2));
      assertThat(choice.mismatches(profile, 2000, 1)).isZero();
    }
  }

  @Test
  void aRuleWhoseOverlapOthersHideNeedsNothing() {
    TernaryMatch hidden = MatchShape.IPV4.withPrefix(HeaderField.IPV4_DST, 0x0A000000, 8);
    TernaryMatch low =
        MatchShape.IPV4
            .withPrefix(HeaderField.IPV4_DST, 0x0A000000, 9)
            .with(HeaderField.IP_DSCP, 1);
    TernaryMatch over = MatchShape.IPV4.withPrefix(HeaderField.IPV4_DST, 0x0A000000, 9);
    ReferenceProblem problem =
        new ReferenceProblem(
            room("ovs-small", 2), List.of(rule(9, over, 10), rule(8, hidden, 1), rule(7, low, 5)));
    assertThat(problem.packet(2)).as("a packet of a rule that wins none").isEmpty();
    assertThat(BestSubset.of(problem).hardwareTrafficShare()).isEqualTo(15 / 16.0);
  }

  @Test
  void theRefereeSeesAChoiceThatLacksItsCover() {
    SwitchProfile profile = room("ovs-small", 2);
    ReferenceProblem problem =
        new ReferenceProblem(profile, List.of(prefix(8, 100), prefix(16, 1)));
    assertThat(new ReferenceChoice(problem, bits(1), bits()).mismatches(profile, 2000, 1))
        .isPositive();
    assertThat(new ReferenceChoice(problem, bits(0, 1), bits()).mismatches(profile, 2000, 1))
        .isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ovs-small", "3500yl-1.0"})
  void theOptimumIsThatOfATrialOfAllChoices(String name) {
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      List<WeightedRule> rules = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        int mask = random.nextInt(PACKETS);
        TernaryMatch match = TernaryMatch.any();
        match =
            mask == 0
                ? match
                : match.with(HeaderField.IP_DSCP, random.nextInt(PACKETS) & mask, mask);
        rules.add(rule(10 - i, match, random.nextInt(20)));
      }
      ReferenceProblem problem = new ReferenceProblem(room(name, 3), rules);
      double best = BestSubset.of(problem).hardwareTrafficShare();
      assertThat(best).as("seed %s", seed).isEqualTo(trial(problem, rules));
      assertThat(ResidualGreedy.of(problem).hardwareTrafficShare())
          .as("seed %s", seed)
          .isBetween(0.0, best + 1e-9);
    }
  }

  /** Each rule in, covered or out; every packet of the only field. */
  private static double trial(ReferenceProblem problem, List<WeightedRule> rules) {
    double best = 0;
    for (int choice = 0; choice < 729; choice++) {
      int[] states = new int[6];
      for (int i = 0, left = choice; i < 6; i++, left /= 3) {
        states[i] = left % 3;
      }
      double weight = 0;
      double all = 0;
      int used = 0;
      boolean exact = true;
      for (int i = 0; i < 6; i++) {
        all += problem.weight(i);
        weight += states[i] == 1 ? problem.weight(i) : 0;
        used += states[i] == 0 ? 0 : 1;
        exact &= states[i] != 2 || problem.isCovering();
      }
      for (int packet = 0; packet < PACKETS && exact && used <= problem.capacity(); packet++) {
        int winner = -1;
        int found = -1;
        for (int i = 5; i >= 0; i--) {
          TernaryMatch match = rules.get(i).rule().key().match();
          boolean matches =
              ((packet ^ match.value(HeaderField.IP_DSCP)) & match.mask(HeaderField.IP_DSCP)) == 0;
          winner = matches ? i : winner;
          found = matches && states[i] != 0 ? i : found;
        }
        exact = found < 0 || states[found] == 2 || found == winner;
      }
      best = exact && used <= problem.capacity() ? Math.max(best, weight / all) : best;
    }
    return best;
  }

  @ParameterizedTest
  @EnumSource(RuleFamily.class)
  void referencesAreExactForEveryFamily(RuleFamily family) {
    for (int seed = 0; seed < 5; seed++) {
      Random random = new Random(seed);
      SwitchProfile profile = room("ovs-small", 5);
      ReferenceProblem problem =
          new ReferenceProblem(
              profile, RuleFamily.weighted(family.rules(14, random), true, random));
      ReferenceChoice best = BestSubset.of(problem);
      ReferenceChoice greedy = ResidualGreedy.of(problem);
      assertThat(best.mismatches(profile, 2000, seed)).isZero();
      assertThat(greedy.mismatches(profile, 2000, seed)).isZero();
      assertThat(greedy.hardwareTrafficShare())
          .isBetween(0.3 * best.hardwareTrafficShare(), best.hardwareTrafficShare() + 1e-9);
    }
  }

  @Test
  void rulesOfManyWorkWithGreedyToo() {
    Random random = new Random(1);
    SwitchProfile profile = room("ovs-small", 30);
    ReferenceProblem problem =
        new ReferenceProblem(
            profile, RuleFamily.weighted(RuleFamily.FIREWALL.rules(300, random), true, random));
    ReferenceChoice greedy = ResidualGreedy.of(problem);
    assertThat(greedy.mismatches(profile, 5000, 1)).isZero();
    assertThat(greedy.used()).isBetween(20L, 30L);
  }

  private static BitSet bits(int... set) {
    BitSet bits = new BitSet();
    for (int one : set) {
      bits.set(one);
    }
    return bits;
  }
}
