package io.lockstep.keys;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how often one event loop begins a handshake of TLS that a peer asks for. Each takes the
 * loop's time for a signature, and everyone who reaches the port can ask for it, as fast as a
 * network brings bytes. A few begin at once; further ones wait, and machines take turns, so that
 * one that asks without end delays others by one handshake each. How many may wait is for the port
 * to bound ({@link HalfOpen}). Owned by the event loop.
 */
final class HandshakePace {
  /** How many begin at once after a rest. */
  static final int AT_ONCE = 16;

  /** Chosen to leave most of a loop's time to its work; the engine of the JDK takes longer. */
  static final int PER_SECOND_OPENSSL = 500;

  static final int PER_SECOND_JDK = 150;

  /** Runs tasks later, on the event loop. */
  interface Later {
    void run(long delayNanos, Runnable task);
  }

  private final long intervalNanos;
  private final LongSupplier nanoTime;
  private final Later later;

  /** Each machine with handshakes that wait, the next one first. */
  private final Map<String, ArrayDeque<Runnable>> lines = new LinkedHashMap<>();

  /** When all that began would have ended their share of the time. */
  private long paidUntilNanos;

  private boolean scheduled;

  HandshakePace(int perSecond, LongSupplier nanoTime, Later later) {
    this.intervalNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
    this.nanoTime = nanoTime;
    this.later = later;
    this.paidUntilNanos = nanoTime.getAsLong();
  }

  /**
   * Asks to begin a handshake.
   *
   * @param machine the other end's address without its port
   * @param turn run when it may begin, where that is not now
   * @return whether it may begin now
   */
  boolean begin(String machine, Runnable turn) {
    if (lines.isEmpty() && waitNanos() <= 0) {
      pay();
      return true;
    }
    lines.computeIfAbsent(machine, any -> new ArrayDeque<>()).add(turn);
    schedule();
    return false;
  }

  /** Gives up the place in line; does nothing where there is none. */
  void leave(String machine, Runnable turn) {
    ArrayDeque<Runnable> line = lines.get(machine);
    if (line != null && line.remove(turn) && line.isEmpty()) {
      lines.remove(machine);
    }
  }

  private long waitNanos() {
    return paidUntilNanos - nanoTime.getAsLong() - (AT_ONCE - 1) * intervalNanos;
  }

  private void pay() {
    long now = nanoTime.getAsLong();
    paidUntilNanos = (paidUntilNanos - now > 0 ? paidUntilNanos : now) + intervalNanos;
  }

  private void schedule() {
    if (!scheduled && !lines.isEmpty()) {
      scheduled = true;
      later.run(Math.max(0, waitNanos()), this::beginNext);
    }
  }

  private void beginNext() {
    scheduled = false;
    Runnable turn;
    while (waitNanos() <= 0 && (turn = poll()) != null) {
      pay();
      turn.run();
    }
    schedule();
  }

  /** The oldest of the machine whose turn it is; that machine is the last one then. */
  private @Nullable Runnable poll() {
    Iterator<Map.Entry<String, ArrayDeque<Runnable>>> first = lines.entrySet().iterator();
    if (!first.hasNext()) {
      return null;
    }
    Map.Entry<String, ArrayDeque<Runnable>> line = first.next();
    String machine = line.getKey();
    ArrayDeque<Runnable> waiting = line.getValue();
    first.remove();
    Runnable turn = waiting.poll();
    if (!waiting.isEmpty()) {
      lines.put(machine, waiting);
    }
    return turn;
  }
}
