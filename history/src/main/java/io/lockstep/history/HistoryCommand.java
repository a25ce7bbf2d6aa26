package io.lockstep.history;

import io.lockstep.bench.runs.BenchException;
import io.lockstep.bench.runs.Surroundings;
import io.lockstep.history.check.Operation;
import io.lockstep.history.mixed.file.MixedReader;
import io.lockstep.history.nemesis.Cluster;
import io.lockstep.history.nemesis.Disks;
import io.lockstep.history.nemesis.FaultKind;
import io.lockstep.history.nemesis.FaultRecord;
import io.lockstep.history.nemesis.Halts;
import io.lockstep.history.nemesis.Nemesis;
import io.lockstep.history.replica.Breakage;
import io.lockstep.history.replica.ReplicaServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench history}: is the store linearizable while its replicas fail? */
@Command(
    name = "history",
    description =
        "Runs clients against three replica processes while a nemesis makes them fail, writes "
            + "down every operation, and checks that the history is linearizable.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class HistoryCommand implements Callable<Integer> {
  private static final String NO_FAULTS = "none";
  private static final String USUAL_FAULTS = "usual";
  private static final int MOST_SECONDS = 24 * 60 * 60;

  /** Where replicas keep their state. */
  enum State {
    /** In a log on disk, synced before an answer. */
    DISK,
    /** In memory only. */
    MEMORY
  }

  @Spec private CommandSpec spec;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "How long load and faults last (${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--faults",
      split = ",",
      paramLabel = "NAME",
      defaultValue = USUAL_FAULTS,
      description =
          "Faults, of kill, pause, partition, oneway, restart, wipe, recovery, slow, clock and, "
              + "with a disk, disk, power, rollback and replace; usual: all of them; or none "
              + "(${DEFAULT-VALUE}).")
  private List<String> faults;

  @Option(
      names = "--most-faults",
      paramLabel = "N",
      hidden = true,
      defaultValue = "2147483647",
      description = "After so many faults the load ends, also before its time.")
  private int mostFaults;

  @Option(
      names = "--state",
      paramLabel = "WHERE",
      defaultValue = "disk",
      description = "Where replicas keep their state: disk or memory (${DEFAULT-VALUE}).")
  private State state;

  @Option(
      names = "--network",
      paramLabel = "WHAT",
      defaultValue = "auto",
      description =
          "What fails in partitions: namespaces (packets are lost; needs root), relay (bytes of "
              + "connections), or auto: namespaces where possible (${DEFAULT-VALUE}).")
  private NetworkChoice network;

  @Option(
      names = "--disk-fault",
      paramLabel = "HOW",
      defaultValue = "auto",
      description =
          "How a disk fails: fill (a small file system; needs root), limit (on the length of "
              + "files), or auto: fill where possible (${DEFAULT-VALUE}).")
  private Disks.Method diskFault;

  @Option(names = "--inside", hidden = true, description = "The namespaces that this runs in.")
  private @Nullable String inside;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where history, faults, summary and logs go; a new directory, or an empty one.")
  private @Nullable Path out;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Of all that is drawn at random; default: another one each time.")
  private @Nullable Long seed;

  @Option(
      names = "--broken",
      paramLabel = "HOW",
      defaultValue = "none",
      description =
          "Breaks the store on purpose, which must end in FAIL: stale-reads, lost-writes, "
              + "double-apply, half-batches, mixed-scans or fenced-writes; with --faults none "
              + "(${DEFAULT-VALUE}).")
  private String broken;

  @Option(
      names = "--patience",
      paramLabel = "SECONDS",
      hidden = true,
      description = "How long replicas may take to come back before the run counts as hanging.")
  private int patience = (int) TimeUnit.MILLISECONDS.toSeconds(Nemesis.HEALTHY_MILLIS);

  @Option(
      names = "--check",
      paramLabel = "FILE",
      description = "Only check this history file; nothing is run.")
  private @Nullable Path check;

  @Override
  public Integer call() throws BenchException, InterruptedException, IOException {
    if (check != null) {
      return check(check);
    }
    RunPlan plan = plan();
    if (inside != null) {
      NamespaceRun.endWithParent();
      return run(plan);
    }
    NamespaceRun apart = namespaces(plan);
    if (apart == null) {
      return run(plan);
    }
    try (apart) {
      CommandLine root = spec.root().commandLine();
      return apart.run(root.getParseResult().originalArgs(), spec.commandLine().getOut());
    }
  }

  /** The namespaces to run in, or null where relays are to do. */
  private @Nullable NamespaceRun namespaces(RunPlan plan)
      throws BenchException, InterruptedException {
    boolean wanted = network == NetworkChoice.NAMESPACES;
    boolean useful =
        network == NetworkChoice.AUTO && plan.faults().stream().anyMatch(FaultKind::needsNetwork);
    if (!wanted && !useful) {
      return null;
    }
    try {
      return NamespaceRun.open();
    } catch (IOException e) {
      String why = "no network namespaces here (" + e.getMessage() + ")";
      if (wanted) {
        throw new BenchException(why, e);
      }
      spec.commandLine().getOut().println(why + ": relays take their place");
      return null;
    }
  }

  private RunPlan plan() throws IOException {
    Path directory = out;
    if (directory == null) {
      throw usage("--out DIR is missing");
    }
    if (seconds < 1 || seconds > MOST_SECONDS) {
      throw usage("--seconds: 1 to " + MOST_SECONDS + ", not " + seconds);
    }
    boolean durable = state == State.DISK;
    Set<FaultKind> kinds = kinds(durable);
    if (patience < 1 || patience > MOST_SECONDS) {
      throw usage("--patience: 1 to " + MOST_SECONDS + ", not " + patience);
    }
    for (FaultKind kind : kinds) {
      if (kind.needsDisk() && !durable) {
        throw usage("--faults: " + kind.label() + " needs --state disk");
      }
    }
    if (breakage() != Breakage.NONE && !kinds.isEmpty()) {
      throw usage("--broken goes with --faults none only");
    }
    if (Files.isRegularFile(directory) || !isEmpty(directory)) {
      throw usage("--out: " + directory + " is not an empty directory");
    }
    long drawn = seed == null ? ThreadLocalRandom.current().nextLong(1L << 40) : seed;
    double pace = RunPlan.usualPace(seconds);
    String namespaces = inside == null ? "" : inside;
    return new RunPlan(
        seconds,
        kinds,
        mostFaults,
        directory,
        durable,
        diskFault,
        namespaces,
        breakage(),
        drawn,
        pace,
        Math.toIntExact(TimeUnit.SECONDS.toMillis(patience)));
  }

  private Set<FaultKind> kinds(boolean durable) {
    Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
    for (String fault : faults) {
      try {
        if (fault.equals(USUAL_FAULTS)) {
          kinds.addAll(FaultKind.usual(durable));
        } else if (!fault.equals(NO_FAULTS)) {
          kinds.add(FaultKind.of(fault));
        }
      } catch (IllegalArgumentException e) {
        throw usage("--faults: " + e.getMessage());
      }
    }
    return kinds;
  }

  private static boolean isEmpty(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return true;
    }
    try (var files = Files.list(directory)) {
      return files.findAny().isEmpty();
    }
  }

  private Breakage breakage() {
    try {
      return Breakage.valueOf(broken.toUpperCase(Locale.ROOT).replace('-', '_'));
    } catch (IllegalArgumentException e) {
      throw usage("--broken: '" + broken + "'");
    }
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private int check(Path file) throws BenchException, InterruptedException, IOException {
    PrintWriter to = spec.commandLine().getOut();
    Path parent = file.toAbsolutePath().getParent();
    Path directory = parent == null ? Path.of("") : parent;
    if (Files.exists(file) && MixedReader.isMixed(file)) {
      MixedFileCheck.Checked mixed = MixedFileCheck.run(file, directory, to);
      int found = mixed.violations().size();
      to.printf(
          "%s: %d steps, %d violations%n",
          found == 0 ? "consistent" : "NOT CONSISTENT", mixed.steps(), found);
      return found == 0 ? 0 : 1;
    }
    FileCheck.Checked checked = FileCheck.run(file, directory, to);
    int violations = checked.report().violations().size();
    to.printf(
        "%s: %d operations on %d keys, %d violations, checked in %.1f s%n",
        violations == 0 ? "linearizable" : "NOT LINEARIZABLE",
        checked.operations().size(),
        checked.report().keys(),
        violations,
        checked.seconds());
    return violations == 0 ? 0 : 1;
  }

  private int run(RunPlan plan) throws BenchException, InterruptedException, IOException {
    PrintWriter to = spec.commandLine().getOut();
    Surroundings surroundings = Surroundings.of(Surroundings.root());
    String startedAt = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    Files.createDirectories(plan.out());
    to.printf(
        "seed %d, %d s, faults %s, network %s%n",
        plan.seed(),
        plan.seconds(),
        plan.faults(),
        plan.namespaces().isEmpty() ? "relay" : "namespaces " + plan.namespaces());
    to.flush();
    HistoryRun run = new HistoryRun(plan, to);
    run.run();
    FileCheck.Checked checked = FileCheck.run(run.history(), plan.out(), to);
    MixedFileCheck.Checked mixed = MixedFileCheck.run(run.mixed(), plan.out(), to);
    RunSummary summary = summary(plan, run, checked, mixed, surroundings, startedAt);
    summary.watchComplaints().forEach(to::println);
    summary.write(plan.out().resolve("summary.json"));
    if (summary.pass()) {
      run.removeData();
    }
    to.println(summary.verdict());
    return summary.pass() ? 0 : 1;
  }

  private static RunSummary summary(
      RunPlan plan,
      HistoryRun run,
      FileCheck.Checked checked,
      MixedFileCheck.Checked mixed,
      Surroundings surroundings,
      String startedAt) {
    List<String> complaints = run.watchComplaints(checked);
    int violations = checked.report().violations().size();
    long lost = run.lost(checked);
    boolean consistent = violations == 0 && lost == 0 && mixed.violations().isEmpty();
    long heapBound = ReplicaServer.heapBoundMegabytes(Cluster.SIZE, plan.durable());
    WriteShare share = WriteShare.of(checked.operations(), run.faults());
    Map<String, Long> outcomes = new TreeMap<>();
    for (Operation operation : checked.operations()) {
      outcomes.merge(operation.outcome().name().toLowerCase(Locale.ROOT), 1L, Long::sum);
    }
    Map<String, Long> kinds = new TreeMap<>();
    Map<String, Long> stalls = new TreeMap<>();
    plan.faults().forEach(kind -> kinds.put(kind.label(), 0L));
    for (FaultRecord fault : run.faults()) {
      kinds.merge(fault.kind(), 1L, Long::sum);
      if (fault.beside().isEmpty()) {
        String victim = fault.detail().replaceAll("[0-9]", "").strip();
        stalls.merge(fault.kind() + " " + victim, fault.writeStallMillis(), Math::max);
      }
    }
    List<Halts.Halt> unexplained = Halts.unexplained(run.halts(), kinds);
    boolean sound =
        unexplained.isEmpty() && run.heap().within(heapBound) && share.suffices(plan.seconds());
    boolean pass = consistent && complaints.isEmpty() && sound && run.hang() == null;
    return new RunSummary(
        plan.seconds(),
        plan.seed(),
        plan.durable() ? "disk" : "memory",
        plan.faults().stream().sorted().map(FaultKind::label).toList(),
        run.network(),
        run.diskFault(),
        plan.breakage().name().toLowerCase(Locale.ROOT).replace('_', '-'),
        startedAt,
        surroundings.commit().id() + (surroundings.commit().dirty() ? "+" : ""),
        surroundings.machine(),
        surroundings.jvm(),
        outcomes,
        kinds,
        stalls,
        share.writes(),
        share.unknown(),
        share.unknownPercent(),
        Halts.byCause(run.halts()),
        run.halts(),
        unexplained.size(),
        heapBound,
        run.heap().start(),
        run.heap().end(),
        run.heap().largest(),
        checked.operations().size(),
        checked.report().keys(),
        violations,
        lost,
        mixed.steps(),
        mixed.byOutcome(),
        mixed.violations().size(),
        run.watched(),
        run.watchSnapshots(),
        complaints.size(),
        complaints,
        run.hang(),
        checked.seconds(),
        pass);
  }
}
