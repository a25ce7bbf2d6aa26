package io.lockstep.deploy.cli;

import io.lockstep.deploy.process.OperatorException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Looks again and again, until a condition holds or time is up. Used by one thread. */
final class Polling {
  private static final long POLL_MILLIS = 50;

  private Polling() {}

  /** What a look at the cluster shows. */
  interface Condition {
    boolean holds() throws OperatorException;
  }

  /** Whether it held in time. */
  static boolean until(long patienceMillis, Condition condition) throws OperatorException {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    while (!condition.holds()) {
      if (System.nanoTime() - until > 0) {
        return false;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
    }
    return true;
  }
}
