package io.lockstep.history.mixed.load;

import io.lockstep.bench.runs.Callbacks;
import io.lockstep.store.engine.OrderingClient;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;

/**
 * A client's way to the store that can be held up, as by a pause of its machine: requests wait, and
 * are sent when it ends, however late. Signs of life wait, too, so the session ends meanwhile.
 * Owned by the loop, as its engine.
 */
final class LateEngine implements OrderingClient {
  private record Waiting(byte[] request, CompletableFuture<byte[]> reply) {}

  private final OrderingClient engine;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private boolean silent;

  LateEngine(OrderingClient engine) {
    this.engine = engine;
  }

  /** From now on nothing is sent. */
  void silence() {
    silent = true;
  }

  /** Sends what waits, and all that follows. */
  void speak() {
    silent = false;
    for (Waiting late = waiting.poll(); late != null; late = waiting.poll()) {
      CompletableFuture<byte[]> reply = late.reply();
      Callbacks.when(submit(late.request()), reply::complete, reply::completeExceptionally);
    }
  }

  boolean isSilent() {
    return silent;
  }

  @Override
  public CompletableFuture<byte[]> submit(byte[] request) {
    if (!silent) {
      return engine.submit(request);
    }
    if (waiting.size() == window()) {
      return CompletableFuture.failedFuture(
          new RejectedExecutionException(window() + " requests wait"));
    }
    CompletableFuture<byte[]> reply = new CompletableFuture<>();
    waiting.add(new Waiting(request, reply));
    return reply;
  }

  @Override
  public int window() {
    return engine.window();
  }

  @Override
  public ScheduledExecutorService loop() {
    return engine.loop();
  }

  @Override
  public String obstacle() {
    return engine.obstacle();
  }

  @Override
  public void close() {
    engine.close();
  }
}
