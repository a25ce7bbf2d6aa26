package io.lockstep.placer.profile;

/** What a switch does with a rule that no longer fits into a layer. */
public enum Overflow {
  /** The switch answers with an error. */
  REJECT,
  /** The switch puts it into the next layer, and reports nothing. */
  SPILL
}
