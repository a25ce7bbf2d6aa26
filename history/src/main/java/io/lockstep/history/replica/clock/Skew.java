package io.lockstep.history.replica.clock;

/**
 * How a clock differs from the machine's: a line through the reading at the moment it was set.
 * Immutable.
 *
 * @param baseReal the machine's reading when it was set
 * @param baseShown what the clock showed then
 * @param millionths by which it is too fast, or too slow where negative
 */
record Skew(long baseReal, long baseShown, long millionths) {
  private static final long MILLION = 1_000_000;

  /** A clock that shows the machine's time. */
  static final Skew NONE = new Skew(0, 0, 0);

  /** What the clock shows. */
  long shown(long real) {
    long passed = real - baseReal;
    return baseShown + passed + drift(passed);
  }

  private long drift(long passed) {
    // In two parts, so that days in nanoseconds do not overflow.
    return passed / MILLION * millionths + passed % MILLION * millionths / MILLION;
  }

  /** From now on another drift, after a jump. */
  Skew then(long real, long jump, long newMillionths) {
    return new Skew(real, shown(real) + jump, newMillionths);
  }
}
