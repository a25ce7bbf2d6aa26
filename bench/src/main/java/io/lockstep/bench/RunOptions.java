package io.lockstep.bench;

import io.lockstep.bench.measure.Schedule;
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
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options every closed-loop benchmark has. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class RunOptions {
  @Spec(Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--in-flight",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,16,64,256",
      description = "Operations outstanding in total; one point for each (${DEFAULT-VALUE}).")
  private List<Integer> inFlight;

  @Option(
      names = "--warmup",
      paramLabel = "SECONDS",
      defaultValue = "5",
      description = "Run before each point and not counted (${DEFAULT-VALUE}).")
  private int warmupSeconds;

  @Option(
      names = "--seconds",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "Measured window of each point (${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--deadline-millis",
      paramLabel = "MS",
      defaultValue = "2000",
      description = "An operation unanswered for so long is lost (${DEFAULT-VALUE}).")
  private int deadlineMillis;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "The result file; default: bench/results/<benchmark>.json.")
  private @Nullable Path out;

  private final Instant startedAt = Instant.now().truncatedTo(ChronoUnit.SECONDS);
  private final Surroundings surroundings = Surroundings.of(root());

  /** The points. */
  public List<Integer> inFlight() {
    for (int count : inFlight) {
      if (count < 1 || count > 1 << 16) {
        throw new ParameterException(
            command.commandLine(), "--in-flight: 1 to 65536, not " + count);
      }
    }
    return inFlight;
  }

  /** How long each point runs. */
  public Schedule schedule() {
    try {
      return Schedule.ofSeconds(warmupSeconds, seconds, deadlineMillis);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  /** The root of the repository: what the script says, or the working directory. */
  public static Path root() {
    return Path.of(System.getProperty("lockstep.root", "")).toAbsolutePath();
  }

  /** Writes the result file and says where it is. */
  public void write(List<?> points) throws BenchException {
    Path file = out == null ? root().resolve("bench/results/" + command.name() + ".json") : out;
    List<String> arguments = new ArrayList<>(List.of("bench"));
    arguments.addAll(command.root().commandLine().getParseResult().originalArgs());
    try {
      new ResultFile(
              command.name(), startedAt.toString(), arguments, surroundings, parameters(), points)
          .write(file);
    } catch (IOException e) {
      throw new BenchException("cannot write " + file + ": " + e.getMessage(), e);
    }
    command.commandLine().getOut().println("results: " + file);
  }

  private Map<String, Object> parameters() {
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
