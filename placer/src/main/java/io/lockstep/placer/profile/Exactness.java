package io.lockstep.placer.profile;

/** The masks of a field that a layer supports. */
public enum Exactness {
  /** All bits or none. */
  EXACT,
  /** A prefix, all bits or none. */
  PREFIX,
  /** Any mask. */
  ANY
}
