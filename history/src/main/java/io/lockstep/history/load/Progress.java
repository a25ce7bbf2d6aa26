package io.lockstep.history.load;

import java.util.concurrent.CompletableFuture;

/** How far a client has come. Any thread. */
public interface Progress {
  /** Its name. */
  String name();

  /** When it got its last answer, on the run's clock; -1 before the first. */
  long answeredNanos();

  /** Completes when no operation is at hand and none will follow. */
  CompletableFuture<Void> ended();
}
