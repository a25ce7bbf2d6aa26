package io.lockstep.bench.cluster;

import io.lockstep.bench.measure.RatioBounds;
import io.lockstep.bench.openflow.PlanOptions;
import io.lockstep.bench.result.BuildOptions;
import io.lockstep.bench.result.ResultOptions;
import io.lockstep.bench.runs.BenchException;
import java.io.IOException;
import java.io.PrintWriter;
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

/** {@code bench learning-switch-releases}: flow set-ups of two builds. */
@Command(
    name = "learning-switch-releases",
    description =
        "Starts three nodes of each of two builds, plays switches against them in windows that "
            + "alternate, and reports how many flow set-ups the newer build does for each of the "
            + "older one, with the bounds of 95 %%.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class LearningSwitchReleasesCommand implements Callable<Integer> {
  private static final String JARS = "deploy/target/dist/lib";

  @Spec private CommandSpec spec;
  @Mixin private PlanOptions plan;
  @Mixin private BuildOptions options;
  @Mixin private ResultOptions result;

  @Option(
      names = "--in-flight",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,64",
      description = "Set-ups outstanding in total; a point for each (${DEFAULT-VALUE}).")
  private List<Integer> inFlight;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "7",
      description = "How often all is measured, each time with new nodes (${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--warmup",
      paramLabel = "SECONDS",
      defaultValue = "20",
      description =
          "Load of each build before its windows, which is not counted (${DEFAULT-VALUE}).")
  private int warmupSeconds;

  @Option(
      names = "--seconds",
      paramLabel = "SECONDS",
      defaultValue = "4",
      description = "Each of four windows of a build in a round (${DEFAULT-VALUE}).")
  private int seconds;

  @Override
  public Integer call() throws BenchException, InterruptedException, IOException {
    if (rounds < 1 || rounds > RatioBounds.MOST_ROUNDS) {
      throw wrong("--rounds: 1 to " + RatioBounds.MOST_ROUNDS + ", not " + rounds);
    }
    if (warmupSeconds < 1 || seconds < 1) {
      throw wrong("--warmup and --seconds are at least 1");
    }
    for (int count : inFlight) {
      if (count < 1 || count > 1 << 16) {
        throw wrong("--in-flight: 1 to 65536, not " + count);
      }
    }
    BuildOptions.Builds builds = options.builds(JARS);
    PrintWriter out = spec.commandLine().getOut();
    builds.print(out);
    List<SetupRatio> points = new ArrayList<>();
    new AlternatingSetups(
            new AlternatingSetups.Plan(
                jars(builds.before()),
                jars(builds.after()),
                plan.plan(),
                plan.readyMillis(),
                inFlight,
                rounds,
                warmupSeconds,
                seconds))
        .run(
            point -> {
              points.add(point);
              out.println(point.line());
              out.flush();
              result.keep(spec, points);
            });
    for (int count : inFlight) {
      List<SetupRatio> of = points.stream().filter(one -> one.inFlight() == count).toList();
      out.printf(
          Locale.ROOT,
          "%d in flight, %d rounds: set-ups a second %s, CPU of each %s%n",
          count,
          of.size(),
          RatioBounds.of(of, SetupRatio::perSecondRatio),
          RatioBounds.of(of, SetupRatio::cpuRatio));
    }
    result.write(spec, points);
    return 0;
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private static String jars(Path checkout) {
    return checkout.resolve(JARS).resolve("*").toString();
  }
}
