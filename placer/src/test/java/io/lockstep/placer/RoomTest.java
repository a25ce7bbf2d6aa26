package io.lockstep.placer;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.placer.profile.BuiltInProfiles;
import io.lockstep.placer.profile.Capacity;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How full a switch is when it refuses rules that come one by one. What does not fit within the
 * bound of a change is planned again with a larger one, as the owner of a placer does.
 */
class RoomTest {
  private static final int SEEDS = 3;
  private static final int ENTRIES = 400;
  private static final int LARGER_BOUND = 4096;

  private final Map<String, Integer> refused = new TreeMap<>();

  private Placer arrive(SwitchProfile profile, List<WeightedRule> rules) {
    Placer placer = new Placer("s1", profile, PlacerOptions.standard().withControllerServes(false));
    rules.forEach(rule -> add(placer, rule));
    assertThat(placer.violations()).isEmpty();
    return placer;
  }

  private void add(Placer placer, WeightedRule rule) {
    Outcome outcome = placer.plan(new Change.Add(rule));
    if (outcome instanceof Refusal refusal && refusal.reason() == Refusal.Reason.TOO_MANY_STEPS) {
      outcome = placer.plan(new Change.Add(rule), LARGER_BOUND);
    }
    if (outcome instanceof Plan plan) {
      placer.confirm(plan, 0);
    } else {
      refused.merge(((Refusal) outcome).reason().name(), 1, Integer::sum);
    }
  }

  private int refused() {
    return refused.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Two tables that hold every match, without a reserve. */
  private static SwitchProfile twoTables() {
    Capacity half = Capacity.ofEntries(ENTRIES / 2);
    return BuiltInProfiles.get("ovs-small").withCapacity(0, half, 0).withCapacity(1, half, 0);
  }

  /**
   * The first of some rules, of which so many can win packets. Two tables have room for as many
   * rules as they have entries: with the highest ones in the first table there are no covers.
   */
  private static List<WeightedRule> first(List<WeightedRule> rules, int live) {
    Placement empty = new Placement("s1", twoTables(), treatment -> 0);
    int from = live;
    int to = rules.size();
    while (from < to) {
      int middle = (from + to + 1) / 2;
      List<WeightedRule> some = rules.subList(0, middle);
      int wins = middle - shadowed(empty, some);
      if (wins <= live) {
        from = middle;
      } else {
        to = middle - 1;
      }
    }
    return rules.subList(0, from);
  }

  private static int shadowed(Placement empty, List<WeightedRule> rules) {
    try {
      return RuleSet.shadowed(empty, rules, PlacerOptions.standard().shadowSplits()).size();
    } catch (PlacementRefusedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @EnumSource(LargeSets.class)
  void oneInAHundredIsRefusedWhereTwoTablesGetFullTo95Percent(LargeSets kind) {
    for (int seed = 1; seed <= SEEDS; seed++) {
      refused.clear();
      List<WeightedRule> all = kind.rules(3 * ENTRIES, new Random(seed));
      List<WeightedRule> rules = first(all, ENTRIES * 95 / 100);
      arrive(twoTables(), rules);
      assertThat(refused())
          .as("seed %d, %d rules: %s", seed, rules.size(), refused)
          .isLessThanOrEqualTo(ENTRIES / 100);
    }
  }

  /** Rules leave and come while the placer moves others with their traffic. */
  @ParameterizedTest
  @EnumSource(LargeSets.class)
  void norWhereRulesComeAndLeave(LargeSets kind) {
    Random random = new Random(11);
    List<WeightedRule> all = kind.rules(4 * ENTRIES, random);
    List<WeightedRule> present = new ArrayList<>(first(all, ENTRIES * 95 / 100));
    List<WeightedRule> absent = new ArrayList<>(all.subList(present.size(), all.size()));
    Placer placer = arrive(twoTables(), present);
    refused.clear();
    int arrivals = 0;
    for (int i = 0; i < ENTRIES && i < absent.size(); i++) {
      if (i % 20 == 0 && placer.plan(new Change.Improve()) instanceof Plan plan) {
        placer.confirm(plan, 0);
      }
      WeightedRule gone = present.remove(random.nextInt(present.size()));
      RuleKey key = gone.rule().key();
      if (placer.plan(new Change.Remove(key), LARGER_BOUND) instanceof Plan plan) {
        placer.confirm(plan, 0);
        present.add(absent.get(i));
        add(placer, absent.get(i));
        arrivals++;
      }
    }
    assertThat(placer.violations()).isEmpty();
    assertThat(arrivals).isGreaterThan(ENTRIES * 9 / 10);
    assertThat(refused()).as("%s", refused).isLessThanOrEqualTo(arrivals / 100);
  }

  /** Hardware holds some of these rules; the table in software has no bound. */
  @ParameterizedTest
  @EnumSource(LargeSets.class)
  void noneIsRefusedBeforeATableWithoutBound(LargeSets kind) {
    SwitchProfile whole = BuiltInProfiles.get("3500yl-1.3");
    SwitchProfile profile =
        whole.withCapacity(0, Capacity.ofEntries(ENTRIES), whole.layers().get(0).reserveUnits());
    for (int seed = 1; seed <= SEEDS; seed++) {
      arrive(profile, mixed(kind.rules(2 * ENTRIES, new Random(seed)), new Random(seed)));
      assertThat(refused).as("seed %d", seed).isEmpty();
    }
  }

  /** Every third rule matches on a port or an address that hardware does not hold. */
  private static List<WeightedRule> mixed(List<WeightedRule> rules, Random random) {
    List<WeightedRule> mixed = new ArrayList<>();
    for (WeightedRule one : rules) {
      TernaryMatch match = one.rule().key().match();
      match =
          switch (random.nextInt(6)) {
            case 0 -> match.with(HeaderField.IN_PORT, 1 + random.nextInt(4));
            case 1 -> match.with(HeaderField.ETH_DST, 0xA0 + random.nextInt(4));
            default -> match;
          };
      Rule rule = Rule.of(one.rule().key().priority(), match, one.rule().treatment());
      mixed.add(new WeightedRule(rule, one.weight()));
    }
    return mixed;
  }
}
