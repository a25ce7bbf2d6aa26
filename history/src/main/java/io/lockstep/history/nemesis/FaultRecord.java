package io.lockstep.history.nemesis;

/**
 * A fault that took place: a line of {@code faults.jsonl}. Times are on the run's clock.
 *
 * @param kind as on the command line
 * @param detail what exactly
 * @param beside the fault that overlapped it, or empty
 * @param startNanos when it began
 * @param endNanos when it was ended
 * @param healthyNanos when all replicas took part again
 * @param writeStallMillis the longest time without an acknowledged write, from its beginning until
 *     all was well; of overlapping faults that of both
 */
public record FaultRecord(
    String kind,
    String detail,
    String beside,
    long startNanos,
    long endNanos,
    long healthyNanos,
    long writeStallMillis) {}
