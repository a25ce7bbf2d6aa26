package io.lockstep.bench.replay;

/**
 * What one fork measured.
 *
 * @param runs flows that ended
 * @param gaveUp those of them that ended without their write
 * @param conflicts refused writes
 * @param seconds from the first flow's beginning to the last one's end
 * @param p50Millis of all flows
 * @param p90Millis of all flows
 */
public record ReplayResult(
    long runs, long gaveUp, long conflicts, double seconds, double p50Millis, double p90Millis) {

  /** Flows that reached their end, in a second. */
  public double flowsPerSecond() {
    return seconds > 0 ? (runs - gaveUp) / seconds : 0;
  }
}
