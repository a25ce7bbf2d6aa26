package io.lockstep.core.flow;

import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.southbound.FlowRemoved;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Which entries of one switch went by themselves since the control loop last looked: each rule
 * once, at most {@link #MAX} rules. What finds no room is found by reading the switch back. So a
 * switch that reports removed flows without end costs one waiting task and a bounded set.
 * Thread-safe.
 */
final class RemovedFlows {
  /** Rules that wait for the control loop. */
  static final int MAX = 1_024;

  private final Set<Long> expired = new LinkedHashSet<>();
  private boolean overflowed;
  private boolean waiting;

  /** What became of a report. */
  enum Outcome {
    /** It is the first: a task has to be queued, which calls {@link #take}. */
    FIRST,
    /** The task that waits already serves this one, too. */
    MERGED,
    /** There was no room: the switch has to be read back, which the task will do. */
    DROPPED
  }

  /**
   * What went.
   *
   * @param expired cookies of intended rules whose time-out passed
   * @param overflowed whether there were more
   */
  record Taken(Set<Long> expired, boolean overflowed) {
    Taken {
      expired = Set.copyOf(expired);
    }
  }

  /** Takes a report. */
  synchronized Outcome add(FlowRemoved removed) {
    boolean dropped = false;
    if (isExpiry(removed) && !expired.contains(removed.cookie())) {
      dropped = expired.size() >= MAX;
      overflowed |= dropped;
      if (!dropped) {
        expired.add(removed.cookie());
      }
    }
    boolean first = !waiting;
    waiting = true;
    return first ? Outcome.FIRST : dropped ? Outcome.DROPPED : Outcome.MERGED;
  }

  /** Whether an intended rule's time-out passed. */
  static boolean isExpiry(FlowRemoved removed) {
    return Cookies.isIntended(removed.cookie())
        && (removed.reason() == FlowRemoved.Reason.IDLE_TIMEOUT
            || removed.reason() == FlowRemoved.Reason.HARD_TIMEOUT);
  }

  /** What was reported since the last call; control loop. */
  synchronized Taken take() {
    Taken taken = new Taken(expired, overflowed);
    expired.clear();
    overflowed = false;
    waiting = false;
    return taken;
  }
}
