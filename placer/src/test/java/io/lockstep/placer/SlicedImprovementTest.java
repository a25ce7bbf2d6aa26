package io.lockstep.placer;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.placer.profile.BuiltInProfiles;
import io.lockstep.placer.profile.Capacity;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Improvement in slices against improvement in whole rounds. */
class SlicedImprovementTest {
  private static final int RULES = 1200;
  private static final int PLACES = 150;
  private static final int MOST_ROUNDS = 100;
  private static final int FLOW_MODS = 256;

  private static Placer arrived(List<WeightedRule> rules) {
    SwitchProfile profile =
        BuiltInProfiles.get("ovs-small").withCapacity(0, Capacity.ofEntries(PLACES), 8);
    Placer placer = new Placer("s1", profile, PlacerOptions.standard().withControllerServes(false));
    for (WeightedRule rule : rules) {
      placer.confirm((Plan) placer.plan(new Change.Add(rule), FLOW_MODS), 0);
    }
    return placer;
  }

  private static double wholeRounds(Placer placer) {
    for (int round = 0; round < MOST_ROUNDS; round++) {
      Plan plan = (Plan) placer.plan(new Change.Improve(), FLOW_MODS);
      if (plan.flowMods() == 0) {
        break;
      }
      placer.confirm(plan, 0);
    }
    return placer.weightIn(0);
  }

  /** Carries out one round; returns the positions at which its slices began. */
  private static List<ImprovementPosition> round(Placer placer) {
    List<ImprovementPosition> begun = new ArrayList<>();
    ImprovementPosition from = ImprovementPosition.BEGIN;
    while (from != null) {
      begun.add(from);
      Improvement slice = placer.improve(from, FLOW_MODS);
      placer.confirm(slice.plan(), 0);
      from = slice.next();
    }
    return begun;
  }

  private static double slices(Placer placer) {
    double before = -1;
    for (int round = 0; round < MOST_ROUNDS && placer.weightIn(0) > before; round++) {
      before = placer.weightIn(0);
      round(placer);
    }
    return placer.weightIn(0);
  }

  @ParameterizedTest
  @EnumSource(LargeSets.class)
  void slicesGainAsMuchAsWholeRounds(LargeSets kind) {
    List<WeightedRule> rules = kind.rules(RULES, new Random(5));
    double whole = wholeRounds(arrived(rules));
    Placer sliced = arrived(rules);
    double before = sliced.weightIn(0);
    assertThat(slices(sliced)).isGreaterThan(before).isGreaterThanOrEqualTo(0.98 * whole);
    assertThat(sliced.violations()).isEmpty();
  }

  /** Each rule for a source shares packets with each rule for a destination. */
  @Test
  void aRoundOfRulesThatOverlapManyHasManySlicesAndAnEnd() {
    List<WeightedRule> rules = new ArrayList<>();
    Random random = new Random(6);
    TernaryMatch ip = TernaryMatch.any().with(HeaderField.ETH_TYPE, 0x800);
    for (int i = 0; i < RULES; i++) {
      HeaderField field = i % 2 == 0 ? HeaderField.IPV4_SRC : HeaderField.IPV4_DST;
      Rule rule = Rule.of(1 + i, ip.withPrefix(field, (10L << 24) + (i << 8), 24), RuleSets.out(1));
      rules.add(new WeightedRule(rule, random.nextInt(1000)));
    }
    List<ImprovementPosition> begun = round(arrived(rules));
    assertThat(begun).hasSizeGreaterThan(4).doesNotHaveDuplicates();
  }
}
