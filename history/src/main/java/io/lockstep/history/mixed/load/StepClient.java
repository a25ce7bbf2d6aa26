package io.lockstep.history.mixed.load;

import io.lockstep.history.check.Operation.Outcome;
import io.lockstep.history.load.Progress;
import io.lockstep.history.mixed.Step;
import io.lockstep.store.Reply;
import io.lockstep.store.client.BatchingStoreClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One client: a step at a time, each begun when the one before it has its answer or was given up.
 * Owned by the loop of its store client.
 */
final class StepClient implements Progress {
  private static final int WAIT_MILLIS = 5;

  private final String name;
  private final BatchingStoreClient client;
  private final Script script;
  private final StepRecorder recorder;
  private final BooleanSupplier pace;
  private final CompletableFuture<Void> over = new CompletableFuture<>();
  private volatile boolean stopping;
  private volatile long answeredNanos = -1;

  /**
   * A client that does nothing until {@link #start}.
   *
   * @param pace whether one more step may be sent now; any thread
   */
  StepClient(
      String name,
      BatchingStoreClient client,
      Script script,
      StepRecorder recorder,
      BooleanSupplier pace) {
    this.name = name;
    this.client = client;
    this.script = script;
    this.recorder = recorder;
    this.pace = pace;
  }

  /** Begins. Any thread; once. */
  void start() {
    client.loop().execute(this::next);
  }

  /** Ends after the step at hand. Any thread. */
  void stop() {
    stopping = true;
  }

  @Override
  public CompletableFuture<Void> ended() {
    return over;
  }

  @Override
  public long answeredNanos() {
    return answeredNanos;
  }

  @Override
  public String name() {
    return name;
  }

  private void next() {
    if (stopping || recorder.full()) {
      over.complete(null);
    } else if (!pace.getAsBoolean()) {
      later(WAIT_MILLIS);
    } else {
      Ask ask = script.next();
      long startNanos = recorder.now();
      client.submit(ask.command()).whenComplete((reply, failure) -> ended(ask, startNanos, reply));
    }
  }

  private void ended(Ask ask, long startNanos, @Nullable Reply reply) {
    if (reply == null) {
      throw new IllegalStateException("a reply is always a value");
    }
    Step step = recorder.record(name, ask, startNanos, reply);
    if (step.outcome() == Outcome.OK || step.outcome() == Outcome.FAILED) {
      answeredNanos = step.endNanos();
    }
    script.ended(step);
    // Not at once: a client that refuses without delay must not make the stack grow.
    later(step.outcome() == Outcome.ERROR ? WAIT_MILLIS : 0);
  }

  private void later(int millis) {
    try {
      client.loop().schedule(this::next, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closed) {
      over.complete(null);
    }
  }
}
