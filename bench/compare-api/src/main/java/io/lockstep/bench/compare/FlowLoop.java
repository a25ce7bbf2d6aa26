package io.lockstep.bench.compare;

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
 * A closed loop: a fixed number of flows of one workload at a time, each sending its operations
 * strictly one after another, the end of one starting the next. Throughput counts the flows that
 * end in the window, latency those that begin in it. The first failure ends the loop.
 *
 * <p>Thread-safe: a flow continues on whichever thread its store answers.
 */
final class FlowLoop {
  private static final long MAX_LATENCY_NANOS = 600_000_000_000L;
  private static final int SIGNIFICANT_DIGITS = 3;
  private static final int STEPS_AT_ONCE = 64;

  private final PeerStore store;
  private final FlowPlan plan;
  private final LongSupplier nanoTime;
  private final int flows;
  private final long startNanos;
  private final long endNanos;
  private final AtomicLong numbers;
  private final AtomicInteger running = new AtomicInteger();
  private final LongAdder ended = new LongAdder();
  private final LongAdder failedReplaces = new LongAdder();
  private final Recorder latencyNanos = new Recorder(MAX_LATENCY_NANOS, SIGNIFICANT_DIGITS);
  private final CompletableFuture<Measured> over = new CompletableFuture<>();
  private volatile @Nullable Throwable failure;

  /**
   * A loop whose warm-up begins now.
   *
   * @param flows at a time
   * @param firstNumber of the first flow: a later point goes on where an earlier one ended
   */
  FlowLoop(
      PeerStore store,
      FlowPlan plan,
      LongSupplier nanoTime,
      int flows,
      long firstNumber,
      long warmupNanos,
      long windowNanos) {
    this.store = store;
    this.plan = plan;
    this.nanoTime = nanoTime;
    this.flows = flows;
    this.numbers = new AtomicLong(firstNumber);
    this.startNanos = nanoTime.getAsLong() + warmupNanos;
    this.endNanos = startNanos + windowNanos;
  }

  /**
   * Starts all flows; completes when the last one ended, with a failure where one failed.
   *
   * @param thread where flows begin, and where one that was answered at once for long goes on after
   *     the others had their turn
   */
  CompletableFuture<Measured> start(Executor thread) {
    running.set(flows);
    for (int i = 0; i < flows; i++) {
      thread.execute(new Lane(thread)::begin);
    }
    return over;
  }

  /** Where the window begins. */
  long startNanos() {
    return startNanos;
  }

  /** Where it ends. */
  long endNanos() {
    return endNanos;
  }

  /** The number of the next flow. */
  long nextNumber() {
    return numbers.get();
  }

  private boolean inWindow(long nanos) {
    return nanos - startNanos >= 0 && nanos - endNanos < 0;
  }

  private void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
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
    Histogram histogram = latencyNanos.getIntervalHistogram();
    over.complete(
        new Measured(
            ended.sum(),
            endNanos - startNanos,
            histogram.getValueAtPercentile(50),
            histogram.getValueAtPercentile(90),
            histogram.getValueAtPercentile(99),
            failedReplaces.sum()));
  }

  /** One flow after another. Owned by the thread that handles its answer. */
  private final class Lane implements BiConsumer<@Nullable Answer, @Nullable Throwable> {
    private final Executor thread;
    private @Nullable Step step;
    private long beganNanos;

    Lane(Executor thread) {
      this.thread = thread;
    }

    void begin() {
      beganNanos = nanoTime.getAsLong();
      step = plan.first(numbers.getAndIncrement());
      run();
    }

    /** Goes on until an answer is awaited; a loop, so that answers at once grow no stack. */
    private void run() {
      Step next = step;
      for (int atOnce = 0; next != null; atOnce++) {
        if (atOnce == STEPS_AT_ONCE) {
          thread.execute(this::run);
          return;
        }
        CompletableFuture<Answer> answer = submit(next.operation());
        if (!answer.isDone() || answer.isCompletedExceptionally()) {
          // accept() throws nothing, so this future fails only as the answer does.
          CompletableFuture<Answer> unused = answer.whenComplete(this);
          return;
        }
        next = advance(answer.join());
      }
      laneEnded();
    }

    /** Asks the store; what it throws fails the flow as an answer would. */
    private CompletableFuture<Answer> submit(Operation operation) {
      try {
        return store.submit(operation);
      } catch (RuntimeException e) {
        return CompletableFuture.failedFuture(e);
      }
    }

    @Override
    public void accept(@Nullable Answer answer, @Nullable Throwable cause) {
      if (answer == null) {
        fail(cause == null ? new IllegalStateException("no answer") : cause);
        laneEnded();
        return;
      }
      try {
        advance(answer);
        run();
      } catch (RuntimeException e) {
        fail(e);
        laneEnded();
      }
    }

    /** The next step, of this flow or the next one, or null at the end. */
    private @Nullable Step advance(Answer answer) {
      Step asked = step;
      if (asked == null) {
        throw new IllegalStateException("an answer to nothing");
      }
      long now = nanoTime.getAsLong();
      if (!answer.done() && asked.operation().isReplace() && inWindow(now)) {
        failedReplaces.increment();
      }
      try {
        step = asked.next().apply(answer);
      } catch (RuntimeException e) {
        fail(e);
        step = null;
      }
      if (step == null) {
        flowEnded(now);
      }
      return step;
    }

    private void flowEnded(long now) {
      if (inWindow(now)) {
        ended.increment();
      }
      if (inWindow(beganNanos)) {
        latencyNanos.recordValue(Math.min(Math.max(0, now - beganNanos), MAX_LATENCY_NANOS));
      }
      if (failure == null && now - endNanos < 0) {
        beganNanos = now;
        step = plan.first(numbers.getAndIncrement());
      }
    }
  }
}
