package io.lockstep.bench.replay;

import org.jspecify.annotations.Nullable;

/**
 * What is measured: parameters of the benchmark.
 *
 * @param workload the event, such as {@code ls-ucast}
 * @param variant the column of the tables, such as {@code init}
 * @param bestOrWorst {@code best} where what may be cached is, {@code worst} where nothing is; null
 *     but for the variant {@code cache}
 * @param flows at a time
 */
public record ReplayPoint(
    String workload,
    String variant,
    @Nullable String bestOrWorst,
    ReplayMode mode,
    boolean durable,
    int flows) {
  /** All that is in the cache is fresh. */
  public static final String BEST = "best";

  /** Nothing is in the cache. */
  public static final String WORST = "worst";

  /** In one word for people. */
  public String label() {
    return workload
        + " "
        + variant
        + (bestOrWorst == null ? "" : " " + bestOrWorst)
        + " "
        + mode.label()
        + (durable ? " on disk " : " in memory ")
        + flows;
  }
}
