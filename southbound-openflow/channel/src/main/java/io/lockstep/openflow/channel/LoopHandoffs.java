package io.lockstep.openflow.channel;

import io.netty.channel.EventLoop;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** Brings calls from other threads to a connection's event loop, so many at a time. Thread-safe. */
final class LoopHandoffs {
  /** Calls that the event loop has not come to yet. */
  static final int MAX = 4096;

  private final EventLoop loop;
  private final AtomicInteger waiting = new AtomicInteger();

  LoopHandoffs(EventLoop loop) {
    this.loop = loop;
  }

  /** Runs a task, at once where this is the loop; false where too much waits for it already. */
  boolean run(Runnable task) {
    if (loop.inEventLoop()) {
      task.run();
      return true;
    }
    if (waiting.incrementAndGet() > MAX || loop.isShuttingDown()) {
      waiting.decrementAndGet();
      return false;
    }
    try {
      loop.execute(
          () -> {
            waiting.decrementAndGet();
            task.run();
          });
      return true;
    } catch (RejectedExecutionException e) {
      waiting.decrementAndGet();
      return false;
    }
  }
}
