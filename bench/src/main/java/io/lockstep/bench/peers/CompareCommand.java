package io.lockstep.bench.peers;

import io.lockstep.bench.compare.Workloads;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.bench.runs.Surroundings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
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
  private static final Path MEMORY = Path.of("/dev/shm");

  @Spec private CommandSpec spec;

  @Option(
      names = "--stores",
      split = ",",
      paramLabel = "STORE",
      defaultValue = "lockstep,jraft,jraft-frames,atomix,etcd",
      converter = StoreKindConverter.class,
      description =
          "Which stores (${DEFAULT-VALUE}); jraft-frames are JRaft's servers with a cheaper RPC "
              + "of ours.")
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
      defaultValue = "60",
      description =
          "Before the points of each variant it runs at 64 flows until it stops getting better, at "
              + "most this long (${DEFAULT-VALUE}); 0: not at all.")
  private int warmupSeconds;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "How often each point is measured (${DEFAULT-VALUE}). Fewer than 3 are for trying "
              + "things out: no verdict is made of them.")
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
      defaultValue = "bolt",
      description =
          "What the client of the store jraft speaks: bolt, its own RPC, or frames "
              + "(${DEFAULT-VALUE}).")
  private JraftRpc jraftRpc;

  /** What the client of the store {@code jraft} speaks. */
  enum JraftRpc {
    BOLT,
    FRAMES
  }

  @Override
  public Integer call() throws BenchException, IOException {
    ComparePlan plan = plan();
    Path root = Surroundings.root();
    for (StoreKind store : plan.stores()) {
      String missing = store.missing(root);
      if (!missing.isEmpty()) {
        throw new BenchException(missing);
      }
    }
    Surroundings surroundings = Surroundings.of(root);
    CompareFile file =
        CompareFile.open(
            out == null ? root.resolve("bench/results/compare.json") : out,
            new CompareFile.Run(
                surroundings.commit(),
                warmupSeconds,
                seconds,
                jraftRpc.name(),
                surroundings.jvm(),
                surroundings.machine()),
            anew);
    PrintWriter print = spec.commandLine().getOut();
    CompareRun run = new CompareRun(file, this::start, print, seconds, warmupSeconds);
    try (Interruption open = Interruption.open()) {
      List<String> failures = run.run(plan.blocks());
      new Verdict(file.points()).lines().forEach(print::println);
      failures.forEach(failure -> print.println("failed: " + failure));
      print.flush();
      return failures.isEmpty() ? 0 : 1;
    } catch (InterruptedException | ClosedByInterruptException e) {
      print.println("stopped; the same command line goes on from here");
      print.flush();
      return 1;
    }
  }

  private ComparePlan plan() {
    check("--workloads", workloads, Workloads.names());
    check("--variants", variants, Workloads.VARIANTS);
    if (seconds < 1 || rounds < 1 || flows.stream().anyMatch(n -> n < 1)) {
      throw new ParameterException(
          spec.commandLine(), "--seconds, --rounds and --flows are at least 1");
    }
    if (warmupSeconds < 0) {
      throw new ParameterException(spec.commandLine(), "--warmup is at least 0");
    }
    List<Boolean> modes = durable == null ? List.of(false, true) : List.of(durable);
    ComparePlan plan =
        new ComparePlan(
            distinct(stores),
            distinct(workloads),
            distinct(variants),
            distinct(flows),
            modes,
            rounds);
    if (plan.blocks().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "there is nothing to measure: none of these stores has these variants of these "
              + "workloads (peers have init and micro of the four main ones)");
    }
    return plan;
  }

  private static <T> List<T> distinct(List<T> given) {
    return given.stream().distinct().toList();
  }

  private void check(String option, List<String> given, Collection<String> known) {
    for (String name : given) {
      if (!known.contains(name)) {
        throw new ParameterException(
            spec.commandLine(), option + ": '" + name + "' is none of " + String.join(", ", known));
      }
    }
  }

  private StoreRun start(ComparePlan.Block block)
      throws BenchException, IOException, InterruptedException {
    Path root = Surroundings.root();
    JraftRpc rpc = block.store() == StoreKind.JRAFT_FRAMES ? JraftRpc.FRAMES : jraftRpc;
    return new StoreRun(
        block.store(),
        root,
        parent(root, block),
        block.durable(),
        List.of("-Dlockstep.compare.jraft-rpc=" + rpc.name().toLowerCase(Locale.ROOT)));
  }

  /** A file system in memory, where the store need not be durable and the machine has one. */
  private Path parent(Path root, ComparePlan.Block block) {
    if (!block.durable() && Files.isWritable(MEMORY)) {
      return MEMORY;
    }
    return disk == null ? root.resolve("bench/target") : disk.toAbsolutePath();
  }
}
