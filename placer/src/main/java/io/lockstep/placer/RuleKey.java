package io.lockstep.placer;

import io.lockstep.placer.space.TernaryMatch;

/**
 * Identifies a rule of a table, or an entry of a layer: OpenFlow's strict match.
 *
 * @param priority the higher wins
 * @param match the packets
 */
public record RuleKey(int priority, TernaryMatch match) {
  @Override
  public String toString() {
    return "priority " + priority + " (" + match + ")";
  }
}
