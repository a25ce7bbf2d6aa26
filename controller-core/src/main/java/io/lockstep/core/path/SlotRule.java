package io.lockstep.core.path;

/**
 * What a switch does with the flow's packets that come with the slot's tag.
 *
 * @param nextTag the tag with which they leave; 0 for none
 * @param outPort where they leave
 */
record SlotRule(PathSlot slot, int nextTag, long outPort) {}
