package io.lockstep.core.flow.placed;

import io.lockstep.placer.Refusal;
import io.lockstep.placer.RuleKey;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Wanted rules that are not in the switch, and why; tried again when room comes. */
final class Refusals {
  /** Rules tried again when a rule goes. */
  private static final int TRIED_AGAIN = 32;

  private record Refused(Refusal refusal, String text) {}

  private final Map<RuleKey, Refused> refused = new HashMap<>();

  /** Whether this is news: the first refusal, or for another reason. */
  boolean add(RuleKey key, Refusal refusal, String text) {
    Refused before = refused.put(key, new Refused(refusal, text));
    return before == null
        || before.refusal().reason() != refusal.reason()
        || !before.refusal().layer().equals(refusal.layer());
  }

  void forget(RuleKey key) {
    refused.remove(key);
  }

  boolean isEmpty() {
    return refused.isEmpty();
  }

  int size() {
    return refused.size();
  }

  @Nullable String text(RuleKey key) {
    Refused known = refused.get(key);
    return known == null ? null : known.text();
  }

  Map<RuleKey, String> texts() {
    Map<RuleKey, String> texts = new HashMap<>();
    refused.forEach((key, one) -> texts.put(key, one.text()));
    return texts;
  }

  /**
   * Rules to retry when room came: at most {@link #TRIED_AGAIN}, from the highest priority down.
   */
  List<RuleKey> worthRetrying() {
    return refused.entrySet().stream()
        .filter(one -> one.getValue().refusal().reason() != Refusal.Reason.REFUSED_BY_SWITCH)
        .map(Map.Entry::getKey)
        .sorted(Comparator.comparingInt((RuleKey key) -> -key.priority()))
        .limit(TRIED_AGAIN)
        .toList();
  }

  /** All refused rules. */
  List<RuleKey> keys() {
    return List.copyOf(refused.keySet());
  }
}
