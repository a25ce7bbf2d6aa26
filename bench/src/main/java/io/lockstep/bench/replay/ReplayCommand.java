package io.lockstep.bench.replay;

import io.lockstep.bench.compare.Workloads;
import io.lockstep.bench.process.RunDirectory;
import io.lockstep.bench.result.ResultOptions;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.bench.runs.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
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

/** {@code bench replay}: what one workload gets out of the store. */
@Command(
    name = "replay",
    description =
        "Replays a workload of the paper's tables, or of a recorded trace, against three replica"
            + " processes, each point in virtual machines of JMH's.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class ReplayCommand implements Callable<Integer> {
  private static final int MOST_FLOWS = 1 << 12;

  @Spec private CommandSpec spec;

  @Option(
      names = "--workload",
      split = ",",
      required = true,
      paramLabel = "NAME",
      description =
          "ls-bcast, ls-ucast, lb-arp, lb-vip, dm-known or dm-unknown; several with commas.")
  private List<String> workloads;

  @Option(
      names = "--variant",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "init,micro",
      description = "init, cref, vers, cols, micro, cache-best or cache-worst (${DEFAULT-VALUE}).")
  private List<String> variants;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "messages",
      description =
          "messages: the recorded number and sizes, no retry; live: with answers that count and"
              + " conflicts that are retried (${DEFAULT-VALUE}).")
  private ReplayMode mode;

  @Option(
      names = "--flows",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,64",
      description = "Flows at a time; a point for each (${DEFAULT-VALUE}).")
  private List<Integer> flows;

  @Option(
      names = "--durable",
      arity = "1",
      paramLabel = "true|false",
      defaultValue = "false",
      description = "Whether the replicas have their state on disk (${DEFAULT-VALUE}).")
  private boolean durable;

  @Option(
      names = "--forks",
      paramLabel = "N",
      defaultValue = "3",
      description = "Virtual machines of each point, one after another (${DEFAULT-VALUE}).")
  private int forks;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "50000",
      description = "Flows of a point, over all its forks, at least (${DEFAULT-VALUE}).")
  private long runs;

  @Option(
      names = "--least-seconds",
      paramLabel = "SECONDS",
      defaultValue = "1",
      description =
          "Each fork goes on so long, even if it has its share of the runs before"
              + " (${DEFAULT-VALUE}).")
  private int leastSeconds;

  @Option(
      names = "--warmup",
      paramLabel = "SECONDS",
      defaultValue = "5",
      description = "Load before each measurement (${DEFAULT-VALUE}).")
  private int warmUpSeconds;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = "Replays the messages of this trace, in place of the paper's tables.")
  private @Nullable Path trace;

  @Option(
      names = "--replicas",
      paramLabel = "HOST:PORT,...",
      description =
          "A cluster that runs elsewhere, of ./lockstep bench replica; it says whether its state"
              + " is on disk, --durable only names it.")
  private @Nullable String replicas;

  @Mixin private ResultOptions result;

  /**
   * A point of the result file.
   *
   * @param fork its number, from 1
   */
  record ForkPoint(
      String workload,
      String variant,
      String mode,
      boolean durable,
      int flows,
      int fork,
      long runs,
      long gaveUp,
      long conflicts,
      double flowsPerSecond,
      double p50Millis,
      double p90Millis) {}

  @Override
  public Integer call() throws BenchException, IOException {
    List<ReplayPoint> points = points();
    ReplayFork fork =
        new ReplayFork(
            Math.max(1, runs / forks),
            leastSeconds,
            ReplayFork.NO_LIMIT_SECONDS,
            warmUpSeconds,
            traceName());
    RunDirectory directory = RunDirectory.create("replay");
    List<ForkPoint> measured = new ArrayList<>();
    try (ReplayCluster cluster = cluster(directory.path())) {
      fork.warm(cluster, durable, directory.path());
      for (int number = 1; number <= forks; number++) {
        for (ReplayPoint point : points) {
          ForkPoint one = forkPoint(point, number, fork.measure(point, cluster, directory.path()));
          measured.add(one);
          print(one);
          result.keepList(spec, measured);
        }
      }
    }
    directory.remove();
    result.writeList(spec, measured);
    return 0;
  }

  private ReplayCluster cluster(Path directory) throws BenchException, IOException {
    if (replicas != null) {
      return ReplayCluster.elsewhere(replicas);
    }
    return ReplayCluster.start(
        durable ? Surroundings.root().resolve("bench/target") : directory, durable);
  }

  private String traceName() throws BenchException {
    if (trace == null) {
      return "";
    }
    if (mode == ReplayMode.LIVE) {
      throw new BenchException(
          "--trace: a trace has messages, but not what would have been asked under other"
              + " answers; --mode live replays the paper's tables only");
    }
    if (!Files.isReadable(trace)) {
      throw new BenchException("--trace: " + trace + " cannot be read");
    }
    return trace.toAbsolutePath().toString();
  }

  private List<ReplayPoint> points() {
    if (forks < 1 || runs < forks || warmUpSeconds < 0 || leastSeconds < 0) {
      throw wrong(
          "--forks is at least 1, --runs at least --forks, --warmup and --least-seconds at least 0");
    }
    List<ReplayPoint> points = new ArrayList<>();
    for (String workload : workloads) {
      check("--workload", workload, Workloads.names());
      for (int count : flows) {
        if (count < 1 || count > MOST_FLOWS) {
          throw wrong("--flows: 1 to " + MOST_FLOWS + ", not " + count);
        }
        for (String variant : variants) {
          points.add(point(workload, variant, count));
        }
      }
    }
    return points;
  }

  private ReplayPoint point(String workload, String variant, int count) {
    String best =
        variant.equals("cache-best")
            ? ReplayPoint.BEST
            : variant.equals("cache-worst") ? ReplayPoint.WORST : null;
    String column = best == null ? variant : "cache";
    if (trace == null) {
      Collection<String> known = Workloads.variants(workload);
      if (!known.contains(column) || (best == null && column.equals("cache"))) {
        throw wrong(
            "--variant: "
                + workload
                + " has "
                + String.join(", ", known).replace("cache", "cache-best, cache-worst")
                + ", not "
                + variant);
      }
    }
    return new ReplayPoint(workload, column, best, mode, durable, count);
  }

  private void check(String option, String given, Collection<String> known) {
    if (!known.contains(given)) {
      throw wrong(option + ": '" + given + "' is none of " + String.join(", ", known));
    }
  }

  private ParameterException wrong(String why) {
    return new ParameterException(spec.commandLine(), why);
  }

  private static ForkPoint forkPoint(ReplayPoint point, int number, ReplayResult measured) {
    String best = point.bestOrWorst();
    return new ForkPoint(
        point.workload(),
        point.variant() + (best == null ? "" : "-" + best),
        point.mode().label(),
        point.durable(),
        point.flows(),
        number,
        measured.runs(),
        measured.gaveUp(),
        measured.conflicts(),
        measured.flowsPerSecond(),
        measured.p50Millis(),
        measured.p90Millis());
  }

  private void print(ForkPoint one) {
    spec.commandLine()
        .getOut()
        .printf(
            Locale.ROOT,
            "%-10s %-11s %-8s %-6s fork %d flows %4d: %9.1f/s  p50 %.3f p90 %.3f ms  conflicts %d,"
                + " gave up %d of %d%n",
            one.workload(),
            one.variant(),
            one.mode(),
            one.durable() ? "disk" : "memory",
            one.fork(),
            one.flows(),
            one.flowsPerSecond(),
            one.p50Millis(),
            one.p90Millis(),
            one.conflicts(),
            one.gaveUp(),
            one.runs());
    spec.commandLine().getOut().flush();
  }
}
