package io.lockstep.store.engine.bftsmart;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A number of bytes that several holders share. A holder may take more only while it holds no more
 * than what is left for all (a dynamic threshold, Choudhury and Hahne, IEEE/ACM Transactions on
 * Networking 6, 1998). A single holder gets half. Beside n holders that hold all they can, one more
 * still gets about 1/(n+2). The budget reserves nothing and does not count its holders.
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
   * Takes bytes, or none if there are too few. More than half of all is given only while nothing
   * else is taken.
   *
   * @param held bytes that the caller already holds
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

  /** Gives bytes back. */
  void release(long bytes) {
    taken.addAndGet(-bytes);
  }

  /** Bytes taken now. */
  long taken() {
    return taken.get();
  }
}
