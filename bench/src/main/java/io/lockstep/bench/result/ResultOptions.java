package io.lockstep.bench.result;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.bench.runs.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** Where the result of a benchmark goes, and what it says of its origin. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class ResultOptions {
  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "The result file; default: bench/results/<benchmark>.json.")
  private @Nullable Path out;

  private final Instant startedAt = Instant.now().truncatedTo(ChronoUnit.SECONDS);
  private final Surroundings surroundings = Surroundings.of(Surroundings.root());

  /**
   * Writes the result file and says where it is.
   *
   * @param command that was run, with its options
   */
  public void write(CommandSpec command, List<?> points) throws BenchException {
    keep(command, points);
    command.commandLine().getOut().println("results: " + file(command));
  }

  /** Writes the points as a JSON list, and beside it, as FILE.run.json, where they come from. */
  public void writeList(CommandSpec command, List<?> points) throws BenchException {
    keepList(command, points);
    command.commandLine().getOut().println("results: " + file(command));
  }

  /** Writes the list as far as it goes, so that a run that is stopped keeps it. */
  public void keepList(CommandSpec command, List<?> points) throws BenchException {
    try {
      result(command, points).writeList(file(command));
    } catch (IOException e) {
      throw new BenchException("cannot write " + file(command) + ": " + e.getMessage(), e);
    }
  }

  /** Writes a further file beside the result file, whose name it continues. */
  public void writeBeside(CommandSpec command, String suffix, String text) throws BenchException {
    Path result = file(command);
    String name = result.getFileName().toString().replaceFirst("\\.json$", "");
    Path further = result.resolveSibling(name + suffix);
    try {
      Files.writeString(further, text);
    } catch (IOException e) {
      throw new BenchException("cannot write " + further + ": " + e.getMessage(), e);
    }
  }

  /** Which command, commit and day a result comes from, in a line for its pictures. */
  public String origin(CommandSpec command) {
    String commit = surroundings.commit().id();
    return "bench "
        + command.name()
        + ", commit "
        + commit.substring(0, Math.min(8, commit.length()))
        + (surroundings.commit().dirty() ? " and changes" : "")
        + ", "
        + startedAt.toString().substring(0, 10);
  }

  /** Writes the result file as far as it goes, so that a run that is stopped keeps it. */
  public void keep(CommandSpec command, List<?> points) throws BenchException {
    try {
      result(command, points).write(file(command));
    } catch (IOException e) {
      throw new BenchException("cannot write " + file(command) + ": " + e.getMessage(), e);
    }
  }

  private ResultFile result(CommandSpec command, List<?> points) {
    List<String> arguments = new ArrayList<>(List.of("bench"));
    arguments.addAll(command.root().commandLine().getParseResult().originalArgs());
    return new ResultFile(
        command.name(), startedAt.toString(), arguments, surroundings, parameters(command), points);
  }

  /**
   * The points of a result file that a run with the same settings, of the same commit, has left.
   *
   * @return empty where there is no file
   * @throws BenchException where it is of another run, or no result file
   */
  public <T> List<T> resume(CommandSpec command, Class<T> type) throws BenchException {
    Path file = file(command);
    if (!Files.exists(file)) {
      return List.of();
    }
    ObjectMapper json = new ObjectMapper();
    try {
      JsonNode before = json.readTree(file.toFile());
      JsonNode own = json.valueToTree(settings(command));
      String commit = before.path("surroundings").path("commit").path("id").asText();
      ObjectNode theirs = before.path("parameters").deepCopy();
      theirs.remove(List.of("out", "resume"));
      if (!theirs.equals(own) || !commit.equals(surroundings.commit().id())) {
        throw new BenchException(
            file + " is of another commit or has other settings: " + commit + " " + theirs);
      }
      List<T> points = new ArrayList<>();
      for (JsonNode point : before.path("points")) {
        points.add(json.treeToValue(point, type));
      }
      return points;
    } catch (IOException | ClassCastException e) {
      throw new BenchException(file + " is no result file: " + e.getMessage(), e);
    }
  }

  private Map<String, Object> settings(CommandSpec command) {
    Map<String, Object> settings = parameters(command);
    settings.keySet().removeAll(List.of("out", "resume"));
    return settings;
  }

  private Path file(CommandSpec command) {
    return out == null
        ? Surroundings.root().resolve("bench/results/" + command.name() + ".json")
        : out;
  }

  private Map<String, Object> parameters(CommandSpec command) {
    Map<String, Object> parameters = new LinkedHashMap<>();
    for (OptionSpec option : command.options()) {
      Object value = option.getValue();
      if (value != null && !option.usageHelp() && !option.versionHelp()) {
        boolean plain = value instanceof Number || value instanceof Boolean;
        parameters.put(
            option.longestName().replaceFirst("^--", ""), plain ? value : value.toString());
      }
    }
    return parameters;
  }
}
