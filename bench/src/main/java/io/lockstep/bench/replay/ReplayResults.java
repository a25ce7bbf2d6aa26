package io.lockstep.bench.replay;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Results in a file, a line of JSON for each, so that a fork can hand them to its parent. */
final class ReplayResults {
  private static final ObjectMapper JSON = new ObjectMapper();

  private ReplayResults() {}

  /** Appends one. */
  static void append(Path file, ReplayResult result) throws IOException {
    Files.writeString(
        file,
        JSON.writeValueAsString(result) + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  /** All of a file; none where there is no file. */
  static List<ReplayResult> read(Path file) throws IOException {
    List<ReplayResult> results = new ArrayList<>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        results.add(JSON.readValue(line, ReplayResult.class));
      }
    }
    return results;
  }
}
