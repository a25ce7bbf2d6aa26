package io.lockstep.core.flow.placed;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Sends flow-mods in parts: the switch must confirm each part before the next leaves. Ends with the
 * first part that the switch does not confirm as a whole, or with nothing where it confirmed all.
 */
final class FlowModSequence implements SwitchRun<Optional<FlowModSequence.Failure>> {
  private final Deque<List<FlowMod>> parts = new ArrayDeque<>();

  /**
   * A part that the switch did not confirm.
   *
   * @param sent the flow-mods of the part
   * @param outcomes one for each
   */
  record Failure(List<FlowMod> sent, List<FlowModOutcome> outcomes) {
    Failure {
      sent = List.copyOf(sent);
      outcomes = List.copyOf(outcomes);
    }

    /** Some of the outcomes, for the log. */
    String summary() {
      return outcomes.stream().distinct().limit(3).toList().toString();
    }

    /** The first flow-mod that the switch rejected; empty where the outcomes are unknown. */
    Optional<Rejected> rejected() {
      for (int i = 0; i < sent.size(); i++) {
        if (outcomes.get(i) instanceof FlowModOutcome.Refused refused) {
          return Optional.of(new Rejected(sent.get(i).tableId(), refused.error()));
        }
      }
      return Optional.empty();
    }
  }

  /** An error of the switch, and the table that the flow-mod was for. */
  record Rejected(int table, String error) {}

  /** Leaves out the parts that are empty. */
  FlowModSequence(List<List<FlowMod>> parts) {
    parts.stream().filter(part -> !part.isEmpty()).forEach(this.parts::add);
  }

  @Override
  public RunAction<Optional<Failure>> start(long nowMillis) {
    List<FlowMod> next = parts.peek();
    return next == null ? new RunAction.End<>(Optional.empty()) : new RunAction.Send<>(next);
  }

  @Override
  public RunAction<Optional<Failure>> stored(long nowMillis) {
    throw new IllegalStateException("a sequence of flow-mods stores nothing");
  }

  @Override
  public RunAction<Optional<Failure>> answered(List<FlowModOutcome> outcomes, long nowMillis) {
    List<FlowMod> sent = parts.remove();
    return outcomes.stream().allMatch(FlowModOutcome.Installed.class::isInstance)
        ? start(nowMillis)
        : new RunAction.End<>(Optional.of(new Failure(sent, outcomes)));
  }
}
