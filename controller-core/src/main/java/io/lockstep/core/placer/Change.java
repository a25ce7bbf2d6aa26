package io.lockstep.core.placer;

import io.lockstep.store.Bytes;
import java.util.List;

/** What somebody wants of the placer. */
public sealed interface Change {
  /** The first rules of a switch with nothing of ours in it. */
  record Fill(List<Wanted> rules) implements Change {
    public Fill {
      rules = List.copyOf(rules);
    }
  }

  /** A new rule. */
  record Add(Wanted wanted) implements Change {}

  /** A rule goes. */
  record Remove(RuleKey key) implements Change {}

  /** A rule treats its packets otherwise. */
  record Treat(RuleKey key, Bytes treatment) implements Change {}

  /** A rule gets another priority. */
  record Reprioritize(RuleKey key, int priority) implements Change {}

  /** Rules move to where their traffic wants them; nothing visible. */
  record Improve() implements Change {}

  /** What an abandoned plan left behind goes; nothing visible. */
  record Tidy() implements Change {}

  /** A layer gets another capacity; its rules move out before it shrinks. */
  record Resize(int layer, long units) implements Change {}
}
