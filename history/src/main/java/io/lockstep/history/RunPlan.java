package io.lockstep.history;

import io.lockstep.history.nemesis.Disks;
import io.lockstep.history.nemesis.FaultKind;
import io.lockstep.history.replica.Breakage;
import java.nio.file.Path;
import java.util.Set;

/**
 * What a run is to do.
 *
 * @param seconds of load and faults
 * @param faults empty for none
 * @param mostFaults after which no further one comes and the load ends
 * @param durable whether replicas keep their state on a disk
 * @param diskFault how a disk fails
 * @param namespaces id of the network namespaces between replicas; empty for relays
 * @param breakage of the store, on purpose
 * @param seed of all that is drawn at random
 * @param perSecond operations, at most
 * @param patienceMillis within which all replicas must take part again after a fault
 */
record RunPlan(
    int seconds,
    Set<FaultKind> faults,
    int mostFaults,
    Path out,
    boolean durable,
    Disks.Method diskFault,
    String namespaces,
    Breakage breakage,
    long seed,
    double perSecond,
    int patienceMillis) {

  /** Steps of {@code mixed.jsonl}, about: those at hand at the end come on top. */
  private static final int MOST_MIXED_LINES = 100_000;

  private static final double MOST_MIXED_PER_SECOND = 80;

  /** Lines of a history file. */
  static final int MAX_LINES = 500_000;

  /** Keys that a run has room for at its usual pace; with more the load ends earlier. */
  private static final int USUAL_KEYS = 5_000;

  /**
   * More would slow down the replicas that are to come back, and hide the writes without an answer
   * among those that a majority acknowledges.
   */
  private static final double MOST_PER_SECOND = 300;

  RunPlan {
    faults = Set.copyOf(faults);
  }

  /** The last fault may take so much longer, and the clients go on until all is well. */
  private static final int OVERTIME_SECONDS = 120;

  /** Steps after which the mixed load ends. */
  int mixedLines() {
    return MOST_MIXED_LINES;
  }

  /** Steps of the mixed load, at most. */
  double mixedPerSecond() {
    return Math.min(
        MOST_MIXED_PER_SECOND, (double) MOST_MIXED_LINES / (seconds + OVERTIME_SECONDS));
  }

  /** The pace that nearly fills the file. */
  static double usualPace(int seconds) {
    double lines = MAX_LINES - USUAL_KEYS;
    return Math.min(MOST_PER_SECOND, lines / (seconds + OVERTIME_SECONDS));
  }
}
