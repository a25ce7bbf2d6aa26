package io.lockstep.core.path;

/**
 * What became of a change of a path.
 *
 * @param done whether all packets take the new path now
 * @param why not, for people; empty where it is done. The old path serves then, or a newer one
 */
public record PathOutcome(boolean done, String why) {}
