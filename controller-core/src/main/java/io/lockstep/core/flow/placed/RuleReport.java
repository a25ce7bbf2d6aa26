package io.lockstep.core.flow.placed;

import java.util.List;

/**
 * Why a rule is where it is, for people and programs; plain values.
 *
 * @param layer a layer's id, "nowhere" for one that can win no packet, "refused" or "waiting"
 * @param sinceMillis since when, in milliseconds since 1970; 0 where no layer has it
 * @param bytesPerSecond its traffic; 0 where the switch does not have the rule, so that its traffic
 *     is not known
 * @param pinned whether the node keeps it in front, however little traffic it has
 * @param rank 1 for the rule with the most traffic, behind those that are pinned
 * @param dependsOn rules above it that match some of its packets; some where there are many
 * @param why sentences
 * @param wouldMove what would move it
 */
public record RuleReport(
    String rule,
    String layer,
    long sinceMillis,
    double bytesPerSecond,
    boolean pinned,
    int rank,
    int rules,
    List<String> dependsOn,
    List<String> why,
    String wouldMove) {
  public RuleReport {
    dependsOn = List.copyOf(dependsOn);
    why = List.copyOf(why);
  }
}
