package io.lockstep.placer;

import io.lockstep.placer.profile.Capacity;

/**
 * Why something is not done; nothing of it has been.
 *
 * @param reason the kind
 * @param switchName which switch
 * @param layer which layer, or the controller
 * @param table the OpenFlow table of the layer; -1 for the controller
 * @param rule which rule
 * @param capacity of the layer in units
 * @param used of it
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
    /** A rule above would have to be covered, and cannot. */
    CANNOT_COVER,
    /** It would take more flow-mods than the profile allows. */
    TOO_MANY_STEPS,
    /** Two rules of one priority treat the same packets differently. */
    CONFLICT,
    /** There is no such rule. */
    UNKNOWN_RULE,
    /** The switch said no, and there is no other way. */
    REFUSED_BY_SWITCH
  }

  /** For people. */
  public String message() {
    return message(rule);
  }

  /** For people, where it is the reason why another rule is refused. */
  public String message(RuleKey about) {
    return switchName
        + ", layer "
        + layer
        + (table < 0 ? "" : " (table " + table + ")")
        + ": "
        + about
        + ": "
        + (about.equals(rule) ? "" : "in its way is " + rule + ": ")
        + detail
        + " (capacity "
        + (capacity >= Capacity.UNBOUNDED ? "unbounded" : capacity)
        + " units, "
        + used
        + " used)";
  }
}
