package io.lockstep.placer;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A part of what has to be done before a rule that hides others can leave.
 *
 * @param plan gives hidden rules their entries; without steps where none is left that needs some
 * @param homeless hidden rules that no layer takes, each with the reason, the highest first. While
 *     one of them is in the logical table, the rule that hides it cannot leave
 */
public record Preparation(Plan plan, Map<RuleKey, Refusal> homeless) {
  public Preparation {
    homeless = Collections.unmodifiableMap(new LinkedHashMap<>(homeless));
  }
}
