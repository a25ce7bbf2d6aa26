package io.lockstep.bench.history.replica;

/** In which way a store is broken on purpose. */
public enum Breakage {
  /** It is not. */
  NONE,
  /** Some reads are answered with what the entry was before. */
  STALE_READS,
  /** Some puts are acknowledged and not carried out. */
  LOST_WRITES,
  /** Some puts and increments are carried out a second time, a little later. */
  DOUBLE_APPLY
}
