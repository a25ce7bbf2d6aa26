package io.lockstep.bench.peers;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * While it is open, an end of this process from outside (Ctrl-C, SIGTERM) interrupts the thread
 * that opened it and waits until that thread has closed it: so that the processes and directories
 * of a run go before this process does.
 */
final class Interruption implements AutoCloseable {
  private static final int CLEAN_SECONDS = 30;

  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread hook;
  private volatile boolean ending;

  private Interruption(Thread worker) {
    hook =
        new Thread(
            () -> {
              ending = true;
              worker.interrupt();
              awaitClosed();
            },
            "compare-end");
  }

  /** Opens one for the calling thread. */
  static Interruption open() {
    Interruption interruption = new Interruption(Thread.currentThread());
    Runtime.getRuntime().addShutdownHook(interruption.hook);
    return interruption;
  }

  private void awaitClosed() {
    try {
      closed.await(CLEAN_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    if (!ending) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException endingNow) {
        // The hook runs, and goes on now.
      }
    }
  }
}
