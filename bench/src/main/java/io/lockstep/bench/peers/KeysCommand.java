package io.lockstep.bench.peers;

import io.lockstep.bench.measure.Figures;
import io.lockstep.bench.measure.RatioBounds;
import io.lockstep.bench.result.ResultOptions;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.bench.runs.Surroundings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench keys}: what TLS on the store's links costs. */
@Command(
    name = "keys",
    description =
        "Measures the store without keys (before) and with keys (after) in alternating windows, "
            + "three replica processes and a load process each, and prints what TLS costs. The "
            + "workload is the learning switch as a micro component: one operation a flow.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class KeysCommand implements Callable<Integer> {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final String WORKLOAD = "ls-ucast";

  @Spec private CommandSpec spec;
  @Mixin private ResultOptions result;

  @Option(
      names = "--flows",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,64",
      description = "Closed-loop flows at a time (${DEFAULT-VALUE}).")
  private List<Integer> flows;

  @Option(
      names = "--durable",
      arity = "1",
      paramLabel = "true|false",
      defaultValue = "false",
      description = "Whether the store is on disk (${DEFAULT-VALUE}).")
  private boolean durable;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "How often all is measured, each time with new processes (${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--warmup",
      paramLabel = "SECONDS",
      defaultValue = "16",
      description = "Load on each side before it is measured (${DEFAULT-VALUE}).")
  private int warmupSeconds;

  @Option(
      names = "--windows",
      paramLabel = "N",
      defaultValue = "4",
      description = "Windows of each side in a round (${DEFAULT-VALUE}).")
  private int windows;

  @Option(
      names = "--seconds",
      paramLabel = "SECONDS",
      defaultValue = "2",
      description = "Length of a window (${DEFAULT-VALUE}).")
  private int seconds;

  @Override
  public Integer call() throws BenchException, IOException {
    check();
    PrintWriter print = spec.commandLine().getOut();
    Path root = Surroundings.root();
    List<ReleasePoint> points = new ArrayList<>();
    try (Interruption open = Interruption.open()) {
      for (int number : flows) {
        new ReleasesRun(plan(number), (side, mode) -> start(side, root, mode))
            .run(
                point -> {
                  points.add(point);
                  print.println(line(point));
                  print.flush();
                  result.keep(spec, points);
                });
      }
      costs(points).forEach(print::println);
      result.write(spec, points);
      return 0;
    } catch (InterruptedException | ClosedByInterruptException e) {
      print.println("stopped; what was measured is in the result file");
      print.flush();
      return 1;
    }
  }

  private void check() {
    if (rounds < 1 || windows < 1 || seconds < 1 || warmupSeconds < 0) {
      throw wrong("--rounds, --windows and --seconds are at least 1, --warmup at least 0");
    }
    if (flows.stream().anyMatch(number -> number < 1)) {
      throw wrong("--flows is at least 1");
    }
    if (rounds > RatioBounds.MOST_ROUNDS) {
      throw wrong("--rounds is at most " + RatioBounds.MOST_ROUNDS);
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private ReleasesRun.Plan plan(int number) {
    return new ReleasesRun.Plan(
        List.of(WORKLOAD),
        List.of(durable),
        number,
        rounds,
        warmupSeconds,
        windows,
        seconds * 1000);
  }

  private static StoreRun start(ReleasesRun.Side side, Path root, boolean mode)
      throws BenchException, IOException, InterruptedException {
    Path parent = !mode && Files.isWritable(MEMORY) ? MEMORY : root.resolve("bench/target/keys");
    return new StoreRun(
        StoreKind.LOCKSTEP, root, parent, mode, List.of(), side == ReleasesRun.Side.AFTER);
  }

  private static String line(ReleasePoint point) {
    return String.format(
        Locale.ROOT,
        "round %d, %d in flight: %.0f flows/s without keys, %.0f with (%.3f), p50 %.3f and %.3f ms,"
            + " CPU %.2f and %.2f us a flow",
        point.round(),
        point.flows(),
        point.before().flowsPerSecond(),
        point.after().flowsPerSecond(),
        point.flowsRatio(),
        point.before().p50Millis(),
        point.after().p50Millis(),
        point.before().cpuMicrosPerFlow(),
        point.after().cpuMicrosPerFlow());
  }

  /** A line for each number of flows. */
  static List<String> costs(List<ReleasePoint> points) {
    return points.stream()
        .map(ReleasePoint::flows)
        .distinct()
        .map(
            number -> {
              List<ReleasePoint> of =
                  points.stream().filter(point -> point.flows() == number).toList();
              return String.format(
                  Locale.ROOT,
                  "%d in flight, %d rounds: flows with keys over those without %s, CPU a flow %s;"
                      + " median of p50 %.3f ms more",
                  number,
                  of.size(),
                  RatioBounds.of(of, ReleasePoint::flowsRatio),
                  RatioBounds.of(of, ReleasePoint::cpuRatio),
                  median(of));
            })
        .toList();
  }

  private static double median(List<ReleasePoint> of) {
    double[] more =
        of.stream()
            .mapToDouble(point -> point.after().p50Millis() - point.before().p50Millis())
            .toArray();
    return Figures.median(more);
  }
}
