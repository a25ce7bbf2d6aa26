package io.lockstep.core.flow.placed;

import io.lockstep.core.flow.placed.LogicalRule.Origin;
import io.lockstep.placer.PlacementImage.Known;
import io.lockstep.placer.Rule;
import io.lockstep.placer.RuleKey;
import io.lockstep.store.Bytes;

/**
 * A rule of a switch's logical table in the store: what a new master needs to go on.
 *
 * @param live whether it can win a packet; else it has no entry
 * @param weight its traffic in bytes per second when a master wrote the row
 * @param bornMillis when the switch got the rule, in milliseconds since 1970
 */
public record PlacedRow(
    RuleKey key,
    Bytes treatment,
    boolean live,
    double weight,
    long bornMillis,
    Origin origin,
    long owner,
    int idleSeconds,
    int hardSeconds) {

  static PlacedRow of(LogicalRule rule, boolean live, double weight, long nowMillis) {
    return new PlacedRow(
        rule.key(),
        rule.treatment(),
        live,
        weight,
        nowMillis,
        rule.origin(),
        rule.owner(),
        rule.idleSeconds(),
        rule.hardSeconds());
  }

  PlacedRow withLive(boolean other) {
    return new PlacedRow(
        key, treatment, other, weight, bornMillis, origin, owner, idleSeconds, hardSeconds);
  }

  /** This row with the treatment, the owner and the time-outs of a rule of the same key. */
  PlacedRow changedTo(LogicalRule rule) {
    return new PlacedRow(
        key,
        rule.treatment(),
        live,
        weight,
        bornMillis,
        rule.origin(),
        rule.owner(),
        rule.idleSeconds(),
        rule.hardSeconds());
  }

  Known known(double presentWeight, long nowMillis) {
    return new Known(new Rule(key, treatment), presentWeight, nowMillis, live);
  }
}
