package io.lockstep.placer;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.placer.choice.Exact;
import io.lockstep.placer.choice.LayerChoice;
import io.lockstep.placer.choice.Policy;
import io.lockstep.placer.oracle.PlainOptimum;
import io.lockstep.placer.profile.BuiltInProfiles;
import io.lockstep.placer.profile.Capacity;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How much traffic the placer gets into hardware, beside the optimum and simpler policies. {@code
 * -Dplacer.instances=N} takes N instances for each line.
 */
class QualityTest {
  private static final int INSTANCES = Integer.getInteger("placer.instances", 40);

  /** The rules of the largest sets of which all subsets are tried. */
  private static final int MOST_RULES = Integer.getInteger("placer.rules", 14);

  private static final boolean REPORT = Boolean.getBoolean("placer.report");

  private static double served(
      SwitchProfile profile, List<WeightedRule> rules, LayerChoice policy) {
    Placer placer = new Placer("s1", profile, PlacerOptions.standard().withPolicy(policy));
    Outcome outcome = placer.plan(new Change.Fill(rules));
    assertThat(outcome).isInstanceOf(Plan.class);
    placer.confirm((Plan) outcome, 0);
    assertThat(placer.violations()).isEmpty();
    return placer.weightIn(0);
  }

  /** Each policy's mean share of the optimum. */
  private static Map<Policy, Double> shares(int percent, boolean zipf, boolean dense) {
    Map<Policy, Double> shares = new EnumMap<>(Policy.class);
    for (int seed = 0; seed < INSTANCES; seed++) {
      Random random = new Random(seed);
      RuleSets sets = new RuleSets(random);
      int count = 10 + random.nextInt(11);
      List<WeightedRule> rules =
          dense ? sets.rules(count, zipf) : sets.fiveTuples(count, 0, 8, zipf);
      SwitchProfile profile =
          BuiltInProfiles.get("ovs-small")
              .withCapacity(0, Capacity.ofEntries(Math.max(1, count * percent / 100)), 0);
      double best = served(profile, rules, Exact::choose);
      for (Policy policy : Policy.values()) {
        // Where even the optimum serves nothing, every policy reaches it.
        double share = best == 0 ? 1 : served(profile, rules, policy) / best;
        shares.merge(policy, share / INSTANCES, Double::sum);
        if (policy == Policy.PLACER) {
          assertThat(share)
              .as("seed %s", seed)
              .isGreaterThanOrEqualTo(
                  served(profile, rules, Policy.FIRST_COME) / Math.max(best, 1e-9));
        }
      }
    }
    return shares;
  }

  @ParameterizedTest(name = "{0} % of the rules, zipf {1}, dense {2}")
  @CsvSource({
    "10,true,true", "10,false,true", "25,true,true", "25,false,true", "50,true,true",
    "50,false,true", "10,true,false", "10,false,false", "25,true,false", "25,false,false",
    "50,true,false", "50,false,false"
  })
  void nearTheOptimumAndFarAboveFirstCome(int percent, boolean zipf, boolean dense) {
    Map<Policy, Double> shares = shares(percent, zipf, dense);
    assertThat(shares.getOrDefault(Policy.PLACER, 0.0)).isBetween(0.98, 1.0 + 1e-9);
    assertThat(shares.getOrDefault(Policy.PLACER, 0.0))
        .isGreaterThanOrEqualTo(shares.getOrDefault(Policy.COVER_ONLY, 0.0));
    assertThat(shares.getOrDefault(Policy.PLACER, 0.0))
        .isGreaterThanOrEqualTo(shares.getOrDefault(Policy.CLOSURE_ONLY, 0.0));
    // Of twenty rules that overlap each other, not even the optimum always serves twice as much.
    if (zipf && percent <= 25 && !dense) {
      assertThat(shares.getOrDefault(Policy.PLACER, 0.0))
          .isGreaterThan(1.5 * shares.getOrDefault(Policy.FIRST_COME, 0.0));
    }
  }

