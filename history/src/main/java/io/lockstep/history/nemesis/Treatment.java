package io.lockstep.history.nemesis;

/** What happens to what goes from one replica to another. */
enum Treatment {
  /** It goes through. */
  PASS,
  /** It waits, and goes through when the fault ends. */
  HOLD,
  /** It is gone. */
  DROP,
  /** It goes through later, by up to the delay. */
  DELAY,
  /** It goes through later, by the delay. */
  LATE
}
