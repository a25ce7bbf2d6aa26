package io.lockstep.history.replica;

/** In which way a store is broken on purpose. */
public enum Breakage {
  /** It is not. */
  NONE,
  /** Some reads are answered with what the entry was before. */
  STALE_READS,
  /** Some puts are acknowledged and not carried out. */
  LOST_WRITES,
  /** Some puts and increments are carried out a second time, a little later. */
  DOUBLE_APPLY,
  /** Of some batches the last write is acknowledged and not carried out. */
  HALF_BATCHES,
  /** Some scans return a part of the range as it was at an earlier scan. */
  MIXED_SCANS,
  /** Some batches take effect although their guards do not hold. */
  FENCED_WRITES;

  /** Whether it meets operations on single keys, which stand in {@code history.jsonl}. */
  boolean single() {
    return this == STALE_READS || this == LOST_WRITES || this == DOUBLE_APPLY;
  }
}
