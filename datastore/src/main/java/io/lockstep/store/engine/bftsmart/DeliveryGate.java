package io.lockstep.store.engine.bftsmart;

import bftsmart.tom.core.DeliveryThread;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Stops and restarts the library's delivery thread, which waits while {@link RecoveryGate} says
 * that the replica recovers.
 *
 * <p>Owned by the communication thread.
 */
final class DeliveryGate {
  private static final long SIGNAL_MILLIS = 5;

  private final DeliveryThread delivery;
  private final RecoveryGate gate;
  private final BlockingQueue<?> decided;
  private final Lock decidedLock;
  private final Condition notEmpty;
  private final ReentrantLock deliverLock;

  DeliveryGate(DeliveryThread delivery, RecoveryGate gate) {
    this.delivery = delivery;
    this.gate = gate;
    Class<?> type = DeliveryThread.class;
    decided = (BlockingQueue<?>) LibraryFields.get(type, "decided", delivery);
    decidedLock = (Lock) LibraryFields.get(type, "decidedLock", delivery);
    notEmpty = (Condition) LibraryFields.get(type, "notEmptyQueue", delivery);
    deliverLock = (ReentrantLock) LibraryFields.get(type, "deliverLock", delivery);
  }

  /** Decisions are delivered from now on. */
  void open() {
    lock();
    try {
      gate.open();
      delivery.canDeliver();
    } finally {
      delivery.deliverUnlock();
    }
  }

  /** Waits for the delivery at hand, drops what waits behind it, and delivers nothing more. */
  void close() {
    gate.close();
    lock();
    try {
      decided.clear();
    } finally {
      delivery.deliverUnlock();
    }
  }

  /**
   * The thread sleeps on its queue while it holds this lock, and a wake-up may come too early for
   * it; so it is woken until it lets go.
   */
  private void lock() {
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
