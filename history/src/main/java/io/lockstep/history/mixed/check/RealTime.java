package io.lockstep.history.mixed.check;

import io.lockstep.history.mixed.Step;
import io.lockstep.history.mixed.Step.ReadEntry;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Between which indices a step took effect, by the clock: not before an index that some answer had
 * named before the step was sent, and not after that of a step that was sent after its answer.
 */
final class RealTime {
  private final long[] floors;
  private final long[] ceilings;

  /**
   * Bounds for all steps.
   *
   * @param indices of the steps as far as they are known, else -1
   */
  RealTime(List<Step> steps, long[] indices) {
    int size = steps.size();
    floors = new long[size];
    ceilings = new long[size];
    Arrays.fill(ceilings, Long.MAX_VALUE);
    Integer[] begun = order(size, Comparator.comparingLong(i -> steps.get(i).startNanos()));
    Integer[] ended = order(size, Comparator.comparingLong(i -> steps.get(i).endNanos()));
    long newest = 0;
    int next = 0;
    for (int i : begun) {
      while (next < size && steps.get(ended[next]).endNanos() < steps.get(i).startNanos()) {
        newest = Math.max(newest, named(steps.get(ended[next++])));
      }
      floors[i] = newest;
    }
    long oldest = Long.MAX_VALUE;
    int last = size - 1;
    for (int at = size - 1; at >= 0; at--) {
      int i = ended[at];
      while (last >= 0 && steps.get(begun[last]).startNanos() > steps.get(i).endNanos()) {
        int later = begun[last--];
        oldest = indices[later] >= 0 ? Math.min(oldest, indices[later]) : oldest;
      }
      ceilings[i] = oldest;
    }
  }

  private static Integer[] order(int size, Comparator<Integer> by) {
    return IntStream.range(0, size).boxed().sorted(by).toArray(Integer[]::new);
  }

  /** The greatest index that its answer names; 0 where it names none. */
  private static long named(Step step) {
    Long index = step.index();
    long named = index == null ? 0 : index;
    for (ReadEntry seen : step.reads()) {
      named = Math.max(named, seen.version());
    }
    return named;
  }

  /** An answer named this index before the step was sent. */
  long floor(int step) {
    return floors[step];
  }

  /** A step that was sent after this one's answer has this index; the greatest number if none. */
  long ceiling(int step) {
    return ceilings[step];
  }
}
