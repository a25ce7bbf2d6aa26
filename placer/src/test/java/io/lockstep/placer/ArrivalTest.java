package io.lockstep.placer;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.placer.profile.BuiltInProfiles;
import io.lockstep.placer.profile.Capacity;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules that come one by one are refused only where there is no place for them. */
class ArrivalTest {
  private final Random random = new Random(5);
  private final Map<String, Integer> refused = new TreeMap<>();

  private Placer arrive(SwitchProfile profile, List<WeightedRule> rules) {
    return arrive(profile, rules, (placer, key) -> {});
  }

  private Placer arrive(
      SwitchProfile profile, List<WeightedRule> rules, BiConsumer<Placer, RuleKey> whereRefused) {
    Placer placer = new Placer("s1", profile, PlacerOptions.standard().withControllerServes(false));
    for (WeightedRule rule : rules) {
      Change change = new Change.Add(rule);
      Outcome outcome = placer.plan(change);
      if (outcome instanceof Refusal refusal && refusal.reason() == Refusal.Reason.TOO_MANY_STEPS) {
        outcome = placer.plan(change, Integer.MAX_VALUE);
      }
      if (outcome instanceof Plan plan) {
        placer.confirm(plan, 0);
      } else {
        Refusal refusal = (Refusal) outcome;
        refused.merge(refusal.reason() + " " + refusal.layer(), 1, Integer::sum);
        whereRefused.accept(placer, rule.rule().key());
      }
    }
    assertThat(placer.violations()).isEmpty();
    return placer;
  }

  private int refused() {
    return refused.values().stream().mapToInt(Integer::intValue).sum();
  }

  @ParameterizedTest
  @ValueSource(strings = {"3500yl-1.3", "ovs-small"})
  void noneIsRefusedWhereALaterTableHasNoBound(String profile) {
    for (int seed = 1; seed <= 4; seed++) {
      Random ofRound = new Random(seed);
      RuleSets sets = new RuleSets(ofRound);
      arrive(BuiltInProfiles.get(profile), mixed(sets.fiveTuples(1500, 2, 18, true)));
      assertThat(refused).as("seed %d", seed).isEmpty();
    }
  }

  /** Every third rule matches on a port or an address that tables of hardware do not hold. */
  private List<WeightedRule> mixed(List<WeightedRule> rules) {
    return rules.stream()
        .map(
            one -> {
              Rule rule = one.rule();
              TernaryMatch match = rule.key().match();
              switch (random.nextInt(6)) {
                case 0 -> match = match.with(HeaderField.IN_PORT, 1 + random.nextInt(4));
                case 1 -> match = match.with(HeaderField.ETH_DST, 0xA0 + random.nextInt(4));
                default -> {}
              }
              return new WeightedRule(
                  Rule.of(rule.key().priority(), match, rule.treatment()), one.weight());
            })
        .toList();
  }

