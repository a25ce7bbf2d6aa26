package io.lockstep.store.engine;

/**
 * By what all replicas carry out what is ordered: the number of the rules, and how large the state
 * may become. They are part of the state and change by a step of the order ({@link
 * OrderedService#adopt}), so replicas that know several rules follow the same ones at each step,
 * and a log that was written under older rules leads to the same state for ever.
 *
 * @param number 1 or more; each number stands for one meaning of the requests, which never changes
 * @param stateMegabytes bound on the state, in MiB of memory; 0 for none, as under rules 1
 */
public record Rules(int number, int stateMegabytes) {
  /** What an empty state begins with: what was ordered before rules had numbers followed these. */
  public static final Rules FIRST = new Rules(1, 0);

  /** The largest bound on the state, in MiB. */
  public static final int MOST_MEGABYTES = 1 << 20;

  public Rules {
    if (number < 1 || stateMegabytes < 0 || stateMegabytes > MOST_MEGABYTES) {
      throw new IllegalArgumentException("rules " + number + " with " + stateMegabytes + " MB");
    }
  }

  /** What two replicas can both follow: the older rules, and the smaller state. */
  public Rules with(Rules other) {
    return new Rules(
        Math.min(number, other.number), Math.min(stateMegabytes, other.stateMegabytes));
  }
}
