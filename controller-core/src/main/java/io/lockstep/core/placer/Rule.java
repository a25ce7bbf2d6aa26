package io.lockstep.core.placer;

import io.lockstep.core.placer.space.TernaryMatch;

/**
 * A rule of the logical table.
 *
 * @param key priority and match
 * @param treatment what happens to the packets; compared by equality only
 */
public record Rule(RuleKey key, Object treatment) {
  public static Rule of(int priority, TernaryMatch match, Object treatment) {
    return new Rule(new RuleKey(priority, match), treatment);
  }
}
