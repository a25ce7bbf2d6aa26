package io.lockstep.bench.result;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lockstep.bench.runs.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/**
 * One result file. Names of the components are the keys of the JSON object.
 *
 * @param benchmark the subcommand
 * @param startedAt ISO 8601, UTC
 * @param commandLine the arguments as given
 * @param parameters all settings of the run, defaults included
 * @param points what was measured, in the order of the run; records whose component names are keys
 */
public record ResultFile(
    String benchmark,
    String startedAt,
    List<String> commandLine,
    Surroundings surroundings,
    Map<String, Object> parameters,
    List<?> points) {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .build();

  public ResultFile {
    commandLine = List.copyOf(commandLine);
    parameters = Map.copyOf(parameters);
    points = List.copyOf(points);
  }

  /** The file's text. */
  public String json() throws IOException {
    return JSON.writeValueAsString(this) + "\n";
  }

  /**
   * Writes the file, whole or not at all; missing directories are made.
   *
   * @throws IOException that names the file
   */
  public void write(Path file) throws IOException {
    write(file, json());
  }

  /**
   * Writes the points alone, as a plain JSON list, and all else beside it into {@code
   * FILE.run.json}.
   *
   * @throws IOException that names the file
   */
  public void writeList(Path file) throws IOException {
    write(file, JSON.writeValueAsString(points) + "\n");
    new ResultFile(benchmark, startedAt, commandLine, surroundings, parameters, List.of())
        .write(file.resolveSibling(file.getFileName() + ".run.json"));
  }

  private static void write(Path file, String text) throws IOException {
    Path target = file.toAbsolutePath();
    Path directory = target.getParent();
    if (directory != null) {
      Files.createDirectories(directory);
    }
    Path part = target.resolveSibling(target.getFileName() + ".part");
    Files.writeString(part, text);
    Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
  }
}
