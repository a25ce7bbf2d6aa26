package io.lockstep.store.engine.bftsmart;

import bftsmart.tom.core.DeliveryThread;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps the library's delivery thread asleep, since decisions are applied on the replica's loop.
 * That thread waits for the end of a recovery, and no code ever reports that end to it.
 */
final class DeliveryGate {
  private static final long SIGNAL_MILLIS = 5;

  private final BlockingQueue<?> decided;

  /** Puts the thread to sleep. Called at assembly, while the replica recovers. */
  DeliveryGate(DeliveryThread delivery) {
    Class<?> type = DeliveryThread.class;
    decided = (BlockingQueue<?>) LibraryFields.get(type, "decided", delivery);
    putToSleep(
        (Lock) LibraryFields.get(type, "decidedLock", delivery),
        (Condition) LibraryFields.get(type, "notEmptyQueue", delivery),
        (ReentrantLock) LibraryFields.get(type, "deliverLock", delivery));
  }

  /**
   * Removes the decision, which has been applied, from the library's queue. Under the library's
   * lock.
   */
  void taken() {
    decided.clear();
  }

  /**
   * Waits until the thread sleeps for good. It may have started before it could know of the
   * recovery. It then waits for its queue and holds this lock, and one wake-up may come too early.
   * So this method wakes it until it releases the lock.
   */
  private static void putToSleep(Lock decidedLock, Condition notEmpty, ReentrantLock deliverLock) {
    boolean interrupted = false;
    while (true) {
      decidedLock.lock();
      try {
        notEmpty.signalAll();
      } finally {
        decidedLock.unlock();
      }
      try {
        if (deliverLock.tryLock(SIGNAL_MILLIS, TimeUnit.MILLISECONDS)) {
          deliverLock.unlock();
          break;
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
