package io.lockstep.history.mixed.check;

import io.lockstep.history.check.Operation.Outcome;
import io.lockstep.history.mixed.Step;
import io.lockstep.history.mixed.Step.Cell;
import io.lockstep.history.mixed.Step.ReadEntry;
import io.lockstep.history.mixed.Step.Write;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which step wrote what, and at which index. A step without an answer gets its place when anything
 * that it wrote was read: then all of its writes have that index.
 */
final class Writers {
  private static final long NOT_PLACED = -1;

  private final List<Step> steps;
  private final Findings findings;
  private final long[] indices;
  private final Map<Long, Integer> byIndex = new HashMap<>();
  private final Map<String, Integer> byValue = new HashMap<>();
  private final Map<Cell, List<Integer>> doubtfulRemoves = new HashMap<>();
  private final Timeline timeline = new Timeline();

  Writers(List<Step> steps, Findings findings) {
    this.steps = steps;
    this.findings = findings;
    this.indices = new long[steps.size()];
    Arrays.fill(indices, NOT_PLACED);
    for (int i = 0; i < steps.size(); i++) {
      register(i);
    }
    for (int i = 0; i < steps.size(); i++) {
      for (ReadEntry seen : steps.get(i).reads()) {
        place(i, seen);
      }
    }
    for (int i = 0; i < steps.size(); i++) {
      settle(i);
    }
  }

  private void register(int i) {
    Step step = steps.get(i);
    for (Write write : step.writes()) {
      String value = write.value();
      Integer other = value == null ? null : byValue.put(value, i);
      if (other != null && other != i) {
        findings.add(write.cell(), "two steps write the value " + value, steps.get(other), step);
      }
    }
    Long index = step.index();
    if (index != null) {
      // Steps that only read have one of their own, too.
      takeIndex(i, index);
    }
  }

  private void takeIndex(int i, long index) {
    indices[i] = index;
    Integer other = byIndex.putIfAbsent(index, i);
    if (other != null && other != i) {
      Step step = steps.get(i);
      findings.add(cell(step), "index " + index + " was given twice", steps.get(other), step);
    }
  }

  /** A client read an entry: so its writer took effect, at the entry's version. */
  private void place(int reader, ReadEntry seen) {
    String value = seen.value();
    if (value == null) {
      return;
    }
    Integer i = byValue.get(value);
    Step reading = steps.get(reader);
    if (i == null) {
      findings.add(seen.cell(), "read " + value + ", which was never written", reading);
      return;
    }
    Step writing = steps.get(i);
    boolean there =
        writing.writes().stream()
            .anyMatch(
                write -> write.cell().equals(seen.cell()) && Objects.equals(write.value(), value));
    if (!there) {
      findings.add(seen.cell(), "read " + value + ", written elsewhere", writing, reading);
    } else if (writing.outcome() == Outcome.FAILED || writing.outcome() == Outcome.ERROR) {
      findings.add(seen.cell(), "read " + value + ", whose write was refused", writing, reading);
    } else if (indices[i] == NOT_PLACED) {
      takeIndex(i, seen.version());
    } else if (indices[i] != seen.version()) {
      findings.add(
          seen.cell(),
          "read " + value + " with version " + seen.version() + ", written at " + indices[i],
          writing,
          reading);
    }
  }

  private void settle(int i) {
    Step step = steps.get(i);
    for (Write write : step.writes()) {
      if (indices[i] != NOT_PLACED) {
        timeline.add(write.cell(), new Timeline.Change(indices[i], write.value()));
      } else if (step.outcome() == Outcome.UNKNOWN && write.value() == null) {
        doubtfulRemoves.computeIfAbsent(write.cell(), fresh -> new ArrayList<>()).add(i);
      }
    }
  }

  static Cell cell(Step step) {
    if (!step.writes().isEmpty()) {
      return step.writes().get(0).cell();
    }
    Step.Range range = step.range();
    if (range != null) {
      return new Cell(range.table(), range.from());
    }
    return step.reads().isEmpty() ? new Cell("", "") : step.reads().get(0).cell();
  }

  Timeline timeline() {
    return timeline;
  }

  /** The indices of all steps, -1 where one is not known. */
  long[] indices() {
    return indices;
  }

  /** Whether a remove without an answer may have taken an entry away before a step's end. */
  boolean mayBeRemoved(Cell cell, Step before) {
    @Nullable List<Integer> removes = doubtfulRemoves.get(cell);
    return removes != null
        && removes.stream().anyMatch(i -> steps.get(i).startNanos() < before.endNanos());
  }
}
