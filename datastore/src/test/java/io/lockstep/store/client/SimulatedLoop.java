package io.lockstep.store.client;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A loop in simulated time: tasks run on the caller's thread, one after the other. */
public final class SimulatedLoop extends AbstractExecutorService
    implements ScheduledExecutorService {
  private final PriorityQueue<Task<?>> tasks =
      new PriorityQueue<>(
          Comparator.<Task<?>>comparingLong(task -> task.atNanos)
              .thenComparingLong(task -> task.number));
  private long nowNanos = 1_000_000_000L;
  private long taskCount;

  public long nowNanos() {
    return nowNanos;
  }

  /** Runs everything that falls due within {@code millis}. */
  public void run(long millis) {
    long endNanos = nowNanos + TimeUnit.MILLISECONDS.toNanos(millis);
    for (Task<?> next = tasks.peek();
        next != null && next.atNanos <= endNanos;
        next = tasks.peek()) {
      tasks.remove();
      nowNanos = Math.max(nowNanos, next.atNanos);
      next.run();
      next.rethrow();
    }
    nowNanos = endNanos;
  }

  @Override
  public void execute(Runnable command) {
    after(0, command);
  }

  /** Runs a task once {@code millis} have passed; {@link #run} throws what it throws. */
  public void after(long millis, Runnable task) {
    tasks.add(newTask(Executors.callable(task), millis, TimeUnit.MILLISECONDS));
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    return schedule(
        () -> {
          command.run();
          return "";
        },
        delay,
        unit);
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
    Task<V> task = newTask(callable, delay, unit);
    tasks.add(task);
    return task;
  }

  private <V> Task<V> newTask(Callable<V> callable, long delay, TimeUnit unit) {
    return new Task<>(callable, nowNanos + unit.toNanos(delay), taskCount++);
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable command, long initialDelay, long period, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable command, long initialDelay, long delay, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void shutdown() {
    tasks.clear();
  }

  @Override
  public List<Runnable> shutdownNow() {
    List<Runnable> left = new ArrayList<>(tasks);
    tasks.clear();
    return left;
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return true;
  }

  private final class Task<V> extends FutureTask<V> implements ScheduledFuture<V> {
    private final long atNanos;
    private final long number;
    private @Nullable Throwable failure;

    Task(Callable<V> callable, long atNanos, long number) {
      super(callable);
      this.atNanos = atNanos;
      this.number = number;
    }

    @Override
    protected void setException(Throwable t) {
      super.setException(t);
      failure = t;
    }

    void rethrow() {
      if (failure != null) {
        throw new AssertionError("a task failed", failure);
      }
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(atNanos - nowNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
  }
}
