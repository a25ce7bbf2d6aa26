package io.lockstep.placer;

import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Kinds of rule sets that fill whole switches. More specific rules tend to win. */
enum LargeSets {
  /** Nested prefixes of few addresses; the longest wins. */
  CHAINS(0),
  /** Prefixes as a routing table has them; the longest wins. */
  PREFIXES(0),
  /** Pairs of prefixes and exact ports. */
  ACCESS_LISTS(8),
  /** Ranges of addresses, each as the prefixes that it consists of. */
  RANGES(8),
  /** Five fields exact or free, in every combination. */
  MASKS(8),
  /** Pairs of prefixes in any order. */
  FIVE_TUPLES(64);

  private static final TernaryMatch IPV4 = TernaryMatch.any().with(HeaderField.ETH_TYPE, 0x800);

  /** How far the priorities of equally specific matches are apart at random, in bits. */
  private final int noiseBits;

  LargeSets(int noiseBits) {
    this.noiseBits = noiseBits;
  }

  /** Different rules in random order of arrival; the k-th of a random order weighs 1/k. */
  List<WeightedRule> rules(int count, Random random) {
    long[] networks = random.longs(Math.max(3, count / 6), 0, 1L << 32).toArray();
    Set<TernaryMatch> different = new LinkedHashSet<>();
    while (different.size() < count) {
      add(different, networks, random);
    }
    record Ranked(TernaryMatch match, double rank) {}
    List<Ranked> ranked = new ArrayList<>();
    for (TernaryMatch match : List.copyOf(different).subList(0, count)) {
      long bits = TernaryMatch.any().bitsFixedBy(match);
      ranked.add(new Ranked(match, bits + noiseBits * (2 * random.nextDouble() - 1)));
    }
    ranked.sort(Comparator.comparingDouble(Ranked::rank));
    List<WeightedRule> rules = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Rule rule = Rule.of(i + 1, ranked.get(i).match(), RuleSets.out(random.nextInt(7)));
      rules.add(new WeightedRule(rule, 1));
    }
    Collections.shuffle(rules, random);
    return new RuleSets(random).weighted(rules, true);
  }

  private void add(Set<TernaryMatch> matches, long[] networks, Random random) {
    long network = networks[random.nextInt(networks.length)];
    long host = (network & 0xFFFF_0000L) | random.nextInt(1 << 16);
    switch (this) {
      case CHAINS -> matches.add(to(network, 8 + random.nextInt(25)));
      case PREFIXES -> matches.add(to(host, 8 + random.nextInt(13) + random.nextInt(13)));
      case ACCESS_LISTS -> {
        TernaryMatch match =
            to(host, 16 + random.nextInt(17))
                .withPrefix(HeaderField.IPV4_SRC, random.nextLong(1L << 32), random.nextInt(25));
        matches.add(random.nextInt(4) == 0 ? match : port(match, random));
      }
      case RANGES -> range(matches, host, random);
      case MASKS -> matches.add(masks(network, random));
      default -> matches.add(new RuleSets(random).fiveTuple(4, 16));
    }
  }

  private static TernaryMatch to(long address, int bits) {
    return IPV4.withPrefix(HeaderField.IPV4_DST, address, bits);
  }

  private static TernaryMatch port(TernaryMatch match, Random random) {
    return match.with(HeaderField.IP_PROTO, 6).with(HeaderField.L4_DST, 1 + random.nextInt(64));
  }

  private static void range(Set<TernaryMatch> matches, long from, Random random) {
    long to = Math.min(0xFFFF_FFFFL, from + 1 + random.nextInt(1 << (4 + random.nextInt(12))));
    for (long next = from; next <= to; ) {
      int open = next == 0 ? 32 : Math.min(32, Long.numberOfTrailingZeros(next));
      while (next + (1L << open) - 1 > to) {
        open--;
      }
      matches.add(to(next, 32 - open));
      next += 1L << open;
    }
  }

  private static TernaryMatch masks(long network, Random random) {
    TernaryMatch match = IPV4.with(HeaderField.IP_PROTO, 6);
    if (random.nextBoolean()) {
      match = match.withPrefix(HeaderField.IPV4_SRC, (long) random.nextInt(4) << 30, 2);
    }
    if (random.nextInt(8) != 0) {
      match = match.withPrefix(HeaderField.IPV4_DST, network, 24);
    }
    if (random.nextBoolean()) {
      match = match.with(HeaderField.IP_DSCP, random.nextInt(4));
    }
    if (random.nextBoolean()) {
      match = match.with(HeaderField.L4_SRC, 1000 + random.nextInt(4));
    }
    if (random.nextBoolean()) {
      match = match.with(HeaderField.L4_DST, 80 + random.nextInt(8));
    }
    return match;
  }
}
