package io.lockstep.core.state;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A task that looks at the newest state, however many changes asked for it: it waits at most once
 * for its executor. So no source of changes can fill the executor's queue. Thread-safe; the task
 * runs on the executor.
 */
public final class Wakeup {
  private final Executor executor;
  private final Runnable task;
  private final AtomicBoolean waiting = new AtomicBoolean();

  /** A task that does not wait yet. */
  public Wakeup(Executor executor, Runnable task) {
    this.executor = executor;
    this.task = task;
  }

  /** Has the task run once more after this call; false where it waits already. */
  public boolean wake() {
    if (!waiting.compareAndSet(false, true)) {
      return false;
    }
    executor.execute(
        () -> {
          // Before the task: what changes while it runs is looked at again.
          waiting.set(false);
          task.run();
        });
    return true;
  }
}
