package io.lockstep.bench.variant;

import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import java.util.ArrayList;
import java.util.List;

/**
 * The attempts of one event whose replace is refused because something changed meanwhile. Each
 * retry is counted once. After {@link #MOST} attempts the packet is dropped and that is counted,
 * too: the host sends it again. With {@link #MOST} a decision stays below the 16 questions in a row
 * that a node allows.
 *
 * @param failed attempts that were refused so far
 */
record Attempts(int failed) {
  /** Attempts at most. */
  static final int MOST = 6;

  static final Attempts FIRST = new Attempts(0);

  /** Something changed meanwhile; tried again. */
  static final Instruction.Count RETRIED = new Instruction.Count("conflict_retried");

  /** The last attempt was refused, too. */
  static final Instruction.Count GAVE_UP = new Instruction.Count("conflict_gave_up");

  /** Whether the next attempt may begin. */
  boolean mayRetry() {
    return failed + 1 < MOST;
  }

  Attempts next() {
    return new Attempts(failed + 1);
  }

  /** No attempt is left: drops the packet. */
  Decision giveUp() {
    List<Instruction> counts = new ArrayList<>();
    addRetries(counts);
    counts.add(GAVE_UP);
    return new Decision.Act(counts);
  }

  /** The same decision in the end, which counts the retries, too. */
  Decision counting(Decision decision) {
    if (failed == 0) {
      return decision;
    }
    if (decision instanceof Decision.Ask ask) {
      return new Decision.Ask(
          ask.command(), ask.freshness(), reply -> counting(ask.then().apply(reply)));
    }
    List<Instruction> steps = new ArrayList<>();
    addRetries(steps);
    if (decision instanceof Decision.Act act) {
      steps.addAll(0, act.instructions());
      return new Decision.Act(steps, act.passesOn());
    }
    return new Decision.Act(steps, true);
  }

  private void addRetries(List<Instruction> steps) {
    for (int i = 0; i < failed; i++) {
      steps.add(RETRIED);
    }
  }
}
