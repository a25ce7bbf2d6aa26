package io.lockstep.placer.profile;

/** Where a layer forwards; the controller's own layer is implied behind the last of a switch. */
public enum LayerKind {
  /** At line rate. */
  HARDWARE,
  /** By the switch's processor. */
  SOFTWARE
}
