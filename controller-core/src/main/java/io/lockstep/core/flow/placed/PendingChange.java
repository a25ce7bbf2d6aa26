package io.lockstep.core.flow.placed;

import io.lockstep.placer.LogicalChange;
import io.lockstep.placer.Rule;
import io.lockstep.placer.RuleKey;
import org.jspecify.annotations.Nullable;

/** A change of the ledger that a plan makes; the store has it before the plan's first step. */
sealed interface PendingChange {
  /**
   * One method for each kind. A class that lacks the method for a new kind does not compile.
   *
   * @param <C> what the methods get beside the change
   */
  interface Visitor<C> {
    void put(Put change, C context);

    void drop(Drop change, C context);

    void live(Live change, C context);

    void resize(Resize change, C context);
  }

  /** Calls the method for this kind of change. */
  <C> void accept(Visitor<C> visitor, C context);

  /** This change as the placer states it. */
  LogicalChange logical();

  /** The row that this change puts; null where it puts none. */
  default @Nullable PlacedRow row() {
    return null;
  }

  /** The switch gets a rule, or the rule gets another treatment. */
  record Put(PlacedRow row) implements PendingChange {
    @Override
    public <C> void accept(Visitor<C> visitor, C context) {
      visitor.put(this, context);
    }

    @Override
    public LogicalChange logical() {
      return new LogicalChange.Put(new Rule(row.key(), row.treatment()), row.weight(), row.live());
    }
  }

  /** The switch loses a rule. */
  record Drop(RuleKey key) implements PendingChange {
    @Override
    public <C> void accept(Visitor<C> visitor, C context) {
      visitor.drop(this, context);
    }

    @Override
    public LogicalChange logical() {
      return new LogicalChange.Drop(key);
    }
  }

  /** A rule can win a packet, or cannot, other than before. */
  record Live(RuleKey key, boolean live) implements PendingChange {
    @Override
    public <C> void accept(Visitor<C> visitor, C context) {
      visitor.live(this, context);
    }

    @Override
    public LogicalChange logical() {
      return new LogicalChange.Live(key, live);
    }
  }

  /** A layer has another capacity. */
  record Resize(int layer, long units) implements PendingChange {
    @Override
    public <C> void accept(Visitor<C> visitor, C context) {
      visitor.resize(this, context);
    }

    @Override
    public LogicalChange logical() {
      return new LogicalChange.Resize(layer, units);
    }
  }
}
