package io.lockstep.bench.placer;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.placer.Change;
import io.lockstep.placer.Placer;
import io.lockstep.placer.PlacerOptions;
import io.lockstep.placer.Plan;
import io.lockstep.placer.Rule;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.WeightedRule;
import io.lockstep.placer.profile.BuiltInProfiles;
import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The entries of a learning switch below an access list, on {@code ovs-small}: which share of their
 * traffic is in hardware, with the match that the learning switch can bear and with the one that
 * the node chooses for IPv4 (adr/0049). The addresses are in the list's networks, and no rule of
 * the list takes all of a pair's packets.
 */
class LearnedUnderListTest {
  private static final int PAIRS = 100;
  private static final int SEEDS = 3;

  /** Of each rule of the list; that of the first pair is a hundred times as much. */
  private static final double LIST_TRAFFIC = 1e4;

  /** The list's rules, above the learning switch, without the last one, for all of IPv4. */
  private static List<Rule> list(int rules, Random random) {
    List<Rule> list = new ArrayList<>();
    for (Rule rule : RuleFamily.ACL.rules(rules, random)) {
      RuleKey key = rule.key();
      if (key.priority() > 1) {
        list.add(Rule.of(100 + key.priority(), key.match(), rule.treatment()));
      }
    }
    return list;
  }

  /** The addresses of two hosts; of every second pair those of one rule, which overlaps it then. */
  private static TernaryMatch addresses(List<Rule> list, boolean oneRule, Random random) {
    while (true) {
      TernaryMatch from = list.get(random.nextInt(list.size())).key().match();
      TernaryMatch to = oneRule ? from : list.get(random.nextInt(list.size())).key().match();
      TernaryMatch drawn =
          TernaryMatch.any()
              .with(HeaderField.ETH_TYPE, 0x0800)
              .with(HeaderField.IPV4_SRC, address(from, HeaderField.IPV4_SRC, random))
              .with(HeaderField.IPV4_DST, address(to, HeaderField.IPV4_DST, random));
      if (list.stream().noneMatch(rule -> rule.key().match().covers(drawn))) {
        return drawn;
      }
    }
  }

  private static long address(TernaryMatch match, HeaderField field, Random random) {
    return match.value(field) | (random.nextLong(1L << 32) & ~match.mask(field));
  }

  private static TernaryMatch stations(int number) {
    return TernaryMatch.any()
        .with(HeaderField.IN_PORT, 1 + number % 48)
        .with(HeaderField.VLAN_VID, 0)
        .with(HeaderField.ETH_SRC, 0x0200_0000_0000L + number)
        .with(HeaderField.ETH_DST, 0x0200_0001_0000L + number);
  }

  private static double traffic(int number) {
    return 1e6 / (number + 1);
  }

  /** The share of the pairs' traffic in hardware. */
  private static double share(boolean narrowed, int rules, long seed) {
    Random random = new Random(seed);
    List<Rule> list = list(rules, random);
    List<WeightedRule> all = new ArrayList<>();
    list.forEach(rule -> all.add(new WeightedRule(rule, LIST_TRAFFIC)));
    List<RuleKey> pairs = new ArrayList<>();
    double sum = 0;
    for (int i = 0; i < PAIRS; i++) {
      TernaryMatch addresses = addresses(list, i % 2 == 0, random);
      TernaryMatch match = stations(i);
      if (narrowed) {
        for (HeaderField field :
            List.of(HeaderField.ETH_TYPE, HeaderField.IPV4_SRC, HeaderField.IPV4_DST)) {
          match = match.with(field, addresses.value(field));
        }
      }
      Rule pair = Rule.of(10, match, RuleFamily.output(i % 48));
      all.add(new WeightedRule(pair, traffic(i)));
      pairs.add(pair.key());
      sum += traffic(i);
    }
    Placer placer = new Placer("s1", BuiltInProfiles.get("ovs-small"), PlacerOptions.standard());
    Plan plan = (Plan) placer.plan(new Change.Fill(all));
    plan.steps().forEach(step -> placer.confirm(step, 0));
    double hardware = 0;
    for (int i = 0; i < PAIRS; i++) {
      hardware += placer.layerOf(pairs.get(i)) == 0 ? traffic(i) : 0;
    }
    return hardware / sum;
  }

  @Test
  void narrowedEntriesAreInHardwareWhereWideOnesAreNot() {
    for (int rules : new int[] {300, 1000}) {
      for (long seed = 1; seed <= SEEDS; seed++) {
        double wide = share(false, rules, seed);
        double narrow = share(true, rules, seed);
        assertThat(wide).as("%s rules, seed %s", rules, seed).isLessThan(0.1);
        assertThat(narrow).as("%s rules, seed %s", rules, seed).isGreaterThan(0.9);
      }
    }
  }
}
