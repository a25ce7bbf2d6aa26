package io.lockstep.store.engine;

import java.util.concurrent.CompletableFuture;

/** Hands requests to the engine. Thread-safe. */
public interface OrderingClient extends AutoCloseable {

  /**
   * Sends a request and waits for enough equal replies. The engine may order the same bytes more
   * than once (it retries); the service recognises that by the operation ids inside.
   *
   * @return completes on {@link #loop} with the reply, or exceptionally with {@link
   *     java.util.concurrent.TimeoutException} where the outcome is unknown, or {@link
   *     java.util.concurrent.RejectedExecutionException} where it was surely never sent
   */
  CompletableFuture<byte[]> submit(byte[] request);

  /** How many requests may be outstanding before {@link #submit} rejects. */
  int window();

  /** The thread on which replies arrive; work handed to it runs there in order. */
  java.util.concurrent.ScheduledExecutorService loop();

  /**
   * What keeps requests from being answered, as far as it is known, and how to mend it; empty where
   * nothing is known. On {@link #loop}.
   */
  default String obstacle() {
    return "";
  }

  @Override
  void close();
}
