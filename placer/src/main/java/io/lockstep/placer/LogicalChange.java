package io.lockstep.placer;

import java.util.List;
import java.util.Map;

/**
 * Says what a step changes in the placer's records: in the logical table, or in what the placer
 * knows of its rules and layers.
 */
public sealed interface LogicalChange {
  /**
   * One method for each kind. A class that lacks the method for a new kind does not compile.
   *
   * @param <R> what the methods return
   */
  interface Cases<R> {
    R put(Put put);

    R drop(Drop drop);

    R live(Live live);

    R fill(Fill fill);

    R resize(Resize resize);
  }

  /** Calls the method for this kind. */
  <R> R match(Cases<R> cases);

  /**
   * A rule is added, or gets another treatment.
   *
   * @param live whether it can win a packet
   */
  record Put(Rule rule, double weight, boolean live) implements LogicalChange {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.put(this);
    }
  }

  /** A rule is removed. */
  record Drop(RuleKey key) implements LogicalChange {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.drop(this);
    }
  }

  /** The placer found out whether a rule can win a packet; a rule that cannot needs no entry. */
  record Live(RuleKey key, boolean live) implements LogicalChange {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.live(this);
    }
  }

  /**
   * All rules are added at once; the controller serves them until they are placed.
   *
   * @param shadowed the rules that can win no packet, each with one rule that matches all its
   *     packets, or with itself if that takes several rules
   */
  record Fill(List<WeightedRule> rules, Map<RuleKey, RuleKey> shadowed) implements LogicalChange {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.fill(this);
    }
  }

  /** A layer gets another capacity. */
  record Resize(int layer, long units) implements LogicalChange {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.resize(this);
    }
  }
}
