package io.lockstep.bench;

import io.lockstep.bench.result.ResultFile;
import io.lockstep.bench.result.Surroundings;
import java.io.IOException;
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
  private final Surroundings surroundings = Surroundings.of(root());

  /** The root of the repository: what the script says, or the working directory. */
  public static Path root() {
    return Path.of(System.getenv().getOrDefault("LOCKSTEP_ROOT", "")).toAbsolutePath();
  }

  /**
   * Writes the result file and says where it is.
   *
   * @param command that was run, with its options
   */
  public void write(CommandSpec command, List<?> points) throws BenchException {
    Path file = out == null ? root().resolve("bench/results/" + command.name() + ".json") : out;
    List<String> arguments = new ArrayList<>(List.of("bench"));
    arguments.addAll(command.root().commandLine().getParseResult().originalArgs());
    try {
      new ResultFile(
              command.name(),
              startedAt.toString(),
              arguments,
              surroundings,
              parameters(command),
              points)
          .write(file);
    } catch (IOException e) {
      throw new BenchException("cannot write " + file + ": " + e.getMessage(), e);
    }
    command.commandLine().getOut().println("results: " + file);
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