  @ParameterizedTest(name = "{0} % of the rules")
  @CsvSource({"10", "25"})
  void servesTwiceTheTrafficOfFirstCome(int percent) {
    Map<Policy, Double> served = new EnumMap<>(Policy.class);
    for (int seed = 0; seed < 4; seed++) {
      List<WeightedRule> rules = new RuleSets(new Random(seed)).fiveTuples(500, 4, 12, true);
      SwitchProfile profile =
          BuiltInProfiles.get("ovs-small").withCapacity(0, Capacity.ofEntries(5L * percent), 0);
      for (Policy policy :
          List.of(Policy.PLACER, Policy.COVER_ONLY, Policy.CLOSURE_ONLY, Policy.FIRST_COME)) {
        served.merge(policy, served(profile, rules, policy), Double::sum);
      }
    }
    assertThat(served.getOrDefault(Policy.PLACER, 0.0))
        .isGreaterThan(2 * served.getOrDefault(Policy.FIRST_COME, 0.0));
    assertThat(served.getOrDefault(Policy.PLACER, 0.0))
        .isGreaterThanOrEqualTo(served.getOrDefault(Policy.COVER_ONLY, 0.0));
    assertThat(served.getOrDefault(Policy.PLACER, 0.0))
        .isGreaterThanOrEqualTo(served.getOrDefault(Policy.CLOSURE_ONLY, 0.0));
  }

  private static WeightedRule prefix(int priority, long address, int bits, double weight) {
    TernaryMatch match =
        TernaryMatch.any()
            .with(HeaderField.ETH_TYPE, 0x800)
            .with(HeaderField.IPV4_DST, address, -1L << (32 - bits) & 0xFFFF_FFFFL);
    return new WeightedRule(Rule.of(priority, match, RuleSets.out(priority)), weight);
  }

  /** A network of 256, another one, and two wider networks around the first, with their traffic. */
  private static double nested(int places, double in, double other, double wide, double widest) {
    List<WeightedRule> rules =
        List.of(
            prefix(5, 0x0A01_0000, 24, in),
            prefix(4, 0x0B00_0000, 24, other),
            prefix(3, 0x0A01_0000, 16, wide),
            prefix(2, 0x0A00_0000, 8, widest));
    SwitchProfile profile =
        BuiltInProfiles.get("ovs-small").withCapacity(0, Capacity.ofEntries(places), 0);
    return served(profile, rules, Policy.PLACER);
  }

  /**
   * The heaviest rule needs a cover. With the rule of that cover, which costs nothing beside the
   * first choice, it would need one of the rules that have to leave.
   */
  @Test
  void whatComesAlongForNothingDoesNotKeepALightRuleIn() {
    assertThat(nested(2, 17, 10, 1, 28)).isEqualTo(28);
  }

  /** The widest rule needs the entry of a light rule, which keeps another one in for itself. */
  @Test
  void aRuleThatBecomesACoverSetsFreeWhatItNeeded() {
    assertThat(nested(3, 12, 30, 11, 23.5)).isEqualTo(53.5);
  }

  /**
   * Beside all subsets with the cheapest covers. {@code -Dplacer.report=true} prints what each kind
   * of set reaches.
   */
  @ParameterizedTest
  @EnumSource(SmallSets.class)
  void nearWhatAllSubsetsReach(SmallSets sets) {
    for (boolean zipf : new boolean[] {true, false}) {
      double sum = 0;
      double least = 1;
      for (int seed = 0; seed < INSTANCES; seed++) {
        Random random = new Random(seed);
        int count = MOST_RULES - 6 + random.nextInt(7);
        List<PlainOptimum.Small> rules = sets.rules(count, zipf, random);
        int room = Math.max(1, count * (20 + random.nextInt(31)) / 100);
        SwitchProfile profile =
            BuiltInProfiles.get("ovs-small").withCapacity(0, Capacity.ofEntries(room), 0);
        double best = PlainOptimum.of(rules, room);
        double share =
            best == 0 ? 1 : served(profile, SmallSets.forPlacer(rules), Policy.PLACER) / best;
        assertThat(share).as("%s, zipf %s, seed %s", sets, zipf, seed).isBetween(0.0, 1 + 1e-9);
        if (share < least && REPORT) {
          System.out.printf("%s zipf %s seed %d: %.3f%n", sets, zipf, seed, share);
        }
        sum += share;
        least = Math.min(least, share);
      }
      if (REPORT) {
        System.out.printf(
            "%s zipf %s: mean %.4f, least %.4f%n", sets, zipf, sum / INSTANCES, least);
      }
      assertThat(sum / INSTANCES).as("%s, zipf %s", sets, zipf).isGreaterThanOrEqualTo(0.98);
      assertThat(least).as("%s, zipf %s", sets, zipf).isGreaterThanOrEqualTo(0.90);
    }
  }
}
