package io.lockstep.placer;

import io.lockstep.store.Bytes;
import java.util.List;

/** What somebody wants of the placer. */
public sealed interface Change {
  /**
   * One method for each kind. A class that lacks the method for a new kind does not compile.
   *
   * @param <C> what the methods get beside the change
   * @param <X> what they may throw
   */
  interface Visitor<C, X extends Exception> {
    void fill(Fill change, C context) throws X;

    void add(Add change, C context) throws X;

    void remove(Remove change, C context) throws X;

    void treat(Treat change, C context) throws X;

    void reprioritize(Reprioritize change, C context) throws X;

    void improve(Improve change, C context) throws X;

    void tidy(Tidy change, C context) throws X;

    void resize(Resize change, C context) throws X;
  }

  /** Calls the method for this kind of change. */
  <C, X extends Exception> void accept(Visitor<C, X> visitor, C context) throws X;

  /** The first rules of a switch with nothing of ours in it. */
  record Fill(List<WeightedRule> rules) implements Change {
    public Fill {
      rules = List.copyOf(rules);
    }

    @Override
    public <C, X extends Exception> void accept(Visitor<C, X> visitor, C context) throws X {
      visitor.fill(this, context);
    }
  }

  /** A new rule. */
  record Add(WeightedRule wanted) implements Change {
    @Override
    public <C, X extends Exception> void accept(Visitor<C, X> visitor, C context) throws X {
      visitor.add(this, context);
    }
  }

  /** A rule goes. */
  record Remove(RuleKey key) implements Change {
    @Override
    public <C, X extends Exception> void accept(Visitor<C, X> visitor, C context) throws X {
      visitor.remove(this, context);
    }
  }

  /** A rule treats its packets otherwise. */
  record Treat(RuleKey key, Bytes treatment) implements Change {
    @Override
    public <C, X extends Exception> void accept(Visitor<C, X> visitor, C context) throws X {
      visitor.treat(this, context);
    }
  }

  /** A rule gets another priority. */
  record Reprioritize(RuleKey key, int priority) implements Change {
    @Override
    public <C, X extends Exception> void accept(Visitor<C, X> visitor, C context) throws X {
      visitor.reprioritize(this, context);
    }
  }

  /** Rules move to where their traffic wants them; nothing visible. */
  record Improve() implements Change {
    @Override
    public <C, X extends Exception> void accept(Visitor<C, X> visitor, C context) throws X {
      visitor.improve(this, context);
    }
  }

  /** What an abandoned plan left behind goes; nothing visible. */
  record Tidy() implements Change {
    @Override
    public <C, X extends Exception> void accept(Visitor<C, X> visitor, C context) throws X {
      visitor.tidy(this, context);
    }
  }

  /** A layer gets another capacity; its rules move out before it shrinks. */
  record Resize(int layer, long units) implements Change {
    @Override
    public <C, X extends Exception> void accept(Visitor<C, X> visitor, C context) throws X {
      visitor.resize(this, context);
    }
  }
}
