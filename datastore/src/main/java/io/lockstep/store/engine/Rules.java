package io.lockstep.store.engine;

import io.lockstep.store.Release;

/**
 * The rules by which all replicas execute ordered requests: their number, which is the version of
 * the cluster ({@link Release}), and the limit of the state. They are part of the state and change
 * by a step of the order ({@link OrderedService#adopt}). So replicas that know several rules follow
 * the same rules at each step, and a log that was written under older rules always leads to the
 * same state.
 *
 * @param number 1 or more; each number stands for one meaning of the requests, which never changes
 * @param stateMegabytes limit of the state, in MiB of memory; 0 for none, as under rules 1
 */
public record Rules(int number, int stateMegabytes) {
  /** The rules of an empty state, and of requests ordered before rules had numbers. */
  public static final Rules FIRST = new Rules(1, 0);

  /** The largest limit of the state, in MiB. */
  public static final int MOST_MEGABYTES = 1 << 20;

  public Rules {
    if (number < 1 || stateMegabytes < 0 || stateMegabytes > MOST_MEGABYTES) {
      throw new IllegalArgumentException("rules " + number + " with " + stateMegabytes + " MB");
    }
  }

  /**
   * The rules to put in force where all replicas can follow these. A new state begins with them.
   * Later the number only grows, up to {@link Release#BASELINE} by itself and further as far as the
   * operator permits it: until then each node can go back to the release before.
   *
   * @param present the rules in force, with a number that is not higher
   * @param begun whether anything was ordered under them
   * @param permitted the newest number that the operator permits; 0 for none
   */
  public Rules next(Rules present, boolean begun, int permitted) {
    if (!begun) {
      return this;
    }
    int most = Math.max(present.number, Math.max(Release.BASELINE, permitted));
    return new Rules(Math.min(number, most), stateMegabytes);
  }

  /** The rules that two replicas can both follow: the lower number, and the smaller limit. */
  public Rules with(Rules other) {
    return new Rules(
        Math.min(number, other.number), Math.min(stateMegabytes, other.stateMegabytes));
  }
}
