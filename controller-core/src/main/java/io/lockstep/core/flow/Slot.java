package io.lockstep.core.flow;

import io.lockstep.core.flow.placed.LogicalRule;
import io.lockstep.placer.RuleKey;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One priority and match of a placed switch, and all requests for it. The node's own request counts
 * before intended rules, in the order in which they came, and these before an application's soft
 * rule. Control loop only.
 */
final class Slot {
  private static final long MILLIS = 1_000;

  private final RuleKey key;
  private final Map<IntentKey, LogicalRule> intents = new LinkedHashMap<>();

  /** Intended rules whose removal waits until the switch has lost the rule. */
  private final Set<IntentKey> leaving = new LinkedHashSet<>();

  private @Nullable LogicalRule own;
  private @Nullable LogicalRule soft;
  private long bornMillis = -1;
  private long activeMillis = -1;
  private long packets;

  Slot(RuleKey key) {
    this.key = key;
  }

  RuleKey key() {
    return key;
  }

  Map<IntentKey, LogicalRule> intents() {
    return intents;
  }

  Set<IntentKey> leaving() {
    return leaving;
  }

  void setOwn(LogicalRule rule) {
    own = rule;
  }

  @Nullable LogicalRule soft() {
    return soft;
  }

  void setSoft(@Nullable LogicalRule rule) {
    soft = rule;
  }

  /** The request that counts; null if there is none. */
  @Nullable LogicalRule wanted() {
    if (own != null) {
      return own;
    }
    return intents.isEmpty() ? soft : intents.values().iterator().next();
  }

  // ---- time ----

  void born(long millis) {
    bornMillis = millis;
  }

  /** The switch has the rule. */
  void placed(long nowMillis) {
    bornMillis = bornMillis < 0 ? nowMillis : bornMillis;
    activeMillis = activeMillis < 0 ? nowMillis : activeMillis;
  }

  /**
   * The node read the counter of the rule.
   *
   * @param count packets in the layer that serves the rule, or -1 without a counter
   */
  void seen(long count, long nowMillis) {
    boolean met = count > packets || (count >= 0 && count < packets && count > 0);
    packets = count < 0 ? packets : count;
    if (met || activeMillis < 0) {
      activeMillis = nowMillis;
    }
  }

  /** Whether a rule has expired; never before the switch has it. */
  boolean over(LogicalRule rule, long nowMillis) {
    if (bornMillis < 0) {
      return false;
    }
    boolean idle =
        rule.idleSeconds() > 0 && nowMillis - activeMillis >= rule.idleSeconds() * MILLIS;
    boolean old = rule.hardSeconds() > 0 && nowMillis - bornMillis >= rule.hardSeconds() * MILLIS;
    return idle || old;
  }
}
