package io.lockstep.dataplane.flowtable;

/** Which memory of a switch holds a flow entry. A controller is not told. */
public enum Location {
  /** Forwards at line rate. */
  HARDWARE,
  /** Forwards by the switch's processor. */
  SOFTWARE
}
