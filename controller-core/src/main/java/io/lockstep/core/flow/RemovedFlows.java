package io.lockstep.core.flow;

import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.southbound.FlowRemoved;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Collects the entries that one switch removed by itself, until the control loop takes them: each
 * rule once, at most {@link #MAX} rules. Reading the switch back finds those that had no room. So a
 * switch that reports removed flows without end costs one waiting task and a bounded set.
 * Thread-safe.
 */
final class RemovedFlows {
  /** Rules that wait for the control loop. */
  static final int MAX = 1_024;

  private final Set<Long> expired = new LinkedHashSet<>();
  private boolean overflowed;
  private boolean waiting;

  /** What a report leads to. */
  enum Outcome {
    /** It is the first: the caller queues a task, which calls {@link #take}. */
    FIRST,
    /** The task that waits already takes this one, too. */
    MERGED,
    /** There was no room: the task that waits reads the switch back. */
    DROPPED
  }

  /**
   * The removed entries.
   *
   * @param expired cookies of intended rules whose time-out passed
   * @param overflowed whether more rules expired than had room
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

  /** Whether the entry of an intended rule expired. */
  static boolean isExpiry(FlowRemoved removed) {
    return Cookies.isIntended(removed.cookie())
        && (removed.reason() == FlowRemoved.Reason.IDLE_TIMEOUT
            || removed.reason() == FlowRemoved.Reason.HARD_TIMEOUT);
  }

  /** Takes the reports since the last call. On the control loop. */
  synchronized Taken take() {
    Taken taken = new Taken(expired, overflowed);
    expired.clear();
    overflowed = false;
    waiting = false;
    return taken;
  }
}
