package io.lockstep.history.mixed.load;

import io.lockstep.history.check.Operation.Outcome;
import io.lockstep.history.load.SequentialClient;
import io.lockstep.history.mixed.Step;
import io.lockstep.store.Reply;
import io.lockstep.store.client.BatchingStoreClient;
import java.util.function.BooleanSupplier;

/** A client of the mixed load. Owned by the loop of its store client. */
final class StepClient extends SequentialClient {
  private final Script script;
  private final StepRecorder recorder;
  private final BooleanSupplier pace;

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
    super(name, client);
    this.script = script;
    this.recorder = recorder;
    this.pace = pace;
  }

  @Override
  protected boolean spent() {
    return recorder.full();
  }

  @Override
  protected void proceed() {
    if (!pace.getAsBoolean()) {
      later(WAIT_MILLIS);
      return;
    }
    Ask ask = script.next();
    long startNanos = recorder.now();
    submit(ask.command(), reply -> ended(ask, startNanos, reply));
  }

  private void ended(Ask ask, long startNanos, Reply reply) {
    Step step = recorder.record(name(), ask, startNanos, reply);
    if (step.outcome() == Outcome.OK || step.outcome() == Outcome.FAILED) {
      answered(step.endNanos());
    }
    script.ended(step);
    goOn(step.outcome());
  }
}
