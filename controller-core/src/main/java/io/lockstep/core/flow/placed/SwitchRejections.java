package io.lockstep.core.flow.placed;

import io.lockstep.placer.Refusal;
import io.lockstep.placer.RuleKey;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Requested rules that are not in the switch as requested, each with the reason. The node retries
 * some of them whenever the switch gains room. Control loop only.
 */
final class SwitchRejections {
  /** Rules that one gain of room lets the node retry. */
  private static final int MAX_RETRIES = 32;

  private record Rejection(Refusal refusal, String text) {}

  private final Map<RuleKey, Rejection> rejected = new HashMap<>();

  /** Records a rejection; whether it is the first of the rule, or has another reason or layer. */
  boolean add(RuleKey key, Refusal refusal, String text) {
    Rejection before = rejected.get(key);
    if (before != null
        && before.refusal().reason() == Refusal.Reason.DISPLACED
        && refusal.reason() == Refusal.Reason.NO_ROOM) {
      return false; // That it still has no room says less than what took it.
    }
    rejected.put(key, new Rejection(refusal, text));
    return before == null
        || before.refusal().reason() != refusal.reason()
        || !before.refusal().layer().equals(refusal.layer());
  }

  void forget(RuleKey key) {
    rejected.remove(key);
  }

  boolean isEmpty() {
    return rejected.isEmpty();
  }

  int size() {
    return rejected.size();
  }

  /** Why a rule is not in the switch as requested; null where it is, or waits. */
  @Nullable String text(RuleKey key) {
    Rejection known = rejected.get(key);
    return known == null ? null : known.text();
  }

  Map<RuleKey, String> texts() {
    Map<RuleKey, String> texts = new HashMap<>();
    rejected.forEach((key, one) -> texts.put(key, one.text()));
    return texts;
  }

  /**
   * Rules to retry after the switch gained room: at most {@link #MAX_RETRIES}, from the highest
   * priority down. A rule that the switch itself rejected waits for the periodic retry.
   */
  List<RuleKey> worthRetrying() {
    return rejected.entrySet().stream()
        .filter(one -> one.getValue().refusal().reason() != Refusal.Reason.REFUSED_BY_SWITCH)
        .map(Map.Entry::getKey)
        .sorted(Comparator.comparingInt((RuleKey key) -> -key.priority()))
        .limit(MAX_RETRIES)
        .toList();
  }

  /** All rejected rules. */
  List<RuleKey> keys() {
    return List.copyOf(rejected.keySet());
  }
}
