package io.lockstep.deploy.ovs;

import io.lockstep.deploy.ovs.CapturedPings.Tally;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;

/**
 * What one way to change the path gave.
 *
 * @param mode the way to change it
 * @param kills of masters
 * @param seconds that all changes took, captures included
 */
record UnisonSummary(String mode, int changes, int kills, Tally tally, long seconds) {
  /** A file that gets a line for each mode; empty for none. */
  private static final String RESULTS = System.getProperty("lockstep.unison.results", "");

  /** Before a result makes the checkout differ from its commit. */
  private static final String COMMIT = RESULTS.isEmpty() ? "" : commit();

  /** The commit of this checkout, with {@code -dirty} where its files differ, results aside. */
  private static String commit() {
    String id = Shell.run(List.of("git", "rev-parse", "--short=8", "HEAD")).strip();
    String changes =
        Shell.run(
            List.of(
                "git",
                "status",
                "--porcelain",
                "--untracked-files=no",
                "--",
                ":/",
                ":(top,exclude)bench/results"));
    return changes.isBlank() ? id : id + "-dirty";
  }

  /** Writes it to the test's output, and where there is one to the file of results. */
  void report() throws IOException {
    Testbed.report("%s", line(COMMIT));
    if (!RESULTS.isEmpty()) {
      Files.writeString(
          Path.of(RESULTS),
          line(COMMIT) + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
  }

  /** A line of JSON. */
  String line(String commit) {
    return String.format(
        Locale.ROOT,
        "{\"mode\": \"%s\", \"changes\": %d, \"kills\": %d, \"pings\": %d, \"twiceOnLink\": %d,"
            + " \"lost\": %d, \"seconds\": %d, \"commit\": \"%s\"}",
        mode,
        changes,
        kills,
        tally.sent(),
        tally.looped(),
        tally.lost(),
        seconds,
        commit);
  }
}
