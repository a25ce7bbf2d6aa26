package io.lockstep.placer;

import java.util.List;

/**
 * Why a rule is where it is.
 *
 * @param rule which
 * @param layer where it is: a layer's id, "controller", or "nowhere" for one that can win no packet
 * @param sinceMillis since when, in the caller's time
 * @param weight its traffic
 * @param rank 1 for the rule with the most traffic
 * @param rules of the table
 * @param dependsOn rules above it, some where there are many
 * @param why a sentence for each layer before, and one for its own
 * @param wouldMove what would move it, as a sentence
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
