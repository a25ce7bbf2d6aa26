package io.lockstep.placer.oracle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The most traffic that one table with room for some entries can serve, by trying all subsets of
 * the rules, each with the fewest covers of single rules that make it right. It looks at every
 * packet of a small space, and shares no code with the placer.
 */
public final class PlainOptimum {
  /** The bits of a packet. */
  public static final int BITS = 12;

  /**
   * A rule of the small space; the first of a list wins.
   *
   * @param value bits that a packet must have
   * @param mask of the bits that count
   * @param weight traffic
   */
  public record Small(int value, int mask, double weight) {
    /** Whether a packet matches. */
    public boolean matches(int packet) {
      return ((packet ^ value) & mask) == 0;
    }
  }

  private final double[] weights;
  private final Integer[] heaviestFirst;

  /** The sets of rules that some packet matches, a bit each; the lowest bit wins the packet. */
  private final int[] packets;

  private double best;

  private PlainOptimum(List<Small> rules) {
    packets = kinds(rules);
    weights = rules.stream().mapToDouble(Small::weight).toArray();
    heaviestFirst = new Integer[weights.length];
    Arrays.setAll(heaviestFirst, i -> i);
    Arrays.sort(heaviestFirst, Comparator.comparingDouble(rule -> -weights[rule]));
  }

  private static int[] kinds(List<Small> rules) {
    Set<Integer> kinds = new HashSet<>();
    for (int packet = 0; packet < 1 << BITS; packet++) {
      int matching = 0;
      for (int rule = 0; rule < rules.size(); rule++) {
        matching |= rules.get(rule).matches(packet) ? 1 << rule : 0;
      }
      kinds.add(matching);
    }
    return kinds.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The rules that win some packet, a bit each. */
  public static int winners(List<Small> rules) {
    int winners = 0;
    for (int packet : kinds(rules)) {
      winners |= Integer.lowestOneBit(packet);
    }
    return winners;
  }

  /**
   * The most traffic.
   *
   * @param rules at most 30, the one that wins over all others first
   * @param room entries
   */
  public static double of(List<Small> rules, int room) {
    PlainOptimum optimum = new PlainOptimum(rules);
    optimum.decide(0, 0, 0, room);
    return optimum.best;
  }

  private void decide(int at, int chosen, double weight, int room) {
    if (weight > best && fits(chosen, room)) {
      best = weight;
    }
    double bound = weight;
    for (int i = at; i < Math.min(weights.length, at + room); i++) {
      bound += weights[heaviestFirst[i]];
    }
    if (at == weights.length || room == 0 || bound <= best) {
      return;
    }
    int rule = heaviestFirst[at];
    decide(at + 1, chosen | 1 << rule, weight + weights[rule], room - 1);
    decide(at + 1, chosen, weight, room);
  }

  /** Whether so many covers suffice. */
  private boolean fits(int chosen, int covers) {
    Set<Integer> wanted = new HashSet<>();
    for (int packet : packets) {
      int winner = Integer.lowestOneBit(packet);
      int first = Integer.lowestOneBit(packet & chosen);
      if (first != 0 && first != winner) {
        wanted.add(packet & (first - 1)); // one of these must have a cover
      }
    }
    List<Integer> least = new ArrayList<>();
    for (int one : wanted) {
      if (wanted.stream().noneMatch(other -> other != one && (other & one) == other)) {
        least.add(one);
      }
    }
    least.sort(Comparator.comparingInt(Integer::bitCount));
    return hit(least, 0, covers);
  }

  private static boolean hit(List<Integer> wanted, int covered, int covers) {
    for (int one : wanted) {
      if ((one & covered) == 0) {
        for (int rest = covers == 0 ? 0 : one; rest != 0; rest &= rest - 1) {
          if (hit(wanted, covered | Integer.lowestOneBit(rest), covers - 1)) {
            return true;
          }
        }
        return false;
      }
    }
    return true;
  }
}
