package io.lockstep.bench.peers;

import io.lockstep.bench.BenchException;
import io.lockstep.bench.ResultOptions;
import io.lockstep.bench.compare.Workloads;
import io.lockstep.bench.result.Surroundings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench compare}: our store beside its peers. */
@Command(
    name = "compare",
    description =
        "Measures our store and its peers on the paper's workloads, three processes each, and "
            + "prints the ratios. Points that are in the result file already are not measured "
            + "again.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class CompareCommand implements Callable<Integer> {
  private static final int WARM_FLOWS = 64;
  private static final int SETTLE_MILLIS = 1000;
  private static final Path MEMORY = Path.of("/dev/shm");

  @Spec private CommandSpec spec;

  @Option(
      names = "--stores",
      split = ",",
      paramLabel = "STORE",
      defaultValue = "lockstep,jraft,atomix,etcd",
      description = "Which stores (${DEFAULT-VALUE}).")
  private List<StoreKind> stores;

  @Option(
      names = "--workloads",
      split = ",",
      paramLabel = "NAME",
      description = "Which workloads; default: all, of the peers the four main ones.")
  private List<String> workloads = List.of();

  @Option(
      names = "--variants",
      split = ",",
      paramLabel = "NAME",
      description = "Which variants; default: all, of the peers init and micro.")
  private List<String> variants = List.of();

  @Option(
      names = "--flows",
      split = ",",
      paramLabel = "N",
      description =
          "Closed-loop flows at a time; one point for each; default: 1,16,64,128,1024, of the "
              + "peers 1,64.")
  private List<Integer> flows = List.of();

  @Option(
      names = "--durable",
      arity = "1",
      paramLabel = "true|false",
      description = "Only durable points, or only those in memory; default: both.")
  private @Nullable Boolean durable;

  @Option(
      names = "--seconds",
      paramLabel = "SECONDS",
      defaultValue = "5",
      description = "Measured window of each point (${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--warmup",
      paramLabel = "SECONDS",
      defaultValue = "8",
      description = "Run at 64 flows before the points of each variant (${DEFAULT-VALUE}).")
  private int warmupSeconds;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "How often each point is measured (${DEFAULT-VALUE}).")
  private int rounds;

  @Option(names = "--out", paramLabel = "FILE", description = "default: bench/results/compare.json")
  private @Nullable Path out;

  @Option(names = "--anew", description = "Begin anew where the file is of another commit.")
  private boolean anew;

  @Option(
      names = "--disk",
      paramLabel = "DIR",
      description = "Where durable stores keep their files; default: bench/target.")
  private @Nullable Path disk;

  @Option(
      names = "--jraft-rpc",
      paramLabel = "RPC",
      defaultValue = "frames",
      description =
          "What SOFA-JRaft's client speaks: bolt, its own, or frames, which cost less "
              + "(${DEFAULT-VALUE}).")
  private JraftRpc jraftRpc;

  /** What SOFA-JRaft's client speaks. */
  enum JraftRpc {
    BOLT,
    FRAMES
  }

  @Override
  public Integer call() throws BenchException, IOException, InterruptedException {
    check("--workloads", workloads, Workloads.names());
    check("--variants", variants, Workloads.VARIANTS);
    if (seconds < 1 || warmupSeconds < 0 || rounds < 1 || flows.stream().anyMatch(n -> n < 1)) {
      throw new ParameterException(
          spec.commandLine(), "--seconds, --rounds and --flows are at least 1");
    }
    Path root = ResultOptions.root();
    List<StoreKind> there = new ArrayList<>();
    for (StoreKind store : stores) {
      String missing = store.missing(root);
      if (!missing.isEmpty()) {
        throw new BenchException(missing);
      }
      there.add(store);
    }
    Surroundings surroundings = Surroundings.of(root);
    CompareFile file =
        CompareFile.open(
            out == null ? root.resolve("bench/results/compare.json") : out,
            new CompareFile.Run(
                surroundings.commit(), warmupSeconds, seconds, jraftRpc.name(), surroundings.jvm()),
            anew);
    List<Boolean> modes = durable == null ? List.of(false, true) : List.of(durable);
    List<String> failures = new ArrayList<>();
    for (ComparePlan.Block block :
        new ComparePlan(there, workloads, variants, flows, modes, rounds).blocks()) {
      run(block, root, file, failures);
    }
    PrintWriter print = spec.commandLine().getOut();
    new Verdict(file.points()).lines().forEach(print::println);
    failures.forEach(failure -> print.println("failed: " + failure));
    print.flush();
    return failures.isEmpty() ? 0 : 1;
  }

  private List<String> flags() {
    return List.of("-Dlockstep.compare.jraft-rpc=" + jraftRpc.name().toLowerCase(Locale.ROOT));
  }

  private void check(String option, List<String> given, Collection<String> known) {
    for (String name : given) {
      if (!known.contains(name)) {
        throw new ParameterException(
            spec.commandLine(), option + ": '" + name + "' is none of " + String.join(", ", known));
      }
    }
  }

  private void run(ComparePlan.Block block, Path root, CompareFile file, List<String> failures)
      throws IOException, InterruptedException {
    List<PointKey> left = block.points().stream().filter(point -> !file.contains(point)).toList();
    if (left.isEmpty()) {
      return;
    }
    try (StoreRun store =
        new StoreRun(block.store(), root, parent(root, block), block.durable(), flags())) {
      String warm = "";
      for (PointKey key : left) {
        if (!warm.equals(key.variant()) && warmupSeconds > 0) {
          store.run(key.workload(), key.variant(), WARM_FLOWS, 0, warmupSeconds * 1000);
          warm = key.variant();
        }
        StoreRun.Outcome outcome =
            store.run(key.workload(), key.variant(), key.flows(), SETTLE_MILLIS, seconds * 1000);
        ComparePoint point = ComparePoint.of(key, outcome.measured(), outcome.cpuNanos());
        file.add(point);
        print(point);
      }
    } catch (BenchException e) {
      PointKey first = left.get(0);
      String failure = block.store().label() + " " + first.workload() + ", round " + first.round();
      failures.add(failure + ": " + e.getMessage());
      spec.commandLine().getErr().println("failed: " + failures.get(failures.size() - 1));
    }
  }

  /** A file system in memory, where the store need not be durable and the machine has one. */
  private Path parent(Path root, ComparePlan.Block block) {
    if (!block.durable() && Files.isWritable(MEMORY)) {
      return MEMORY;
    }
    return disk == null ? root.resolve("bench/target") : disk.toAbsolutePath();
  }

  private void print(ComparePoint point) {
    PrintWriter print = spec.commandLine().getOut();
    print.printf(
        Locale.ROOT,
        "%-8s %-10s %-5s %-9s round %d flows %4d: %9.1f/s  p50 %.3f p90 %.3f p99 %.3f ms"
            + "  cpu %.1f us/flow  failed replaces %d%n",
        point.store(),
        point.workload(),
        point.variant(),
        point.durable() ? "durable" : "in-memory",
        point.round(),
        point.flows(),
        point.flowsPerSecond(),
        point.p50Millis(),
        point.p90Millis(),
        point.p99Millis(),
        point.cpuMicrosPerFlow(),
        point.failedReplaces());
    print.flush();
  }
}
