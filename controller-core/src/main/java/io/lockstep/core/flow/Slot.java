package io.lockstep.core.flow;

import io.lockstep.core.flow.placed.LogicalRule;
import io.lockstep.placer.RuleKey;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One priority and match of a placed switch, and all who ask for it: the node itself before
 * intended rules, in the order in which they came, before an application's soft rule. Control loop
 * only.
 */
final class Slot {
  private static final long MILLIS = 1_000;

  private final RuleKey key;
  private final Map<IntentKey, LogicalRule> intents = new LinkedHashMap<>();

  /** Intended rules that wait until the switch is rid of this. */
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

  /** Forgets a soft rule; whether there was one. */
  boolean dropSoft() {
    boolean was = soft != null;
    soft = null;
    return was;
  }

  /** What is wanted of the switch, or null. */
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

  /** It is in the switch. */
  void placed(long nowMillis) {
    bornMillis = bornMillis < 0 ? nowMillis : bornMillis;
    activeMillis = activeMillis < 0 ? nowMillis : activeMillis;
  }

  /**
   * Its counter was read.
   *
   * @param count packets in the layer where it is, or -1 where it has no counter
   */
  void seen(long count, long nowMillis) {
    boolean met = count > packets || (count >= 0 && count < packets && count > 0);
    packets = count < 0 ? packets : count;
    if (met || activeMillis < 0) {
      activeMillis = nowMillis;
    }
  }

  /** Whether a rule's time is over; never before it was placed. */
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
