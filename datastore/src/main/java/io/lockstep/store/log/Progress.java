package io.lockstep.store.log;

import java.util.Comparator;

/**
 * How far a log has come, of what would survive the loss of power. It only ever grows, whatever
 * crashes, unless an older copy of the log takes its place; decisions that are taken back count as
 * a change.
 *
 * @param changes promises made and decisions taken back
 * @param generation how often the log started over from a peer's snapshot
 * @param durable the last durable instance, -1 where none
 */
public record Progress(long changes, int generation, long durable) implements Comparable<Progress> {
  /** Nothing is known. */
  public static final Progress NONE = new Progress(0, 0, -1);

  /** Further than any log comes. */
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
