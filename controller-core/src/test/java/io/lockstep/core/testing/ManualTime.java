package io.lockstep.core.testing;

import io.lockstep.core.state.Alarm;
import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** A clock, an alarm and an executor that move only when the test says so. */
public final class ManualTime implements Alarm, Executor {
  private static final long START_MILLIS = 1_000_000;

  private final PriorityQueue<Waiting> waiting = new PriorityQueue<>();
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private long nowMillis = START_MILLIS;
  private long order;
  private boolean running;

  /** Monotone nanoseconds. */
  public long nanos() {
    return TimeUnit.MILLISECONDS.toNanos(nowMillis);
  }

  /** Milliseconds since 1970. */
  public long millis() {
    return nowMillis;
  }

  @Override
  public void after(long delayMillis, Runnable task) {
    waiting.add(new Waiting(nowMillis + delayMillis, order++, task));
  }

  /** Runs the task before the test goes on, after those before it. */
  @Override
  public void execute(Runnable task) {
    tasks.add(task);
    if (running) {
      return;
    }
    running = true;
    Runnable next;
    while ((next = tasks.poll()) != null) {
      next.run();
    }
    running = false;
  }

  /** Lets time pass, millisecond by millisecond; alarms ring on their way. */
  public void pass(long millis) {
    pass(millis, () -> {});
  }

  /** Lets time pass and does something in every millisecond. */
  public void pass(long millis, Runnable each) {
    for (long i = 0; i < millis; i++) {
      nowMillis++;
      while (!waiting.isEmpty() && waiting.peek().dueMillis <= nowMillis) {
        execute(waiting.remove().task);
      }
      execute(each);
    }
  }

  /** How many alarms have yet to ring. */
  public int waiting() {
    return waiting.size();
  }

  private record Waiting(long dueMillis, long order, Runnable task) implements Comparable<Waiting> {
    @Override
    public int compareTo(Waiting other) {
      int byTime = Long.compare(dueMillis, other.dueMillis);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }
}
