package io.lockstep.history.mixed.load;

import io.lockstep.history.mixed.Step;
import io.lockstep.history.mixed.file.MixedWriter;
import io.lockstep.store.Reply;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Writes steps down as they end, on the run's clock. Thread-safe. */
public final class StepRecorder {
  private final MixedWriter writer;
  private final LongSupplier runNanos;
  private final AtomicLong left;

  /**
   * A recorder.
   *
   * @param runNanos nanoseconds since the run began
   * @param lines after which clients end; those at hand and the reads at the end come on top
   */
  public StepRecorder(MixedWriter writer, LongSupplier runNanos, long lines) {
    this.writer = writer;
    this.runNanos = runNanos;
    this.left = new AtomicLong(lines);
  }

  long now() {
    return runNanos.getAsLong();
  }

  boolean full() {
    return left.get() <= 0;
  }

  Step record(String client, Ask ask, long startNanos, Reply reply) {
    Step step = Answers.step(client, ask, startNanos, now(), reply);
    writer.write(step);
    left.decrementAndGet();
    return step;
  }
}
