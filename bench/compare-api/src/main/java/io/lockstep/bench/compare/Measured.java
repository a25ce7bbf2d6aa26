package io.lockstep.bench.compare;

/**
 * What one point gave.
 *
 * @param flows that ended in the window
 * @param windowNanos length of the window
 * @param p50Nanos median latency of the flows that began in the window
 * @param failedReplaces conditional replaces that failed on their condition in the window
 */
public record Measured(
    long flows,
    long windowNanos,
    long p50Nanos,
    long p90Nanos,
    long p99Nanos,
    long failedReplaces) {

  /** As one line; {@link #parse} reads it. */
  public String line() {
    return flows
        + " "
        + windowNanos
        + " "
        + p50Nanos
        + " "
        + p90Nanos
        + " "
        + p99Nanos
        + " "
        + failedReplaces;
  }

  /**
   * Reads {@link #line}.
   *
   * @throws IllegalArgumentException where it is none
   */
  public static Measured parse(String line) {
    String[] fields = line.split(" ", -1);
    if (fields.length != 6) {
      throw new IllegalArgumentException("not a result: " + line);
    }
    return new Measured(
        Long.parseLong(fields[0]),
        Long.parseLong(fields[1]),
        Long.parseLong(fields[2]),
        Long.parseLong(fields[3]),
        Long.parseLong(fields[4]),
        Long.parseLong(fields[5]));
  }
}
