package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.bftsmart.PeerNote.Common;
import io.lockstep.store.engine.bftsmart.PeerNote.Point;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the last instance up to which two histories are equal, with few questions. Histories
 * usually differ near their ends, so the questions are denser there.
 *
 * <p>Not thread-safe.
 */
final class CommonHistory {

  /** This replica's own chain hashes; null if unknown. */
  interface Hashes {
    byte @Nullable [] after(long instance) throws java.io.IOException;
  }

  private final long floor;
  private long low;
  private long high;

  /**
   * @param floor the earliest instance that this replica can return to, -1 for the beginning
   * @param last its last instance
   */
  CommonHistory(long floor, long last) {
    this.floor = floor;
    this.low = floor - 1;
    this.high = last + 1;
  }

  /** Whether the answer is known. */
  boolean found() {
    return high - low <= 1;
  }

  /** The last common instance, or {@link Common#NONE} if it lies before the floor. */
  long instance() {
    return low < floor ? Common.NONE : low;
  }

  /** The next questions, ascending. */
  List<Point> questions(Hashes ours) throws java.io.IOException {
    List<Point> points = new ArrayList<>();
    long instance = high - 1;
    for (long step = 1; instance > low; step *= 2) {
      add(points, ours, instance);
      if (instance == Math.max(floor, low + 1)) {
        break;
      }
      instance = Math.max(Math.max(floor, low + 1), instance - step);
    }
    Collections.reverse(points);
    return points;
  }

  private static void add(List<Point> points, Hashes ours, long instance)
      throws java.io.IOException {
    byte[] hash = ours.after(instance);
    if (hash != null) {
      points.add(new Point(instance, hash));
    }
  }

  /** Takes the answer to these questions. */
  void answered(List<Point> questions, long lastEqual) {
    for (Point point : questions) {
      if (point.instance() <= lastEqual) {
        low = Math.max(low, point.instance());
      } else {
        high = Math.min(high, point.instance());
        return;
      }
    }
  }
}
