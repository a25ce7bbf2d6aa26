package io.lockstep.deploy.placed;

import io.lockstep.deploy.placed.oracle.WatchedModel.Counts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The figures of all runs of this process; written where {@code -Dplaced.results} says. */
final class ModelResults {
  private static final List<String> ROWS = new ArrayList<>();

  private ModelResults() {}

  /**
   * One rule set is done.
   *
   * @param rules in the logical table at the end, and how many of them the switch does not have
   */
  static synchronized void add(
      String set, String model, int changes, int masters, int rules, int refused, Counts counts)
      throws IOException {
    ROWS.add(
        String.format(
            Locale.ROOT,
            "{\"set\": \"%s\", \"model\": \"%s\", \"changes\": %d, \"mastersReplaced\": %d,"
                + " \"rulesAtEnd\": %d, \"notInSwitch\": %d, \"flowMods\": %d,"
                + " \"flowModsRefused\": %d, \"packets\": %d, \"mismatches\": %d}",
            set,
            model,
            changes,
            masters,
            rules,
            refused,
            counts.flowMods(),
            counts.refused(),
            counts.packets(),
            counts.mismatches()));
    String file = System.getProperty("placed.results", "");
    if (!file.isEmpty()) {
      Files.writeString(Path.of(file), "[\n  " + String.join(",\n  ", ROWS) + "\n]\n");
    }
  }
}
