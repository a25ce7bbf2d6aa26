package io.lockstep.core.path;

/**
 * The place of one rule of a path: a switch, and the tag with which the flow's packets come there.
 * A path has one rule at most in each.
 *
 * @param tag a VLAN, or 0 for packets as they come from the host
 */
record PathSlot(long dpid, int tag) {}
