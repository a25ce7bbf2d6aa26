package io.lockstep.placer.profile;

/** How an entry of a layer can send packets on without treating them. */
public enum Cover {
  /** To the next table: goto-table, OpenFlow 1.3.5 section 5.9. */
  GOTO,
  /** To the controller; only in the switch's last layer, where it is the next one. */
  CONTROLLER,
  /** Not at all: what overlaps a rule from above must be in the layer, or before it, itself. */
  NONE
}
