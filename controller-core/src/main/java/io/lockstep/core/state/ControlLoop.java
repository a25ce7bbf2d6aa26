package io.lockstep.core.state;

import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The node's single control thread: membership, mastership, devices and events of the facade run
 * here, one task at a time, in the order of submission. Packets never come here.
 *
 * <p>The queue is bounded; a full queue means that the node queues without a bound of its own,
 * which is reported as fatal: what a switch causes waits at most once for each switch ({@link
 * Wakeup}), or in a bounded set. A task that throws is reported as fatal too, and the loop goes on
 * with the next, so that the node can still be closed in order.
 *
 * <p>Methods may be called from any thread. A task must not block.
 */
public final class ControlLoop implements Executor, AutoCloseable {

  /** Tasks waiting at most. */
  public static final int MAX_QUEUED = 1 << 16;

  /** Timers waiting at most. */
  public static final int MAX_TIMERS = 1 << 16;

  /** How long {@link #close} waits for the running task. */
  private static final long CLOSE_TIMEOUT_MILLIS = 5_000;

  private final String name;
  private final FatalHandler fatal;

  /** Where the multiples of periods begin. */
  private final long originNanos = System.nanoTime();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition wake = lock.newCondition();

  // All guarded by lock.
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private final PriorityQueue<Timer> timers = new PriorityQueue<>();
  private long timersSet;
  private boolean closed;
  private @Nullable Thread thread;

  /**
   * A loop that does not run yet; what is submitted before {@link #start} waits.
   *
   * @param name of the thread
   */
  public ControlLoop(String name, FatalHandler fatal) {
    this.name = name;
    this.fatal = fatal;
  }

  /** Starts the thread. Called once. */
  public void start() {
    Thread started = new Thread(this::run, name);
    started.setDaemon(true);
    lock.lock();
    try {
      if (thread != null) {
        throw new IllegalStateException("the control loop " + name + " was started before");
      }
      thread = started;
    } finally {
      lock.unlock();
    }
    started.start();
  }

