package io.lockstep.placer;

import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import io.lockstep.store.Bytes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Random rule sets in which rules overlap, contain and shadow each other. */
final class RuleSets {
  private final Random random;

  /** Values of a field that occur, and bits of an address: fewer values, more overlaps. */
  private final int values;

  private final int addressBits;

  /** Rules that overlap a lot. */
  RuleSets(Random random) {
    this(random, 3, 4);
  }

  RuleSets(Random random, int values, int addressBits) {
    this.random = random;
    this.values = values;
    this.addressBits = addressBits;
  }

  /** A match over a small space, so that rules meet. */
  TernaryMatch match() {
    TernaryMatch match = TernaryMatch.any();
    if (random.nextInt(3) == 0) {
      match = match.with(HeaderField.IN_PORT, 1 + random.nextInt(values));
    }
    if (random.nextInt(4) == 0) {
      match = match.with(HeaderField.ETH_DST, 0xA0 + random.nextInt(values));
    }
    if (random.nextInt(8) == 0) {
      match = match.with(HeaderField.ETH_SRC, 0xB0 + random.nextInt(2));
    }
    if (random.nextInt(6) == 0) {
      match = match.with(HeaderField.VLAN_VID, 0x1000 + random.nextInt(2));
    }
    if (random.nextInt(10) == 0) {
      match = match.with(HeaderField.VLAN_PCP, random.nextInt(8), 4 + random.nextInt(4));
    }
    if (random.nextInt(3) != 0) {
      match = match.with(HeaderField.ETH_TYPE, 0x800);
      match = prefix(match, HeaderField.IPV4_SRC);
      match = prefix(match, HeaderField.IPV4_DST);
      if (random.nextInt(3) == 0) {
        match = match.with(HeaderField.IP_PROTO, random.nextBoolean() ? 6 : 17);
        if (random.nextBoolean()) {
          match = match.with(HeaderField.L4_DST, random.nextInt(4), 0xFFFC + random.nextInt(4));
        }
      }
    }
    return random.nextInt(40) == 0 ? match.withOpaque("x") : match;
  }

  /** A match on addresses, and perhaps protocol and port, as access lists have them. */
  TernaryMatch fiveTuple(int shortestPrefix, int longestPrefix) {
    int lengths = longestPrefix - shortestPrefix + 1;
    TernaryMatch match =
        TernaryMatch.any()
            .with(HeaderField.ETH_TYPE, 0x800)
            .withPrefix(
                HeaderField.IPV4_SRC,
                random.nextLong(1L << 32),
                shortestPrefix + random.nextInt(lengths))
            .withPrefix(
                HeaderField.IPV4_DST,
                random.nextLong(1L << 32),
                shortestPrefix + random.nextInt(lengths));
    if (random.nextBoolean()) {
      match = match.with(HeaderField.IP_PROTO, random.nextBoolean() ? 6 : 17);
      if (random.nextBoolean()) {
        match = match.with(HeaderField.L4_DST, 1 + random.nextInt(8));
      }
    }
    return match;
  }

  /** Different rules of {@link #fiveTuple} in random order, with traffic. */
  List<WeightedRule> fiveTuples(int count, int shortestPrefix, int longestPrefix, boolean zipf) {
    List<WeightedRule> rules = new ArrayList<>();
    List<Integer> priorities = new ArrayList<>();
    for (int priority = 1; priority <= count; priority++) {
      priorities.add(priority);
    }
    Collections.shuffle(priorities, random);
    for (int priority : priorities) {
      Rule rule =
          Rule.of(priority, fiveTuple(shortestPrefix, longestPrefix), out(random.nextInt(7)));
      rules.add(new WeightedRule(rule, 1));
    }
    return weighted(rules, zipf);
  }

  private TernaryMatch prefix(TernaryMatch match, HeaderField field) {
    int bits = addressBits - Math.min(addressBits, random.nextInt(5));
    long value = (long) random.nextInt(1 << addressBits) << (32 - addressBits);
    return switch (random.nextInt(6)) {
      case 0 -> match.with(field, value);
      case 1 -> match.with(field, value, 0xA000_0000L);
      default -> match.withPrefix(field, value, bits);
    };
  }

  /** A rule whose treatment depends on its priority, so that rules of one priority agree. */
  Rule rule(boolean fiveTuple, int priorities) {
    int priority = 1 + random.nextInt(priorities);
    return Rule.of(priority, fiveTuple ? fiveTuple(0, 5) : match(), out(priority % 7));
  }

  /** A treatment that sends packets out of a port. */
  static Bytes out(int port) {
    return Bytes.utf8("out " + port);
  }

  /** Different rules without contradictions, with traffic. */
  List<WeightedRule> rules(int count, boolean zipf) {
    List<WeightedRule> rules = new ArrayList<>();
    Set<RuleKey> keys = new HashSet<>();
    while (rules.size() < count) {
      Rule rule = rule(false, 4 * count);
      if (keys.add(rule.key())) {
        rules.add(new WeightedRule(rule, 1));
      }
    }
    return weighted(rules, zipf);
  }

  /** The same rules with traffic: uniform, or the k-th of a random order with 1/k. */
  List<WeightedRule> weighted(List<WeightedRule> rules, boolean zipf) {
    List<Integer> ranks = new ArrayList<>();
    for (int i = 1; i <= rules.size(); i++) {
      ranks.add(i);
    }
    Collections.shuffle(ranks, random);
    List<WeightedRule> weighted = new ArrayList<>();
    for (int i = 0; i < rules.size(); i++) {
      double weight = zipf ? 1000.0 / ranks.get(i) : 1 + random.nextInt(3);
      weighted.add(new WeightedRule(rules.get(i).rule(), weight));
    }
    return weighted;
  }
}
