package io.lockstep.bench.replay;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * A closed loop: a fixed number of flows at a time, the operations of each strictly one after
 * another, the end of one flow starting the next, until enough have run or the time is over. The
 * first failure ends the loop.
 *
 * <p>Thread-safe: a flow continues on whichever thread the store answers.
 */
final class ReplayLoop {
  private static final long MOST_LATENCY_NANOS = 600_000_000_000L;
  private static final int SIGNIFICANT_DIGITS = 3;
  private static final int STEPS_AT_ONCE = 64;
  private static final double NANOS_PER_MILLI = 1e6;

  private final ReplayPlan plan;
  private final ReplayCounts counts;
  private final LongSupplier nanoTime;
  private final Limits limits;
  private final AtomicLong left;
  private final AtomicLong number;
  private final AtomicInteger running = new AtomicInteger();
  private final LongAdder ended = new LongAdder();
  private final Recorder latencyNanos = new Recorder(MOST_LATENCY_NANOS, SIGNIFICANT_DIGITS);
  private final CompletableFuture<ReplayResult> over = new CompletableFuture<>();
  private volatile @Nullable Throwable failure;
  private volatile long beganNanos;

  /**
   * When it ends.
   *
   * @param flows at a time
   * @param runs flows in all, at least
   * @param leastNanos until then flows begin, whatever {@code runs} says: a fast store carries out
   *     some thousand flows before it has come up to speed
   * @param mostNanos after which no flow begins
   */
  record Limits(int flows, long runs, long leastNanos, long mostNanos) {}

  /**
   * A loop.
   *
   * @param firstNumber of the first flow: a later loop goes on where an earlier one ended
   */
  ReplayLoop(
      ReplayPlan plan,
      ReplayCounts counts,
      LongSupplier nanoTime,
      Limits limits,
      long firstNumber) {
    this.plan = plan;
    this.counts = counts;
    this.nanoTime = nanoTime;
    this.limits = limits;
    this.left = new AtomicLong(limits.runs());
    this.number = new AtomicLong(firstNumber);
  }

  /**
   * Starts all flows; completes when the last one ended, with a failure where one failed.
   *
   * @param thread where flows begin, and where one that was answered at once for long goes on after
   *     the others had their turn
   */
  CompletableFuture<ReplayResult> start(Executor thread) {
    beganNanos = nanoTime.getAsLong();
    running.set(limits.flows());
    for (int i = 0; i < limits.flows(); i++) {
      thread.execute(new Lane(thread)::run);
    }
    return over;
  }

  /** The number of the next flow. */
  long nextNumber() {
    return number.get();
  }

  private void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }

  private boolean mayBegin(long now) {
    long nanos = now - beganNanos;
    return failure == null
        && nanos < limits.mostNanos()
        && (left.getAndDecrement() > 0 || nanos < limits.leastNanos());
  }

  private void laneEnded() {
    if (running.decrementAndGet() > 0) {
      return;
    }
    Throwable cause = failure;
    if (cause != null) {
      over.completeExceptionally(cause);
      return;
    }
    double seconds = (nanoTime.getAsLong() - beganNanos) / 1e9;
    Histogram histogram = latencyNanos.getIntervalHistogram();
    over.complete(
        new ReplayResult(
            ended.sum(),
            counts.givenUp(),
            counts.conflicts(),
            seconds,
            histogram.getValueAtPercentile(50) / NANOS_PER_MILLI,
            histogram.getValueAtPercentile(90) / NANOS_PER_MILLI));
  }

  /** One flow after another. Owned by the thread that handles its answer. */
  private final class Lane implements BiConsumer<@Nullable ReplayStep, @Nullable Throwable> {
    private final Executor thread;
    private @Nullable ReplayStep step;
    private boolean inFlow;
    private long flowNanos;

    Lane(Executor thread) {
      this.thread = thread;
    }

    /** Goes on until an answer is awaited; a loop, so that answers at once grow no stack. */
    private void run() {
      try {
        for (int atOnce = 0; ; atOnce++) {
          ReplayStep next = step;
          if (next == null && !nextFlow()) {
            laneEnded();
            return;
          }
          next = step;
          if (atOnce == STEPS_AT_ONCE) {
            thread.execute(this::run);
            return;
          }
          if (next != null) {
            CompletableFuture<@Nullable ReplayStep> answer = next.ask();
            if (!answer.isDone() || answer.isCompletedExceptionally()) {
              // accept() throws nothing, so this future fails only as the answer does.
              CompletableFuture<?> unused = answer.whenComplete(this);
              return;
            }
            step = answer.join();
          }
        }
      } catch (RuntimeException e) {
        fail(e);
        laneEnded();
      }
    }

    /** Ends a flow, if one has run, and begins the next. */
    private boolean nextFlow() {
      long now = nanoTime.getAsLong();
      if (inFlow) {
        ended.increment();
        latencyNanos.recordValue(Math.min(Math.max(0, now - flowNanos), MOST_LATENCY_NANOS));
      }
      inFlow = mayBegin(now);
      flowNanos = now;
      step = inFlow ? plan.first(number.getAndIncrement()) : null;
      return inFlow;
    }

    @Override
    public void accept(@Nullable ReplayStep next, @Nullable Throwable cause) {
      if (cause != null) {
        fail(cause);
        laneEnded();
        return;
      }
      step = next;
      run();
    }
  }
}
