package io.lockstep.walks;

import java.io.PrintStream;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Records all walks, counts their files and prints the counts as a table in Markdown. */
public final class WalksMain {
  private WalksMain() {}

  /**
   * Runs all walks.
   *
   * @param arguments {@code --files} for the list of files of each walk as well, or nothing
   */
  public static void main(String[] arguments) throws Exception {
    PrintStream out = System.out;
    Map<Walk, List<Window>> windows = NodeWalks.record();
    windows.putAll(StoreWalks.record());
    Map<Walk, WalkedFiles> counts = new EnumMap<>(Walk.class);
    windows.forEach((walk, repetitions) -> counts.put(walk, CountingRule.count(walk, repetitions)));
    out.printf(
        "commit %s, JVM %s, %d cores%n%n",
        System.getProperty("lockstep.walks.commit", "unknown"),
        Runtime.version(),
        Runtime.getRuntime().availableProcessors());
    printTable(out, counts);
    if (List.of(arguments).contains("--files")) {
      counts.forEach((walk, files) -> printFiles(out, walk, files));
    }
  }

  private static void printTable(PrintStream out, Map<Walk, WalkedFiles> counts) {
    out.println("| walk | bound | working | on the way | all |");
    out.println("| --- | --- | --- | --- | --- |");
    counts.forEach(
        (walk, files) ->
            out.printf(
                "| %s | %s | %d | %d | %d |%n",
                walk.title(),
                walk.bound(),
                files.working().size(),
                files.onTheWay().size(),
                files.all().size()));
  }

  private static void printFiles(PrintStream out, Walk walk, WalkedFiles files) {
    out.printf("%n## %s%n%n", walk.title());
    int number = 1;
    for (String file : files.all()) {
      out.printf("%d. %s (%s)%n", number++, file, files.reason(file));
    }
  }
}
