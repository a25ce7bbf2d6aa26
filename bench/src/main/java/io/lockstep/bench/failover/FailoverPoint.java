package io.lockstep.bench.failover;

/**
 * What one event did. Names of the components are keys of the result file; times are in
 * milliseconds.
 *
 * @param scenario which
 * @param run number of the event, from 1
 * @param stallMillis longest time without an acknowledged write
 * @param usualMillis the same in an equally long time just before a kill; 0 where nobody looked
 * @param stallFromMillis when that time began, after the event; negative where before
 * @param stolenPercent of the time of all cores that the machine's host gave to others meanwhile;
 *     no figure of a machine that others use is that of a quiet one
 * @param backMillis from the restart until the replica took part again, or, in {@code restart},
 *     from the start of the first process until the first acknowledged write; 0 where nothing
 *     restarted
 * @param leaderChanges leader's terms that began meanwhile
 * @param acknowledged writes
 * @param unknown writes without an answer
 * @param refused writes that were surely not applied
 */
record FailoverPoint(
    String scenario,
    int run,
    double stallMillis,
    double usualMillis,
    double stallFromMillis,
    double stolenPercent,
    double backMillis,
    long leaderChanges,
    long acknowledged,
    long unknown,
    long refused) {

  /** One line for people. */
  String line() {
    return String.format(
        "%-8s %3d  stall %8.1f ms (usual %.1f) from %6.0f  back %9.1f ms  leader changes %d"
            + "  acknowledged %d  unknown %d  refused %d  stolen %2.0f %%",
        scenario,
        run,
        stallMillis,
        usualMillis,
        stallFromMillis,
        backMillis,
        leaderChanges,
        acknowledged,
        unknown,
        refused,
        stolenPercent);
  }
}
