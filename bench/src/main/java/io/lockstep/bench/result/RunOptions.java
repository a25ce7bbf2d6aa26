package io.lockstep.bench.result;

import io.lockstep.bench.measure.Schedule;
import io.lockstep.bench.runs.BenchException;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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

  @Mixin private ResultOptions result;

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

  /** Writes the result file and says where it is. */
  public void write(List<?> points) throws BenchException {
    result.write(command, points);
  }
}
