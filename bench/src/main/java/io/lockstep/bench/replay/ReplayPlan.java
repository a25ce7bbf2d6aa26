package io.lockstep.bench.replay;

import io.lockstep.bench.runs.BenchException;
import org.jspecify.annotations.Nullable;

/** What flows of one workload ask, in one variant and mode. */
interface ReplayPlan {
  /**
   * Puts what the flows need into the store. Blocks.
   *
   * @throws BenchException where the store cannot be used
   */
  void prepare() throws BenchException, InterruptedException;

  /**
   * The first step of a flow; null where a flow asks nothing.
   *
   * @param number of the flow, from 0. Thread-safe
   */
  @Nullable ReplayStep first(long number);
}
