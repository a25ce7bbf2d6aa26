package io.lockstep.openflow.channel;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A healthy switch that sends a packet-in again and again, and expects its answer each time. */
final class LivingSwitch implements AutoCloseable {
  private static final long PAUSE_NANOS = 20_000_000;

  private final ScriptedSwitch device;
  private final AtomicLong served = new AtomicLong();
  private final CompletableFuture<Void> failed = new CompletableFuture<>();
  private final Thread life = new Thread(this::live, "living-switch");
  private volatile boolean stopped;

  /** Takes over a switch behind its handshake. */
  LivingSwitch(ScriptedSwitch device) {
    this.device = device;
  }

  LivingSwitch begin() {
    life.setDaemon(true);
    life.start();
    return this;
  }

  private void live() {
    try {
      while (!stopped) {
        device.assertServed();
        served.incrementAndGet();
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    } catch (RuntimeException | AssertionError e) {
      failed.completeExceptionally(e);
    }
  }

  /** Waits for two more answers: at least one question was asked after this call. */
  void assertStillServed() {
    long enough = served.get() + 2;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (served.get() < enough) {
      try {
        failed.get(5, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        if (System.nanoTime() > deadline) {
          throw new AssertionError("the healthy switch is not served any more", e);
        }
      } catch (ExecutionException | InterruptedException e) {
        throw new AssertionError("the healthy switch is not served any more", e);
      }
    }
  }

  @Override
  public void close() {
    stopped = true;
    try {
      life.join(TimeUnit.SECONDS.toMillis(60));
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
    device.close();
  }
}
