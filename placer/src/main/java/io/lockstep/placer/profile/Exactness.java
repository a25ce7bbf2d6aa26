package io.lockstep.placer.profile;

/** Which masks of a field a layer takes. */
public enum Exactness {
  /** All bits or none. */
  EXACT,
  /** The first bits, all or none. */
  PREFIX,
  /** Any. */
  ANY
}