  private List<WeightedRule> separate(int count, boolean withPort) {
    return java.util.stream.IntStream.range(0, count)
        .mapToObj(
            i -> {
              TernaryMatch match =
                  TernaryMatch.any()
                      .with(HeaderField.ETH_TYPE, 0x800)
                      .with(HeaderField.IPV4_DST, 0x0a00_0000L + i);
              match = withPort ? match.with(HeaderField.IN_PORT, 1 + i % 24) : match;
              return new WeightedRule(Rule.of(10 + i % 7, match, RuleSets.out(i % 3)), i);
            })
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"2920", "3500yl-1.0"})
  void aSwitchThatDividesItsTableIsFilledToItsLastPlace(String profile) {
    SwitchProfile whole = BuiltInProfiles.get(profile);
    int places = (int) whole.layers().get(0).capacity().units();
    Placer placer = arrive(whole, separate(places + 174, true));
    assertThat(placer.usedIn(0)).isEqualTo(places);
    assertThat(refused()).isEqualTo(174);
  }

  /**
   * The switch, not the node, decides what is in its hardware, which wins over its software. So a
   * rule that hardware holds cannot be below one that only software holds, and wins packets of it.
   */
  @ParameterizedTest
  @ValueSource(strings = {"2920", "3500yl-1.0"})
  void withRoomInHardwareOnlyWhatHardwareWouldServeWronglyIsRefused(String name) {
    SwitchProfile profile = BuiltInProfiles.get(name);
    int[] below = new int[1];
    int[] above = new int[1];
    for (int seed = 1; seed <= 4; seed++) {
      List<WeightedRule> rules = partlyOfSoftware(new Random(seed), 400);
      Placer placer =
          arrive(
              profile,
              rules,
              (there, key) -> {
                boolean ofHardware = profile.holds(0, key.match(), 0);
                assertThat(there.usedIn(0)).as("used").isLessThan(there.capacityOf(0));
                assertThat(overlapped(there, key, ofHardware))
                    .as("%s, which hardware holds: %s", key, ofHardware)
                    .isNotEmpty();
                (ofHardware ? below : above)[0]++;
              });
      assertThat(placer.image().rules()).hasSizeGreaterThan(rules.size() / 2);
    }
    System.out.printf(
        "%s: of 1600 rules refused with room: %d below, %d above what the other half serves%n",
        name, below[0], above[0]);
    assertThat(below[0]).isPositive();
    assertThat(above[0]).isPositive();
  }

  /**
   * Rules that share packets with one that does not fit: for one of hardware those above in
   * software, for one of software those below in hardware.
   */
  private static List<RuleKey> overlapped(Placer placer, RuleKey key, boolean ofHardware) {
    return placer.image().rules().stream()
        .map(known -> known.rule().key())
        .filter(other -> other.match().overlaps(key.match()))
        .filter(
            other ->
                ofHardware
                    ? other.priority() > key.priority() && placer.layerOf(other) == 1
                    : other.priority() < key.priority() && placer.layerOf(other) == 0)
        .toList();
  }

  /** Rules at a port for networks, in any order; each eighth also has a MAC address. */
  private static List<WeightedRule> partlyOfSoftware(Random random, int count) {
    List<WeightedRule> rules = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      TernaryMatch match =
          TernaryMatch.any()
              .with(HeaderField.IN_PORT, 1 + random.nextInt(8))
              .with(HeaderField.ETH_TYPE, 0x800)
              .withPrefix(
                  HeaderField.IPV4_DST, 0x0a00_0000L | random.nextInt(1 << 24), 10 + i % 15);
      match = i % 8 == 0 ? match.with(HeaderField.ETH_DST, 0xA0 + random.nextInt(2)) : match;
      rules.add(new WeightedRule(Rule.of(10 + i, match, RuleSets.out(i % 3)), i));
    }
    Collections.shuffle(rules, random);
    return rules;
  }

  @Test
  void twoBoundedTablesTakeNearlyAllThatFits() {
    int rules = 950;
    for (int round = 0; round < 3; round++) {
      refused.clear();
      SwitchProfile profile =
          BuiltInProfiles.get("ovs-small")
              .withCapacity(0, Capacity.ofEntries(500), 0)
              .withCapacity(1, Capacity.ofEntries(500), 0);
      RuleSets sets = new RuleSets(random, 40, 12);
      Placer placer = arrive(profile, sets.fiveTuples(rules, 8, 24, true));
      assertThat(refused()).as("%s", refused).isLessThanOrEqualTo(rules / 100);
      assertThat(placer.usedIn(0) + placer.usedIn(1)).isGreaterThanOrEqualTo(rules * 99 / 100);
    }
  }

  /** The new rule must be before one that is in the first table, and no table has two places. */
  @Test
  void aRuleMovesWhereThatMakesRoomForAnother() {
    SwitchProfile profile =
        BuiltInProfiles.get("ovs-small")
            .withCapacity(0, Capacity.ofEntries(2), 0)
            .withCapacity(1, Capacity.ofEntries(2), 0);
    TernaryMatch ip = TernaryMatch.any().with(HeaderField.ETH_TYPE, 0x800);
    List<WeightedRule> rules = new ArrayList<>();
    for (int net = 1; net <= 3; net++) {
      TernaryMatch match = ip.withPrefix(HeaderField.IPV4_DST, (long) net << 24, 8);
      rules.add(new WeightedRule(Rule.of(10, match, RuleSets.out(1)), net));
    }
    TernaryMatch narrow = ip.withPrefix(HeaderField.IPV4_DST, 0x0201_0000L, 16);
    rules.add(new WeightedRule(Rule.of(20, narrow, RuleSets.out(2)), 9));
    Placer placer = arrive(profile, rules);
    assertThat(refused).isEmpty();
    assertThat(placer.usedIn(0) + placer.usedIn(1)).isEqualTo(4);
  }
}
