package io.lockstep.core.flow.placed;

import io.lockstep.placer.RuleKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Counts in how many read-backs in a row a rule was missing or changed although the switch had
 * confirmed it. A rule that is missing too often counts as not installed. The node keeps sending
 * it, and it counts as installed again once a read-back shows it. Control loop only.
 */
final class FalseConfirmations {
  /** Read-backs in a row; one miss may be an operator who emptied the tables. */
  static final int TOO_OFTEN = 3;

  private final Map<RuleKey, Integer> missed = new HashMap<>();

  /**
   * Ends the count of every rule that a read-back shows.
   *
   * @param missing rules that the read-back does not show
   * @return rules that were reported as missing and are back
   */
  List<RuleKey> present(Set<RuleKey> missing) {
    List<RuleKey> back = new ArrayList<>();
    for (RuleKey key : List.copyOf(missed.keySet())) {
      if (!missing.contains(key)) {
        if (missed.getOrDefault(key, 0) >= TOO_OFTEN) {
          back.add(key);
        }
        missed.remove(key);
      }
    }
    return back;
  }

  /**
   * Counts rules that a read-back does not show.
   *
   * @return rules that are missing in {@link #TOO_OFTEN} read-backs in a row, to be reported once
   */
  List<RuleKey> missing(Set<RuleKey> missing) {
    List<RuleKey> tooOften = new ArrayList<>();
    for (RuleKey key : missing) {
      if (missed.merge(key, 1, Integer::sum) == TOO_OFTEN) {
        tooOften.add(key);
      }
    }
    return tooOften;
  }
}
