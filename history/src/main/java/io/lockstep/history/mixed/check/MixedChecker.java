package io.lockstep.history.mixed.check;

import io.lockstep.history.check.Operation.Outcome;
import io.lockstep.history.check.Violation;
import io.lockstep.history.mixed.Step;
import io.lockstep.history.mixed.Step.Cell;
import io.lockstep.history.mixed.Step.Guard;
import io.lockstep.history.mixed.Step.Range;
import io.lockstep.history.mixed.Step.ReadEntry;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks steps against the store's own order. Answers name indices, so there is nothing to search:
 *
 * <ul>
 *   <li>atomicity: all that a step wrote has its index, and what it read was so just before;
 *   <li>scans: there is one index at which the range held exactly what the scan returned;
 *   <li>fencing: the guards of a step that took effect held just before it, also where its answer
 *       got lost; a step whose guard failed left nothing;
 *   <li>real time: a step sent after an answer had named an index took effect after that one.
 * </ul>
 *
 * <p>Every entry begins absent. Values are written by one step each.
 */
public final class MixedChecker {
  private static final int MOST_VIOLATIONS = 20;

  private final List<Step> steps;
  private final Findings findings = new Findings(MOST_VIOLATIONS);
  private final Writers writers;
  private final Timeline timeline;
  private final RealTime time;

  private MixedChecker(List<Step> steps) {
    this.steps = steps;
    this.writers = new Writers(steps, findings);
    this.timeline = writers.timeline();
    this.time = new RealTime(steps, writers.indices());
  }

  /** What is wrong, at most 20 of it; empty where the steps can be explained. */
  public static List<Violation> violations(List<Step> steps) {
    MixedChecker checker = new MixedChecker(List.copyOf(steps));
    for (int i = 0; i < checker.steps.size(); i++) {
      checker.check(i);
    }
    return checker.findings.all();
  }

  private void check(int i) {
    Step step = steps.get(i);
    long index = writers.indices()[i];
    if (index >= 0) {
      if (index <= time.floor(i)) {
        String named = ", after an answer had named " + time.floor(i);
        findings.add(Writers.cell(step), "took effect at " + index + named, step);
      }
      step.guards().forEach(guard -> checkGuard(step, guard, index));
      step.reads().forEach(seen -> checkSeen(step, seen, index));
    } else if (step.outcome() == Outcome.OK) {
      checkSomewhere(i);
    } else if (step.outcome() == Outcome.FAILED) {
      checkRefusal(i);
    }
  }

  private void checkGuard(Step step, Guard guard, long index) {
    Timeline.Change before = timeline.at(guard.cell(), index - 1);
    long version = before == null || !before.present() ? 0 : before.index();
    boolean holds =
        version == guard.version()
            || (guard.version() == 0 && writers.mayBeRemoved(guard.cell(), step));
    if (!holds) {
      findings.add(
          guard.cell(),
          String.format(
              "%s: took effect at %d under a guard of version %d, when it was %d",
              isFenced(step) ? "FENCING" : "GUARD", index, guard.version(), version),
          step);
    }
  }

  private static boolean isFenced(Step step) {
    return step.op() == Step.Op.GUARDED_WRITE || step.op() == Step.Op.RELEASE_LEASE;
  }

  private void checkSeen(Step step, ReadEntry seen, long index) {
    Timeline.Change before = timeline.at(seen.cell(), index - 1);
    long version = before == null || !before.present() ? 0 : before.index();
    boolean right =
        version == seen.version()
            || (seen.version() == 0 && writers.mayBeRemoved(seen.cell(), step));
    if (!right) {
      findings.add(
          seen.cell(),
          String.format(
              "ATOMICITY: read version %d at %d, when it was %d", seen.version(), index, version),
          step);
    }
  }

  /** A refusal names an entry: it was so at some index, and did not fit the guard. */
  private void checkRefusal(int i) {
    Step step = steps.get(i);
    for (ReadEntry seen : step.reads()) {
      boolean held =
          step.guards().stream()
              .anyMatch(
                  guard -> guard.cell().equals(seen.cell()) && guard.version() == seen.version());
      if (held) {
        findings.add(seen.cell(), "refused although the guard held", step);
      }
    }
    checkSomewhere(i);
  }

  /** Was all that a step read so at one and the same index, within its time? */
  private void checkSomewhere(int i) {
    Step step = steps.get(i);
    long from = time.floor(i);
    long to = time.ceiling(i) - 1;
    Set<Cell> absent = new HashSet<>();
    Range range = step.range();
    if (range != null) {
      absent.addAll(timeline.in(range));
    }
    for (ReadEntry seen : step.reads()) {
      absent.remove(seen.cell());
      if (seen.version() == 0) {
        absent.add(seen.cell());
      } else {
        from = Math.max(from, seen.version());
        to = Math.min(to, timeline.nextChange(seen.cell(), seen.version()) - 1);
      }
    }
    String wrong = from > to ? "no index fits all that it returned" : null;
    if (wrong == null) {
      wrong = absence(step, absent, from, to);
    }
    if (wrong != null) {
      String kind = range == null ? "READ: " : "SCAN: ";
      findings.add(Writers.cell(step), kind + wrong, step);
    }
  }

  /** Null where there is an index at which none of the cells had an entry; else what is wrong. */
  private @Nullable String absence(Step step, Set<Cell> absent, long from, long to) {
    long at = from;
    boolean moved = true;
    while (moved) {
      moved = false;
      for (Cell cell : absent) {
        Timeline.Change now = timeline.at(cell, at);
        if (now != null && now.present() && !writers.mayBeRemoved(cell, step)) {
          at = timeline.nextRemove(cell, at);
          moved = true;
          if (at > to) {
            return cell + " is missing at every index that fits the rest";
          }
        }
      }
    }
    return null;
  }
}
