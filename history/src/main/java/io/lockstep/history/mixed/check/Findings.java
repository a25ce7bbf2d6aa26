package io.lockstep.history.mixed.check;

import io.lockstep.history.check.Violation;
import io.lockstep.history.mixed.Step;
import io.lockstep.history.mixed.Step.Cell;
import java.util.ArrayList;
import java.util.List;

/** What is wrong, up to a number: behind that nothing is kept. */
final class Findings {
  private static final int MOST_CHARS = 4_000;

  private final List<Violation> violations = new ArrayList<>();
  private final int most;

  Findings(int most) {
    this.most = most;
  }

  /** The steps that show it come in the order of their starts. */
  void add(Cell at, String summary, Step... shown) {
    if (violations.size() == most) {
      return;
    }
    StringBuilder window = new StringBuilder();
    for (Step step : shown) {
      String text = step.toString();
      window
          .append("  ")
          .append(text.length() > MOST_CHARS ? text.substring(0, MOST_CHARS) + "..." : text)
          .append('\n');
    }
    violations.add(new Violation(at.table(), at.key(), summary, window.toString()));
  }

  List<Violation> all() {
    return List.copyOf(violations);
  }
}
