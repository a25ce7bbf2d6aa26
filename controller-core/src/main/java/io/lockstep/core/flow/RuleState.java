package io.lockstep.core.flow;

/**
 * The state of an intended rule at its switch.
 *
 * @param intentVersion the version of the intention that the state belongs to, and to no other
 * @param installed whether the switch has the rule; else the rule was refused
 * @param error why the rule was refused, readable; where the switch has the rule and the intention
 *     is to remove it, why the removal was refused; else empty
 * @param epoch under which the master wrote this
 */
record RuleState(long intentVersion, boolean installed, String error, long epoch) {}
