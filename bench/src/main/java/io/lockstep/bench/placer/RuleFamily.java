package io.lockstep.bench.placer;

import io.lockstep.placer.Rule;
import io.lockstep.placer.WeightedRule;
import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import io.lockstep.store.Bytes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Kinds of rule sets, in the manner of ClassBench (Taylor and Turner, "ClassBench: a packet
 * classification benchmark", INFOCOM 2005): addresses come from a few networks, prefixes nest,
 * ports are exact, ranges or free in the proportions of the kind. More specific rules tend to come
 * first.
 */
public enum RuleFamily {
  /** Access lists: long destination prefixes, exact destination ports. */
  ACL(new MatchShape.FiveTuples(20, 32, 16, 32, 0.85, 0.75, 0.1)),
  /** Firewalls: free and short prefixes, ranges of ports. */
  FIREWALL(new MatchShape.FiveTuples(0, 24, 8, 32, 0.5, 0.4, 0.35)),
  /** Chains for hosts: pairs of prefixes of all lengths. */
  IP_CHAIN(new MatchShape.FiveTuples(12, 32, 12, 32, 0.7, 0.35, 0.2)),
  /** Pairs of short prefixes at random. */
  RANDOM(new MatchShape.FiveTuples(1, 9, 1, 9, 0.8, 0.5, 0.2)),
  /** Nested destination prefixes of few addresses. */
  CHAINS(new MatchShape.Chains()),
  /** Destination prefixes as a routing table has them. */
  PREFIXES(new MatchShape.Prefixes()),
  /** Ranges of destination addresses, as prefixes. */
  RANGES(new MatchShape.Ranges()),
  /** Fields exact or free in every combination. */
  MASKS(new MatchShape.Masks()),
  /** Ten groups in which any two rules overlap, which takes a placer longest. */
  CLIQUES(new MatchShape.Cliques());

  @SuppressWarnings("ImmutableEnumChecker") // all shapes are records of numbers
  private final MatchShape shape;

  RuleFamily(MatchShape shape) {
    this.shape = shape;
  }

  /** Different rules, in random order of arrival, with a rule for everything at the end. */
  public List<Rule> rules(int count, Random random) {
    return rules(count, random, false);
  }

  /**
   * The same.
   *
   * @param exactPorts whether ports are exact or free, as rules of onos-api have them
   */
  List<Rule> rules(int count, Random random, boolean exactPorts) {
    return rules(shape, count, random, exactPorts);
  }

  /** The same of matches of any shape. */
  static List<Rule> rules(MatchShape shape, int count, Random random, boolean exactPorts) {
    List<TernaryMatch> matches = matches(shape, count - 1, random, exactPorts);
    matches.sort(
        Comparator.comparingDouble(
            match ->
                -Long.bitCount(match.mask(HeaderField.IPV4_SRC))
                    - Long.bitCount(match.mask(HeaderField.IPV4_DST))
                    - Long.bitCount(match.mask(HeaderField.L4_DST))
                    + shape.noiseBits() * noise(match)));
    matches.add(MatchShape.IPV4);
    List<Rule> rules = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rules.add(Rule.of(count - i, matches.get(i), output(random.nextInt(48))));
    }
    Collections.shuffle(rules, random);
    return rules;
  }

  /**
   * The rules where hardware wants a match on some fields: all of them match one and the same value
   * there, as the list of a single port does. They overlap each other as before.
   *
   * @param required fields, a bit each
   */
  static List<Rule> requiring(int required, List<Rule> rules) {
    List<Rule> suited = new ArrayList<>();
    for (Rule rule : rules) {
      TernaryMatch match = rule.key().match();
      for (HeaderField field : HeaderField.values()) {
        if ((required & field.bit()) != 0 && match.mask(field) == 0) {
          match = match.with(field, 1);
        }
      }
      suited.add(Rule.of(rule.key().priority(), match, rule.treatment()));
    }
    return suited;
  }

  /** A treatment that sends packets out of a port. */
  static Bytes output(int port) {
    return Bytes.utf8("output " + port);
  }

  /** Between -1 and 1, and the same for the same match, so that sorting is consistent. */
  private static double noise(TernaryMatch match) {
    return new Random(match.hashCode()).nextDouble() * 2 - 1;
  }

  private static List<TernaryMatch> matches(
      MatchShape shape, int count, Random random, boolean exactPorts) {
    long[] bases = random.longs(shape.networks(count), 0, 1L << 32).toArray();
    Set<TernaryMatch> seen = new HashSet<>(List.of(MatchShape.IPV4));
    List<TernaryMatch> matches = new ArrayList<>();
    while (matches.size() < count) {
      for (TernaryMatch match : shape.next(bases, random, exactPorts)) {
        if (matches.size() < count && seen.add(match)) {
          matches.add(match);
        }
      }
    }
    return matches;
  }

  /** Traffic for rules: equal, or that of the k-th in a random order with 1/k. */
  public static List<WeightedRule> weighted(List<Rule> rules, boolean zipf, Random random) {
    List<Integer> ranks = new ArrayList<>();
    for (int i = 1; i <= rules.size(); i++) {
      ranks.add(i);
    }
    Collections.shuffle(ranks, random);
    List<WeightedRule> weighted = new ArrayList<>();
    for (int i = 0; i < rules.size(); i++) {
      weighted.add(new WeightedRule(rules.get(i), zipf ? 1e6 / ranks.get(i) : 1));
    }
    return weighted;
  }
}