  /** Whether the caller runs on this loop. */
  public boolean isCurrent() {
    lock.lock();
    try {
      return Thread.currentThread() == thread;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Runs a task on the loop, after those submitted before. Once the loop is closed the task is
   * dropped: nothing is left to be controlled.
   *
   * @throws RejectedExecutionException when {@link #MAX_QUEUED} tasks wait; also reported as fatal
   */
  @Override
  public void execute(Runnable task) {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      if (tasks.size() < MAX_QUEUED) {
        tasks.add(task);
        wake.signal();
        return;
      }
    } finally {
      lock.unlock();
    }
    throw overloaded(MAX_QUEUED + " tasks wait");
  }

  /**
   * Runs a task on the loop after a delay.
   *
   * @throws RejectedExecutionException when {@link #MAX_TIMERS} timers wait; also reported as fatal
   */
  public Timeout schedule(long delayMillis, Runnable task) {
    return at(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delayMillis), task);
  }

  private Timeout at(long dueNanos, Runnable task) {
    Timer timer = new Timer(task, dueNanos);
    lock.lock();
    try {
      if (closed) {
        return timer;
      }
      if (timers.size() < MAX_TIMERS) {
        timer.sequence = timersSet++;
        timers.add(timer);
        wake.signal();
        return timer;
      }
    } finally {
      lock.unlock();
    }
    throw overloaded(MAX_TIMERS + " timers wait");
  }

  /**
   * Runs a task again and again, until it is cancelled: at the multiples of its period on the
   * loop's own clock, so that tasks of equal or related periods share a wake-up. After a run the
   * loop waits half a period at least.
   */
  public Timeout scheduleEvery(long periodMillis, Runnable task) {
    return scheduleEvery(() -> periodMillis, task);
  }

  /**
   * The same, where the period changes.
   *
   * @param periodMillis asked on the loop after each run, and once by the caller
   */
  public Timeout scheduleEvery(LongSupplier periodMillis, Runnable task) {
    Repetition repetition = new Repetition(periodMillis, task);
    repetition.next();
    return repetition;
  }

  /**
   * The first multiple of a period that is at least half a period away.
   *
   * @param nowNanos since the beginning of the multiples
   */
  static long nextMultiple(long nowNanos, long periodNanos) {
    long least = nowNanos + periodNanos / 2;
    return least + Math.floorMod(-least, periodNanos);
  }

  /**
   * Drops what waits and stops the thread after the running task; waits up to 5 s for that, unless
   * called on the loop itself. May be called again.
   */
  @Override
  public void close() {
    Thread running;
    lock.lock();
    try {
      closed = true;
      tasks.clear();
      timers.clear();
      running = thread;
      wake.signal();
    } finally {
      lock.unlock();
    }
    if (running == null || running == Thread.currentThread()) {
      return;
    }
    try {
      running.join(CLOSE_TIMEOUT_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reports a broken invariant of what this loop owns, from any thread. */
  void report(Throwable failure) {
    fatal.failed(name, failure);
  }

  private RejectedExecutionException overloaded(String detail) {
    RejectedExecutionException e =
        new RejectedExecutionException("control loop " + name + " is overloaded: " + detail);
    fatal.failed(name, e);
    return e;
  }

  private void run() {
    while (true) {
      Runnable task = next();
      if (task == null) {
        return;
      }
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        fatal.failed(name, e);
      }
    }
  }

  /** The next task or due timer; null when the loop is closed. */
  private @Nullable Runnable next() {
    lock.lock();
    try {
      while (!closed) {
        Timer first = timers.peek();
        long waitNanos = first == null ? Long.MAX_VALUE : first.dueNanos - System.nanoTime();
        if (first != null && waitNanos <= 0) {
          timers.remove();
          return first.task;
        }
        Runnable task = tasks.poll();
        if (task != null) {
          return task;
        }
        if (first == null) {
          wake.awaitUninterruptibly();
        } else {
          awaitNanos(waitNanos);
        }
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  // The lock is held and the caller looks again in a loop.
  @SuppressWarnings({"WaitNotInLoop", "ResultOfMethodCallIgnored"})
  private void awaitNanos(long nanos) {
    try {
      wake.awaitNanos(nanos);
    } catch (InterruptedException e) {
      // Nobody interrupts this thread to stop it; close() does that.
      Thread.interrupted();
    }
  }

  /** Something that will run later. */
  public interface Timeout {
    /** Stops it from running; no effect where it ran already. */
    void cancel();
  }

  private final class Timer implements Timeout, Comparable<Timer> {
    private final Runnable task;
    private final long dueNanos;
    private long sequence;

    Timer(Runnable task, long dueNanos) {
      this.task = task;
      this.dueNanos = dueNanos;
    }

    @Override
    public void cancel() {
      lock.lock();
      try {
        timers.remove(this);
      } finally {
        lock.unlock();
      }
    }

    @Override
    public int compareTo(Timer other) {
      int byTime = Long.signum(dueNanos - other.dueNanos);
      return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
    }
  }

  private final class Repetition implements Timeout {
    private final LongSupplier periodMillis;
    private final Runnable task;
    private volatile boolean cancelled;

    Repetition(LongSupplier periodMillis, Runnable task) {
      this.periodMillis = periodMillis;
      this.task = task;
    }

    void next() {
      long period = TimeUnit.MILLISECONDS.toNanos(periodMillis.getAsLong());
      long due = nextMultiple(System.nanoTime() - originNanos, period);
      // Not kept: this task looks itself whether it was cancelled.
      Timeout unused = at(originNanos + due, this::runOnce);
    }

    private void runOnce() {
      if (cancelled) {
        return;
      }
      try {
        task.run();
      } finally {
        if (!cancelled) {
          next();
        }
      }
    }

    @Override
    public void cancel() {
      cancelled = true;
    }
  }
}
