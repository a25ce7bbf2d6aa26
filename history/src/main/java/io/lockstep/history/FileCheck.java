package io.lockstep.history;

import io.lockstep.bench.runs.BenchException;
import io.lockstep.history.check.HistoryChecker;
import io.lockstep.history.check.Operation;
import io.lockstep.history.check.Violation;
import io.lockstep.history.file.HistoryFormatException;
import io.lockstep.history.file.HistoryReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Reads a history file and checks it; writes what is wrong beside it. */
final class FileCheck {
  private static final int WORKERS = 2;
  private static final int PRINTED = 3;

  private FileCheck() {}

  /** What the file holds, and what the checker says. */
  record Checked(List<Operation> operations, HistoryChecker.Report report, double seconds) {}

  /**
   * Checks; prints the first violations and writes {@code violation-KEY.txt} for each.
   *
   * @param directory where these files go
   */
  static Checked run(Path file, Path directory, PrintWriter out)
      throws BenchException, InterruptedException, IOException {
    long begin = System.nanoTime();
    List<Operation> operations;
    try {
      operations = HistoryReader.read(file);
    } catch (HistoryFormatException e) {
      throw new BenchException(String.valueOf(e.getMessage()), e);
    } catch (NoSuchFileException e) {
      throw new BenchException("there is no file " + file, e);
    }
    HistoryChecker.Report report;
    ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
    try {
      report = HistoryChecker.check(operations, workers);
    } finally {
      workers.shutdownNow();
    }
    show(report.violations(), directory, out);
    return new Checked(operations, report, (System.nanoTime() - begin) / 1e9);
  }

  /** Prints the first violations and writes {@code violation-KEY.txt} for each key. */
  static void show(List<Violation> violations, Path directory, PrintWriter out) throws IOException {
    Map<String, StringBuilder> texts = new LinkedHashMap<>();
    for (Violation violation : violations) {
      texts
          .computeIfAbsent(violation.key(), key -> new StringBuilder())
          .append(
              String.format(
                  "VIOLATION %s/%s: %s%n%s",
                  violation.table(), violation.key(), violation.summary(), violation.window()));
    }
    for (Map.Entry<String, StringBuilder> text : texts.entrySet()) {
      Path target = directory.resolve("violation-" + safe(text.getKey()) + ".txt");
      Files.writeString(target, text.getValue());
    }
    texts.values().stream().limit(PRINTED).forEach(out::print);
  }

  private static String safe(String key) {
    String name = key.replaceAll("[^A-Za-z0-9._-]", "_");
    return name.length() > 100 ? name.substring(0, 100) : name;
  }
}
