package io.lockstep.placer;

import io.lockstep.placer.profile.Capacity;

/**
 * The reason why the placer does not make a change. No part of the change was made.
 *
 * @param reason the kind
 * @param switchName the switch
 * @param layer the layer, or the controller
 * @param table the OpenFlow table of the layer; -1 for the controller
 * @param rule the rule
 * @param capacity of the layer in units
 * @param used units of the capacity
 * @param detail a sentence
 */
public record Refusal(
    Reason reason,
    String switchName,
    String layer,
    int table,
    RuleKey rule,
    long capacity,
    long used,
    String detail)
    implements Outcome {
  /** Kinds of refusals. */
  public enum Reason {
    /** The layer has no room. */
    NO_ROOM,
    /** The layer cannot hold such a match. */
    CANNOT_HOLD,
    /** A rule above would have to be covered, which is not possible. */
    CANNOT_COVER,
    /** The change would cost more flow-mods than the profile allows. */
    TOO_MANY_STEPS,
    /** Two rules of one priority treat the same packets differently. */
    CONFLICT,
    /** A rule with more traffic took its place. The placer itself never says this. */
    DISPLACED,
    /** The rule does not exist. */
    UNKNOWN_RULE,
    /** The switch refused a step, and there is no other way. */
    REFUSED_BY_SWITCH
  }

  /** The refusal as a sentence. */
  public String message() {
    return message(rule);
  }

  /** The refusal as a sentence, if it is the reason for refusing another rule. */
  public String message(RuleKey about) {
    return switchName
        + ", layer "
        + layer
        + (table < 0 ? "" : " (table " + table + ")")
        + ": "
        + about
        + ": "
        + (about.equals(rule) ? "" : rule + " prevents it: ")
        + detail
        + " (capacity "
        + (capacity >= Capacity.UNBOUNDED ? "unbounded" : capacity)
        + " units, "
        + used
        + " used)";
  }
}
