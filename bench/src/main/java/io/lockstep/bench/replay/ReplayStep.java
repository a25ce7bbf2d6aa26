package io.lockstep.bench.replay;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One operation of a flow. */
@FunctionalInterface
interface ReplayStep {
  /**
   * Asks the store.
   *
   * @return the next step, null where the flow has ended; fails where the store failed
   */
  CompletableFuture<@Nullable ReplayStep> ask();
}
