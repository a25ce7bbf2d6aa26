package io.lockstep.store.engine;

/** How {@link OrderingReplica#stepDown} ended. */
public enum StepDownOutcome {
  /** Another replica leads, or is about to. */
  FOLLOWS,
  /** This replica leads, and no other that takes part is more willing. */
  NO_SUCCESSOR,
  /** The replica stopped first. */
  STOPPED
}
