package io.lockstep.placer;

import io.lockstep.placer.space.TernaryMatch;

/**
 * What tells rules of a table apart, and entries of a layer: OpenFlow's strict match.
 *
 * @param priority the higher wins
 * @param match which packets
 */
public record RuleKey(int priority, TernaryMatch match) {
  @Override
  public String toString() {
    return "priority " + priority + " (" + match + ")";
  }
}
