package io.lockstep.placer.profile;

/** What a switch does with a rule that no longer fits into a layer. */
public enum Overflow {
  /** Answers with an error. */
  REJECT,
  /** Puts it into the next layer, and does not say so. */
  SPILL
}
