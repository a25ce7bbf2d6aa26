package io.lockstep.placer.profile;

/**
 * Where a layer forwards packets. The controller's own layer is implied after the last layer of a
 * switch.
 */
public enum LayerKind {
  /** At line rate. */
  HARDWARE,
  /** By the switch's processor. */
  SOFTWARE
}
