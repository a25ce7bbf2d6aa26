package io.lockstep.placer;

import io.lockstep.placer.oracle.PlainOptimum;
import io.lockstep.placer.oracle.PlainOptimum.Small;
import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Kinds of small rule sets, for the oracle and for the placer. */
enum SmallSets {
  /** Nested prefixes of a few addresses; the longest wins. */
  CHAINS,
  /** Prefixes as routes have them; the longest wins. */
  PREFIXES,
  /** Two prefixes and perhaps a port, in any order. */
  ACCESS_LISTS,
  /** Any bits, in any order. */
  MASKS,
  /** A prefix and an aligned range of ports, in any order. */
  RANGES;

  private static final int BITS = PlainOptimum.BITS;

  /** The bits of the second field, below those of the first one. */
  private static final int SECOND = 7;

  private static final int PORT = 3;

  /** Different rules, the first of which wins over all others. Rules that win nothing weigh 0. */
  List<Small> rules(int count, boolean zipf, Random random) {
    int[] bases = random.ints(3, 0, 1 << BITS).toArray();
    Set<Small> different = new HashSet<>();
    List<Small> rules = new ArrayList<>();
    while (rules.size() < count) {
      Small rule = rule(bases, random);
      if (different.add(rule)) {
        rules.add(rule);
      }
    }
    if (this == CHAINS || this == PREFIXES) {
      rules.sort(Comparator.comparingInt(rule -> -Integer.bitCount(rule.mask())));
    }
    int winners = PlainOptimum.winners(rules);
    List<Integer> ranks = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      ranks.add(i);
    }
    Collections.shuffle(ranks, random);
    List<Small> weighted = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double weight = zipf ? 1000.0 / ranks.get(i) : 1 + random.nextInt(3);
      weighted.add(
          new Small(
              rules.get(i).value(), rules.get(i).mask(), (winners >> i & 1) == 0 ? 0 : weight));
    }
    return weighted;
  }

  private Small rule(int[] bases, Random random) {
    int mask =
        switch (this) {
          case CHAINS -> prefix(random.nextInt(BITS + 1), BITS);
          case PREFIXES -> prefix(1 + random.nextInt(8), BITS);
          case ACCESS_LISTS ->
              prefix(random.nextInt(4), BITS - SECOND) << SECOND
                  | prefix(random.nextInt(4), SECOND - PORT) << PORT
                  | (random.nextBoolean() ? (1 << PORT) - 1 : 0);
          case MASKS -> mask(random);
          case RANGES ->
              prefix(random.nextInt(4), BITS - SECOND) << SECOND
                  | prefix(random.nextInt(6), SECOND);
        };
    int base = this == CHAINS ? bases[random.nextInt(bases.length)] : random.nextInt();
    return new Small(base & mask, mask, 0);
  }

  /** Each bit with a probability of a quarter. */
  private static int mask(Random random) {
    int half = random.nextInt(1 << BITS);
    return half & random.nextInt(1 << BITS);
  }

  private static int prefix(int fixed, int width) {
    return ((1 << width) - 1) & ~((1 << (width - fixed)) - 1);
  }

  /** The same rules for the placer. */
  static List<WeightedRule> forPlacer(List<Small> rules) {
    List<WeightedRule> wanted = new ArrayList<>();
    for (int i = 0; i < rules.size(); i++) {
      Small rule = rules.get(i);
      TernaryMatch match =
          TernaryMatch.any()
              .with(HeaderField.ETH_TYPE, 0x800)
              .with(
                  HeaderField.IPV4_DST,
                  (long) (rule.value() >> SECOND) << SECOND,
                  (long) (rule.mask() >> SECOND) << SECOND)
              .with(
                  HeaderField.IPV4_SRC,
                  rule.value() & ((1 << SECOND) - 1),
                  rule.mask() & ((1 << SECOND) - 1));
      wanted.add(
          new WeightedRule(Rule.of(rules.size() - i, match, RuleSets.out(i)), rule.weight()));
    }
    return wanted;
  }
}
