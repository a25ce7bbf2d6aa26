package io.lockstep.core.cluster;

import io.lockstep.store.logging.BoundedLog;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What applications asked to run before they are deactivated. Applications of a node are active as
 * long as the node, so their hooks run when the node is closed in order, before anything of it
 * stops. A process that is killed runs none.
 *
 * <p>Hooks are others' code: they run one after the other on a thread of their own, and what one
 * throws is logged and keeps no other from running. Thread-safe.
 */
public final class DeactivateHooks {
  /** How long {@link #run} waits for all hooks. */
  public static final long DEADLINE_MILLIS = 5_000;

  /** Hooks of all applications. */
  static final int MAX_HOOKS = 1_024;

  private static final BoundedLog log = BoundedLog.of(DeactivateHooks.class);

  // Guarded by this.
  private final Map<String, Set<Runnable>> hooks = new LinkedHashMap<>();
  private int count;
  private boolean closed;

  /** The application whose hook runs now. */
  private volatile String running = "";

  /** The deadline is over: no further hook begins. */
  private volatile boolean late;

  /**
   * Adds a hook of an application; no effect where it has the same one already.
   *
   * @throws IllegalStateException where the hooks run or ran already, or there are too many
   */
  synchronized void add(String application, Runnable hook) {
    if (closed) {
      throw new IllegalStateException(
          "the hook of " + application + " would never run: the node is being closed");
    }
    if (count >= MAX_HOOKS) {
      throw new IllegalStateException(
          "the hook of "
              + application
              + " is one too many: "
              + MAX_HOOKS
              + " are registered; register each application once");
    }
    if (hooks.computeIfAbsent(application, absent -> new LinkedHashSet<>()).add(hook)) {
      count++;
    }
  }

  /**
   * Runs all hooks, those of the application that came last first; once. Returns when they are
   * done, or after the deadline: then the one that runs is interrupted and no other begins.
   */
  public void run(long deadlineMillis) {
    List<Map.Entry<String, Set<Runnable>>> all = new ArrayList<>();
    synchronized (this) {
      closed = true;
      hooks.entrySet().forEach(entry -> all.add(0, entry));
      hooks.clear();
    }
    if (all.isEmpty()) {
      return;
    }
    Thread thread = new Thread(() -> all.forEach(this::run), "deactivate-hooks");
    thread.setDaemon(true);
    thread.start();
    try {
      thread.join(deadlineMillis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      late = true;
      log.error(
          running,
          "the deactivate hook of {} did not end in {} ms; the node closes without it and those"
              + " behind it",
          running,
          deadlineMillis);
      thread.interrupt();
    }
  }

  private void run(Map.Entry<String, Set<Runnable>> application) {
    for (Runnable hook : application.getValue()) {
      if (late) {
        return;
      }
      running = application.getKey();
      try {
        hook.run();
      } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
        log.error(running, "the deactivate hook of {} failed", running, e);
      }
    }
  }
}
