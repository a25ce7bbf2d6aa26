package io.lockstep.placer;

import io.lockstep.placer.space.TernaryMatch;
import io.lockstep.store.Bytes;

/**
 * A rule of the logical table.
 *
 * @param key priority and match
 * @param treatment what happens to the packets, in its owner's encoding; compared by equality only
 */
public record Rule(RuleKey key, Bytes treatment) {
  public static Rule of(int priority, TernaryMatch match, Bytes treatment) {
    return new Rule(new RuleKey(priority, match), treatment);
  }
}
