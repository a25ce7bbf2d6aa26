package io.lockstep.bench.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.bench.runs.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A result of another benchmark that lies in a directory: the list {@code NAME.json}, where it
 * comes from in {@code NAME.json.run.json}, and pictures {@code NAME.*.svg}.
 *
 * @param command that makes it
 */
record CommittedResult(Path results, String name, String command) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Whether list and origin are there; else says on the page how to make them. */
  boolean isThere(HtmlText page) {
    for (Path file : List.of(list(), run())) {
      if (!Files.isRegularFile(file)) {
        page.paragraph("The result is missing (" + file.getFileName() + "). This makes it:");
        page.command(command);
        return false;
      }
    }
    return true;
  }

  private Path list() {
    return results.resolve(name + ".json");
  }

  private Path run() {
    return results.resolve(name + ".json.run.json");
  }

  /** Writes command, commit, date, machine and JVM. */
  void origin(HtmlText page) throws IOException, BenchException {
    JsonNode run = read(run());
    JsonNode surroundings = run.path("surroundings");
    JsonNode commit = surroundings.path("commit");
    JsonNode machine = surroundings.path("machine");
    Map<String, String> facts = new LinkedHashMap<>();
    List<String> arguments = new ArrayList<>();
    run.path("commandLine").forEach(argument -> arguments.add(argument.asText()));
    facts.put("command", "./lockstep " + String.join(" ", arguments));
    facts.put(
        "commit",
        commit.path("id").asText() + (commit.path("dirty").asBoolean() ? ", changed" : ""));
    facts.put("date", run.path("startedAt").asText());
    facts.put(
        "machine",
        "%s, %d cores, %d MB, %s"
            .formatted(
                machine.path("cpu").asText(),
                machine.path("cores").asInt(),
                machine.path("memoryMegabytes").asLong(),
                machine.path("os").asText()));
    facts.put("JVM", surroundings.path("jvm").path("version").asText());
    page.facts(facts);
  }

  /** The points. */
  JsonNode points() throws IOException, BenchException {
    JsonNode points = read(list());
    if (!points.isArray()) {
      throw new BenchException(list() + " is no list of points; make it again: " + command);
    }
    return points;
  }

  private JsonNode read(Path file) throws IOException, BenchException {
    try {
      return JSON.readTree(file.toFile());
    } catch (JsonProcessingException e) {
      throw new BenchException(
          file
              + " is cut off or no JSON: "
              + e.getOriginalMessage()
              + "; make it again: "
              + command,
          e);
    }
  }

  /** Copies a picture beside the page and shows it; says so where it is missing. */
  void picture(HtmlText page, Path directory, String suffix, String text) throws IOException {
    String file = name + suffix;
    Path source = results.resolve(file);
    if (!Files.isRegularFile(source)) {
      page.paragraph("The picture " + file + " is missing. This makes it:");
      page.command(command);
      return;
    }
    Path target = directory.resolve(file);
    if (!Files.exists(target) || !Files.isSameFile(source, target)) {
      Files.copy(source, target, StandardCopyOption.REPLACE_EXISTING);
    }
    page.picture(file, text);
  }
}
