package io.lockstep.store.engine;

import io.lockstep.store.machine.ReplacedMachines;
import java.util.concurrent.CompletableFuture;

/** Submits requests to the engine. Thread-safe. */
public interface OrderingClient extends AutoCloseable {

  /**
   * Sends a request and waits for enough equal replies. The engine retries, so it may order the
   * same bytes more than once; the service recognises that by the operation ids inside.
   *
   * @return completes on {@link #loop} with the reply, or exceptionally with {@link
   *     java.util.concurrent.TimeoutException} if the outcome is unknown, or {@link
   *     java.util.concurrent.RejectedExecutionException} if the request was certainly not sent
   */
  CompletableFuture<byte[]> submit(byte[] request);

  /** How many requests may be outstanding; {@link #submit} rejects more. */
  int window();

  /** The thread on which replies arrive. It runs submitted work in order. */
  java.util.concurrent.ScheduledExecutorService loop();

  /**
   * Why replicas do not answer requests, as far as the client knows, and the remedy; empty if it
   * knows none. On {@link #loop}.
   */
  default String obstacle() {
    return "";
  }

  /** How many requests have no answer yet. Any thread. */
  default int requestsInFlight() {
    return 0;
  }

  /** How often a request was sent again since the client began. Any thread. */
  default long retriesSoFar() {
    return 0;
  }

  /**
   * Hints of the replicas that this client is connected to, on {@link #loop}. Those of a lost
   * connection are lost.
   */
  default ChangeHints hints() {
    return ChangeHints.NONE;
  }

  /** Goes to these machines from now on, where they have replaced those of the configuration. */
  default void moved(ReplacedMachines machines) {}

  @Override
  void close();
}
