package io.lockstep.placer;

import java.util.List;

/**
 * Explains why a rule is in its layer.
 *
 * @param rule the rule
 * @param layer the id of its layer, "controller", or "nowhere" for a rule that can win no packet
 * @param sinceMillis since when it is there, in the caller's time
 * @param weight its traffic
 * @param rank 1 for the rule with the most traffic
 * @param rules the number of rules in the table
 * @param dependsOn rules above it; only some of them if there are many
 * @param why a sentence for each earlier layer, and one for its own
 * @param wouldMove a sentence that says what would move it
 */
public record Explanation(
    RuleKey rule,
    String layer,
    long sinceMillis,
    double weight,
    int rank,
    int rules,
    List<RuleKey> dependsOn,
    List<String> why,
    String wouldMove) {
  public Explanation {
    dependsOn = List.copyOf(dependsOn);
    why = List.copyOf(why);
  }
}
