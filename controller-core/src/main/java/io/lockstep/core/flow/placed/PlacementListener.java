package io.lockstep.core.flow.placed;

import static io.lockstep.core.state.Continuations.logFailure;

import io.lockstep.placer.RuleKey;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;

/**
 * Who requests the rules of a {@link PlacedSwitch}, and follows what became of them. The agent
 * alone calls it, on the control loop.
 */
public interface PlacementListener {
  /** The agent read the switch, and has the rules of the store; it placed no rule yet. */
  void restored(Collection<PlacedRow> rows);

  /** The switch follows these rules now. */
  void placed(Collection<RuleKey> keys);

  /**
   * The rule is not in the switch as it is requested.
   *
   * @return completes on the control loop when every node can know: with true, or with false where
   *     the request changed before, so that the reason is not reported of what is requested now
   */
  CompletableFuture<Boolean> refused(RuleKey key, String why);

  /** The switch still has a rule that no one requests; the node retries the removal. */
  void removalRefused(RuleKey key, String why);

  /** The same as {@link #refused} where a rule with more traffic takes its place. */
  CompletableFuture<Boolean> displaced(RuleKey key, String why);

  /** As {@link #refused} where nothing waits for the report. */
  default void reportRefused(RuleKey key, String why) {
    logFailure("reporting a refused rule", refused(key, why));
  }

  /**
   * The switch does not get all of a group of rules with this one, so an application's request for
   * this one ends.
   */
  void groupRejected(RuleKey key);

  /** The switch does not have the rule any more. */
  void removed(RuleKey key);

  /** The agent read new counters, see {@link PlacementReporter#counters}. */
  void counted();

  /** The id that operators know a rule by; empty where it has none. */
  String idOf(RuleKey key);
}
