package io.lockstep.store.log;

import java.util.Comparator;

/**
 * The durable progress of a log. It only grows, through any crash, unless an older copy of the log
 * replaces it. A truncation counts as a change.
 *
 * @param changes the number of promises and truncations
 * @param generation how often the log started over from a peer's snapshot
 * @param durable the last durable instance, -1 if none
 */
public record Progress(long changes, int generation, long durable) implements Comparable<Progress> {
  /** The progress of an unknown log. */
  public static final Progress NONE = new Progress(0, 0, -1);

  /** A progress beyond that of any log. */
  public static final Progress MOST =
      new Progress(Long.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE);

  private static final Comparator<Progress> ORDER =
      Comparator.comparingLong(Progress::changes)
          .thenComparingInt(Progress::generation)
          .thenComparingLong(Progress::durable);

  @Override
  public String toString() {
    return "instance " + durable + " behind change " + changes + " and generation " + generation;
  }

  @Override
  public int compareTo(Progress other) {
    return ORDER.compare(this, other);
  }
}
