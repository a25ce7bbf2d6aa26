package io.lockstep.store.engine.bftsmart;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A number of bytes that many share. One may take more only while what it holds stays within what
 * is left for all (a dynamic threshold, Choudhury and Hahne, IEEE/ACM Transactions on Networking 6,
 * 1998): alone it gets half, beside n that hold all they can one more still finds a share of about
 * 1/(n+2). Nothing is reserved, and nothing needs to know how many there are.
 *
 * <p>Thread-safe.
 */
final class SharedBudget {
  private final long mostBytes;
  private final AtomicLong taken = new AtomicLong();

  SharedBudget(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /**
   * Takes bytes, or none where there are too few. What is larger than half of all is given only to
   * whoever is alone.
   *
   * @param held what the one who asks holds already
   */
  boolean take(long held, long bytes) {
    while (true) {
      long before = taken.get();
      boolean alone = before == 0;
      if (!alone && held + bytes > mostBytes - before) {
        return false;
      }
      if (taken.compareAndSet(before, before + bytes)) {
        return true;
      }
    }
  }

  /** Gives back what was taken. */
  void release(long bytes) {
    taken.addAndGet(-bytes);
  }

  /** What is taken now. */
  long taken() {
    return taken.get();
  }
}
