package io.lockstep.placer;

import io.lockstep.store.Bytes;
import java.util.List;

/** A change that the owner requests from the placer. */
public sealed interface Change {
  /**
   * One method for each kind. A class that lacks the method for a new kind does not compile.
   *
   * @param <C> a further argument of the methods
   * @param <X> an exception of the methods
   */
  interface Visitor<C, X extends Exception> {
    void fill(Fill change, C context) throws X;

    void add(Add change, C context) throws X;

    void remove(Remove change, C context) throws X;

    void treat(Treat change, C context) throws X;

    void reprioritize(Reprioritize change, C context) throws X;

    void improve(Improve change, C context) throws X;

    void relieve(Relieve change, C context) throws X;

    void tidy(Tidy change, C context) throws X;

    void resize(Resize change, C context) throws X;

    void prepare(Prepare change, C context) throws X;
  }

  /** Calls the method for this kind of change. */
  <C, X extends Exception> void accept(Visitor<C, X> visitor, C context) throws X;

  /** The first rules of a switch that holds no entries of this controller. */
  record Fill(List<WeightedRule> rules) implements Change {
    public Fill {
      rules = List.copyOf(rules);
    }

    @Override
    public <C, X extends Exception> void accept(Visitor<C, X> visitor, C context) throws X {
      visitor.fill(this, context);
    }
  }

  /** Adds a rule. */
  record Add(WeightedRule wanted) implements Change {
    @Override
    public <C, X extends Exception> void accept(Visitor<C, X> visitor, C context) throws X {
      visitor.add(this, context);
    }
  }

  /** Removes a rule. */
  record Remove(RuleKey key) implements Change {
    @Override
    public <C, X extends Exception> void accept(Visitor<C, X> visitor, C context) throws X {
      visitor.remove(this, context);
    }
  }

  /** Changes the treatment of a rule. */
  record Treat(RuleKey key, Bytes treatment) implements Change {
    @Override
    public <C, X extends Exception> void accept(Visitor<C, X> visitor, C context) throws X {
      visitor.treat(this, context);
    }
  }

  /** Changes the priority of a rule. */
  record Reprioritize(RuleKey key, int priority) implements Change {
    @Override
    public <C, X extends Exception> void accept(Visitor<C, X> visitor, C context) throws X {
      visitor.reprioritize(this, context);
    }
  }

  /** Moves rules between layers according to their traffic. Invisible to packets. */
  record Improve() implements Change {
    @Override
    public <C, X extends Exception> void accept(Visitor<C, X> visitor, C context) throws X {
      visitor.improve(this, context);
    }
  }

  /**
   * Moves the rules of least worth back where rules use a reserve that should stay free for moves.
   * Invisible to packets.
   */
  record Relieve() implements Change {
    @Override
    public <C, X extends Exception> void accept(Visitor<C, X> visitor, C context) throws X {
      visitor.relieve(this, context);
    }
  }

  /** Deletes the entries that an abandoned plan left behind. Invisible to packets. */
  record Tidy() implements Change {
    @Override
    public <C, X extends Exception> void accept(Visitor<C, X> visitor, C context) throws X {
      visitor.tidy(this, context);
    }
  }

  /** Changes the capacity of a layer; rules move out before it shrinks. */
  record Resize(int layer, long units) implements Change {
    @Override
    public <C, X extends Exception> void accept(Visitor<C, X> visitor, C context) throws X {
      visitor.resize(this, context);
    }
  }

  /**
   * Gives rules that only {@code leaving} hides their entries while it still hides them, the
   * highest first. Invisible to packets. Leaves out a rule that no layer takes: {@link
   * Placer#prepare} says which these are.
   *
   * @param most rules in this plan
   */
  record Prepare(RuleKey leaving, int most) implements Change {
    @Override
    public <C, X extends Exception> void accept(Visitor<C, X> visitor, C context) throws X {
      visitor.prepare(this, context);
    }
  }
}
