package io.lockstep.placer.profile;

/** The ways in which an entry of a layer can send packets on without treating them. */
public enum Cover {
  /** To the next table: goto-table, OpenFlow 1.3.5 section 5.9. */
  GOTO,
  /** To the controller; only in the switch's last layer, where it is the next one. */
  CONTROLLER,
  /**
   * No cover: a rule that overlaps another one from above must itself be in the layer, or in an
   * earlier one.
   */
  NONE
}
