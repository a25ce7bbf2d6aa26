package io.lockstep.bench.pictures;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.bench.runs.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * A result file, of any of the forms that the benchmarks write: an object with points and origin,
 * or a list of points with its origin in {@code FILE.run.json}.
 *
 * @param file its name
 * @param points at least one
 * @param origin what stands under a picture: file, commit, machine, JVM
 */
record HeadlineResult(String file, List<JsonNode> points, String origin) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int COMMIT_DIGITS = 8;

  HeadlineResult {
    points = List.copyOf(points);
  }

  /**
   * Reads a file.
   *
   * @param command that makes it, for the message where it is missing
   */
  static HeadlineResult read(Path directory, String name, String command) throws BenchException {
    Path file = directory.resolve(name);
    Path beside = directory.resolve(name + ".run.json");
    String remedy = "; make it with ./lockstep bench " + command;
    if (!Files.isRegularFile(file)) {
      throw new BenchException(file + " is missing" + remedy);
    }
    try {
      JsonNode content = JSON.readTree(file.toFile());
      JsonNode list = content.isArray() ? content : content.path("points");
      List<JsonNode> points = new ArrayList<>();
      list.forEach(points::add);
      if (points.isEmpty()) {
        throw new BenchException(file + " has no points" + remedy);
      }
      JsonNode run =
          content.isArray() && Files.isRegularFile(beside)
              ? JSON.readTree(beside.toFile())
              : content;
      return new HeadlineResult(name, points, origin(name, run));
    } catch (IOException e) {
      throw new BenchException(file + " is no result: " + e.getMessage() + remedy, e);
    }
  }

  /** What is known of it; results of {@code compare} have it under a key of their own. */
  private static String origin(String name, JsonNode run) {
    JsonNode from = run.has("run") ? run.path("run") : run.path("surroundings");
    JsonNode machine = from.path("machine");
    JsonNode commit = from.path("commit");
    List<String> facts = new ArrayList<>(List.of(name));
    if (commit.has("id")) {
      String id = commit.path("id").asText();
      facts.add(
          "commit "
              + id.substring(0, Math.min(COMMIT_DIGITS, id.length()))
              + (commit.path("dirty").asBoolean() ? " with changes" : ""));
    }
    if (machine.has("cpu")) {
      facts.add(
          String.format(
              Locale.ROOT,
              "%s, %d cores",
              machine.path("cpu").asText(),
              machine.path("cores").asInt()));
    }
    if (from.path("jvm").has("version")) {
      facts.add("Java " + from.path("jvm").path("version").asText());
    }
    return String.join(", ", facts);
  }

  /** The points that fit. */
  List<JsonNode> where(Predicate<JsonNode> fits) {
    return points.stream().filter(fits).toList();
  }
}
