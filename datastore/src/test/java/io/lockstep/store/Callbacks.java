package io.lockstep.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Futures of callbacks that assert or count something. What such a callback throws stays in its
 * future; {@link #check} throws it in the test.
 */
public final class Callbacks {
  private final List<CompletableFuture<?>> futures = new ArrayList<>();

  /** Adds what a callback returns. */
  public void add(CompletableFuture<?> future) {
    futures.add(future);
  }

  /** Fails where a callback has failed; passes over those that have not run. */
  public void check() {
    for (CompletableFuture<?> future : futures) {
      if (future.isCompletedExceptionally()) {
        try {
          future.join();
        } catch (CompletionException e) {
          throw new AssertionError("a callback failed: " + e.getCause(), e.getCause());
        }
      }
    }
  }
}
