package io.lockstep.bench.peers;

import io.lockstep.bench.compare.Workloads;
import io.lockstep.bench.measure.RatioBounds;
import io.lockstep.bench.result.BuildOptions;
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
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench releases}: two builds of our store beside each other. */
@Command(
    name = "releases",
    description =
        "Measures the store of two built checkouts in alternating windows, three replica processes "
            + "each, with the workloads as micro components, and prints the ratios of after to "
            + "before.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class ReleasesCommand implements Callable<Integer> {
  private static final Path MEMORY = Path.of("/dev/shm");

  @Spec private CommandSpec spec;
  @Mixin private BuildOptions options;
  @Mixin private ResultOptions result;

  @Option(
      names = "--workloads",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "ls-ucast,dm-known",
      description = "Which workloads (${DEFAULT-VALUE}).")
  private List<String> workloads;

  @Option(
      names = "--flows",
      paramLabel = "N",
      defaultValue = "64",
      description = "Closed-loop flows at a time (${DEFAULT-VALUE}).")
  private int flows;

  @Option(
      names = "--durable",
      arity = "1",
      paramLabel = "true|false",
      description = "Only durable stores, or only those in memory; default: both.")
  private @Nullable Boolean durable;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "7",
      description = "How often all is measured, each time with new processes (${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--warmup",
      paramLabel = "SECONDS",
      defaultValue = "24",
      description = "Load of each workload on each build before it is measured (${DEFAULT-VALUE}).")
  private int warmupSeconds;

  @Option(
      names = "--windows",
      paramLabel = "N",
      defaultValue = "6",
      description = "Windows of each workload and build in a round (${DEFAULT-VALUE}).")
  private int windows;

  @Option(
      names = "--seconds",
      paramLabel = "SECONDS",
      defaultValue = "2",
      description = "Length of a window (${DEFAULT-VALUE}).")
  private int seconds;

  @Override
  public Integer call() throws BenchException, IOException {
    ReleasesRun.Plan plan = plan();
    BuildOptions.Builds builds = options.builds(StoreKind.LOCKSTEP.lib());
    PrintWriter print = spec.commandLine().getOut();
    builds.print(print);
    List<ReleasePoint> points = new ArrayList<>();
    ReleasesRun run =
        new ReleasesRun(
            plan,
            (side, mode) ->
                start(side == ReleasesRun.Side.BEFORE ? builds.before() : builds.after(), mode));
    try (Interruption open = Interruption.open()) {
      run.run(
          point -> {
            points.add(point);
            print.println(line(point));
            print.flush();
            result.keep(spec, points);
          });
      ratios(points).forEach(print::println);
      result.write(spec, points);
      return 0;
    } catch (InterruptedException | ClosedByInterruptException e) {
      print.println("stopped; what was measured is in the result file");
      print.flush();
      return 1;
    }
  }

  private ReleasesRun.Plan plan() {
    for (String workload : workloads) {
      if (!Workloads.names().contains(workload)) {
        throw wrong(
            "--workloads: '" + workload + "' is none of " + String.join(", ", Workloads.names()));
      }
    }
    if (flows < 1 || rounds < 1 || windows < 1 || seconds < 1 || warmupSeconds < 0) {
      throw wrong("--flows, --rounds, --windows and --seconds are at least 1, --warmup at least 0");
    }
    if (rounds > RatioBounds.MOST_ROUNDS) {
      throw wrong("--rounds is at most " + RatioBounds.MOST_ROUNDS);
    }
    List<Boolean> modes = durable == null ? List.of(false, true) : List.of(durable);
    return new ReleasesRun.Plan(
        workloads.stream().distinct().toList(),
        modes,
        flows,
        rounds,
        warmupSeconds,
        windows,
        seconds * 1000);
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private static StoreRun start(Path checkout, boolean mode)
      throws BenchException, IOException, InterruptedException {
    Path parent =
        !mode && Files.isWritable(MEMORY)
            ? MEMORY
            : Surroundings.root().resolve("bench/target/releases");
    return new StoreRun(StoreKind.LOCKSTEP, checkout, parent, mode, List.of());
  }

  private static String line(ReleasePoint point) {
    return String.format(
        Locale.ROOT,
        "round %d, %s %s: %.0f and %.0f flows/s (%.3f), CPU %.2f and %.2f us a flow (%.3f)",
        point.round(),
        point.workload(),
        mode(point.durable()),
        point.before().flowsPerSecond(),
        point.after().flowsPerSecond(),
        point.flowsRatio(),
        point.before().cpuMicrosPerFlow(),
        point.after().cpuMicrosPerFlow(),
        point.cpuRatio());
  }

  private static String mode(boolean durable) {
    return durable ? "on disk" : "in memory";
  }

  /** A line for each workload, in memory and on disk. */
  static List<String> ratios(List<ReleasePoint> points) {
    return points.stream()
        .map(point -> List.of(point.workload(), point.durable()))
        .distinct()
        .map(
            key -> {
              List<ReleasePoint> of =
                  points.stream()
                      .filter(one -> key.equals(List.of(one.workload(), one.durable())))
                      .toList();
              return String.format(
                  Locale.ROOT,
                  "%s %s, %d rounds: flows %s, CPU a flow %s",
                  of.get(0).workload(),
                  mode(of.get(0).durable()),
                  of.size(),
                  RatioBounds.of(of, ReleasePoint::flowsRatio),
                  RatioBounds.of(of, ReleasePoint::cpuRatio));
            })
        .toList();
  }
}
