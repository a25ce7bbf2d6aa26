package io.lockstep.history;

import io.lockstep.bench.runs.BenchException;
import io.lockstep.history.check.Violation;
import io.lockstep.history.mixed.Step;
import io.lockstep.history.mixed.check.MixedChecker;
import io.lockstep.history.mixed.file.MixedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Reads {@code mixed.jsonl} and checks it; writes what is wrong beside it. */
final class MixedFileCheck {
  private MixedFileCheck() {}

  /**
   * What the file holds, and what the checker says.
   *
   * @param byOutcome how many steps ended so, by operation and outcome
   */
  record Checked(int steps, Map<String, Long> byOutcome, List<Violation> violations) {}

  /**
   * Checks; prints the first violations and writes {@code violation-KEY.txt} for each.
   *
   * @param directory where these files go
   */
  static Checked run(Path file, Path directory, PrintWriter out)
      throws BenchException, IOException {
    List<Step> steps;
    try {
      steps = MixedReader.read(file);
    } catch (MixedReader.FormatException e) {
      throw new BenchException(String.valueOf(e.getMessage()), e);
    } catch (NoSuchFileException e) {
      throw new BenchException("there is no file " + file, e);
    }
    List<Violation> violations = MixedChecker.violations(steps);
    FileCheck.show(violations, directory, out);
    Map<String, Long> byOutcome = new TreeMap<>();
    for (Step step : steps) {
      String name = step.op() + " " + step.outcome();
      byOutcome.merge(name.toLowerCase(Locale.ROOT), 1L, Long::sum);
    }
    return new Checked(steps.size(), byOutcome, violations);
  }
}
