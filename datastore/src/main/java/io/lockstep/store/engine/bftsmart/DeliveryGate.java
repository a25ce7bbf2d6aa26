package io.lockstep.store.engine.bftsmart;

import bftsmart.tom.core.DeliveryThread;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps the library's delivery thread out: decisions are applied where they fall, on the replica's
 * loop. The thread waits for the end of a recovery, of which it is never told.
 */
final class DeliveryGate {
  private static final long SIGNAL_MILLIS = 5;

  private final BlockingQueue<?> decided;

  /** While the replica recovers, as it does when it is assembled: puts the thread to sleep. */
  DeliveryGate(DeliveryThread delivery) {
    Class<?> type = DeliveryThread.class;
    decided = (BlockingQueue<?>) LibraryFields.get(type, "decided", delivery);
    putToSleep(
        (Lock) LibraryFields.get(type, "decidedLock", delivery),
        (Condition) LibraryFields.get(type, "notEmptyQueue", delivery),
        (ReentrantLock) LibraryFields.get(type, "deliverLock", delivery));
  }

  /** Under the library's lock on its queue: the decision there has been applied. */
  void taken() {
    decided.clear();
  }

  /**
   * The thread may have begun before it could know of the recovery. It then sleeps on its queue
   * while it holds this lock, and a wake-up may come too early for it; so it is woken until it lets
   * go.
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
