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
   * A rule comes, or has another treatment.
   *
   * @param live whether it can win a packet
   */
  record Put(Rule rule, double weight, boolean live) implements LogicalChange {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.put(this);
    }
  }

  /** A rule goes. */
  record Drop(RuleKey key) implements LogicalChange {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.drop(this);
    }
  }

  /** It turned out whether a rule can win a packet; one that cannot takes no entry. */
  record Live(RuleKey key, boolean live) implements LogicalChange {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.live(this);
    }
  }

  /**
   * All rules come at once, served by the controller until they are placed.
   *
   * @param shadowed those that can win no packet, each with a rule that takes all of them, or with
   *     itself where it takes several
   */
  record Fill(List<WeightedRule> rules, Map<RuleKey, RuleKey> shadowed) implements LogicalChange {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.fill(this);
    }
  }

  /** A layer has another capacity. */
  record Resize(int layer, long units) implements LogicalChange {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.resize(this);
    }
  }
}
