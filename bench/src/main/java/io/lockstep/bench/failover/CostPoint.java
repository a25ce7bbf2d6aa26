package io.lockstep.bench.failover;

/**
 * What a replica holds at one moment. Names of the components are keys of the result file.
 *
 * @param phase empty, filled, restarted, or churn
 * @param second since the phase began
 * @param replica number
 * @param entries that were written so far
 * @param liveMegabytes objects on the heap after a full collection, in 10^6 bytes
 * @param residentMegabytes memory of the process, in 10^6 bytes
 * @param bytesPerEntry live bytes beyond those of the empty replica, for each entry
 * @param snapshots that this replica has made so far
 * @param snapshotMillis what the longest of them took, beside the load; 0 where there was none
 * @param recoveryMillis in {@code restarted}: from the start of the first process until the first
 *     acknowledged write; else 0
 */
record CostPoint(
    String phase,
    long second,
    int replica,
    long entries,
    double liveMegabytes,
    double residentMegabytes,
    double bytesPerEntry,
    long snapshots,
    long snapshotMillis,
    double recoveryMillis) {

  /** One line for people. */
  String line() {
    return String.format(
        "%-9s %4d s  replica %d  %9d entries  live %8.1f MB  resident %8.1f MB  %6.1f B/entry"
            + "  snapshots %d (longest %d ms)%s",
        phase,
        second,
        replica,
        entries,
        liveMegabytes,
        residentMegabytes,
        bytesPerEntry,
        snapshots,
        snapshotMillis,
        recoveryMillis == 0 ? "" : String.format("  recovered in %.0f ms", recoveryMillis));
  }
}
