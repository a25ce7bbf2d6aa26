package io.lockstep.core.flow.placed;

import io.lockstep.core.southbound.FlowMod;
import java.util.List;
import java.util.function.Consumer;

/**
 * Leads runs to their ends: carries out the action that a run asks for, and calls the run with the
 * answer. Control loop only.
 */
final class RunDriver {
  private final SwitchChannel channel;
  private final SwitchPlacement placement;

  RunDriver(SwitchChannel channel, SwitchPlacement placement) {
    this.channel = channel;
    this.placement = placement;
  }

  /**
   * Begins a run and leads it to its end.
   *
   * @param ended gets what the run ends with
   * @param unknown gets the reason where the node has to read the switch anew instead
   */
  <R> void perform(SwitchRun<R> run, Consumer<R> ended, Consumer<String> unknown) {
    perform(run, run.start(channel.nowMillis()), ended, unknown);
  }

  private <R> void perform(
      SwitchRun<R> run, RunAction<R> action, Consumer<R> ended, Consumer<String> unknown) {
    action.match(
        new RunAction.Cases<R>() {
          @Override
          public void store() {
            RunDriver.this.store(
                () -> perform(run, run.stored(channel.nowMillis()), ended, unknown));
          }

          @Override
          public void send(List<FlowMod> mods) {
            placement.sending();
            channel.send(
                mods,
                outcomes ->
                    perform(run, run.answered(outcomes, channel.nowMillis()), ended, unknown));
          }

          @Override
          public void end(R result) {
            ended.accept(result);
          }

          @Override
          public void readAnew(String reason) {
            unknown.accept(reason);
          }
        });
  }

  /** Writes to the store what it does not have yet, then goes on. */
  void store(Runnable then) {
    if (placement.ledger().written()) {
      then.run();
    } else {
      channel.write(placement.ledger().takeWrites(), () -> store(then));
    }
  }
}
