package io.lockstep.bench.result;

import io.lockstep.bench.measure.Schedule;
import io.lockstep.bench.measure.WarmUpLoad;
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
      description =
          "Load before each point that is not counted; it goes on until neither the rate nor the"
              + " CPU time gets better (${DEFAULT-VALUE}).")
  private int warmupSeconds;

  @Option(
      names = "--warmup-most",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description =
          "After so much load the point is measured in any case; its figures then say that the"
              + " system was not warm (${DEFAULT-VALUE}).")
  private int mostWarmupSeconds;

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

  /** The load before each point. */
  public WarmUpLoad warmUp() {
    try {
      return new WarmUpLoad(warmupSeconds, Math.max(warmupSeconds, mostWarmupSeconds));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  /** How long each point is measured. */
  public Schedule schedule() {
    return schedule(seconds);
  }

  /** The schedule of a window of some seconds that begins at once. */
  public Schedule schedule(int windowSeconds) {
    try {
      return Schedule.ofSeconds(0, windowSeconds, deadlineMillis);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  /** Writes the result file and says where it is. */
  public void write(List<?> points) throws BenchException {
    result.write(command, points);
  }
}
