package io.lockstep.history.nemesis;

/**
 * Something that is given back exactly once: by its owner, or at the end of this process (also by
 * SIGINT and SIGTERM) where that comes first. Thread-safe.
 */
public final class AtExit implements AutoCloseable {
  private final Runnable release;
  private final Thread hook;
  private boolean released;

  /**
   * From now on it is given back at the end of the process.
   *
   * @param release does it; called on any thread
   */
  public AtExit(String name, Runnable release) {
    this.release = release;
    this.hook = new Thread(this::release, name);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private synchronized void release() {
    if (!released) {
      released = true;
      release.run();
    }
  }

  /** Gives it back now. */
  @Override
  public void close() {
    release();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // The process ends: the hook runs as well, and finds nothing to do.
    }
  }
}
