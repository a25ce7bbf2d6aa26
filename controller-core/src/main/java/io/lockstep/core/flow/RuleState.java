package io.lockstep.core.flow;

/**
 * What became of an intended rule at its switch.
 *
 * @param intentVersion version of the intention this is about; of an older one it says nothing
 * @param installed whether the switch took it; else it was rejected
 * @param error the switch's error, readable; empty where there is none
 * @param epoch under which the master wrote this
 */
record RuleState(long intentVersion, boolean installed, String error, long epoch) {}
