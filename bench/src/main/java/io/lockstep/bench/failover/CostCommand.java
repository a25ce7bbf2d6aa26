package io.lockstep.bench.failover;

import io.lockstep.bench.process.RunDirectory;
import io.lockstep.bench.result.ResultOptions;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.bench.runs.LiveMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench cost}: memory of the replicas, and whether it grows. */
@Command(
    name = "cost",
    description =
        "Fills replica processes with entries of 100 bytes under keys of 9, tells what they hold, "
            + "restarts them all, and then lets the same keys be written again and again: what they "
            + "hold must not grow.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class CostCommand implements Callable<Integer> {
  private static final long START_MILLIS = 180_000;
  private static final long LOOK_MILLIS = 50;

  @Spec private CommandSpec spec;

  @Option(
      names = "--entries",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Entries to fill in (${DEFAULT-VALUE}).")
  private int entries;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      defaultValue = "3",
      description = "1, 3 or 5 (${DEFAULT-VALUE}).")
  private int replicas;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      defaultValue = "2g",
      description = "Heap of each replica, as -Xmx takes it (${DEFAULT-VALUE}).")
  private String heap;

  @Option(
      names = "--churn-seconds",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "How long keys are written again (${DEFAULT-VALUE}).")
  private int churnSeconds;

  @Option(
      names = "--sample-seconds",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "Longest time between two looks while churning (${DEFAULT-VALUE}).")
  private int sampleSeconds;

  @Option(
      names = "--snapshot-megabytes",
      paramLabel = "MB",
      defaultValue = "64",
      description = "A snapshot for every so much log (${DEFAULT-VALUE}).")
  private int snapshotMegabytes;

  @Mixin private ResultOptions result;

  private final List<Object> points = new ArrayList<>();
  private double[] emptyBytes = new double[0];
  private double recoveryMillis;

  @Override
  public Integer call() throws BenchException, InterruptedException, IOException {
    if (replicas != 1 && replicas != 3 && replicas != 5) {
      throw new ParameterException(spec.commandLine(), "--replicas: 1, 3 or 5, not " + replicas);
    }
    if (entries < 1 || churnSeconds < 0 || sampleSeconds < 1 || snapshotMegabytes < 1) {
      throw new ParameterException(
          spec.commandLine(),
          "--entries, --sample-seconds, --snapshot-megabytes: at least 1; --churn-seconds: at least"
              + " 0");
    }
    RunDirectory directory = RunDirectory.create("cost");
    try (StoreServers servers =
        new StoreServers(directory.path(), replicas, true, snapshotMegabytes, heap)) {
      servers.startAll();
      servers.awaitAllOperational(START_MILLIS);
      try (Scenarios store = new Scenarios(servers, 64, point -> {})) {
        look("empty", 0, servers, 0);
        long beginNanos = System.nanoTime();
        FilledTable filling = store.filling();
        filling.fill(entries);
        long fillSeconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beginNanos);
        look("filled", fillSeconds, servers, entries);
        servers.killAll();
        long restartNanos = System.nanoTime();
        servers.startAll();
        filling.awaitWrite(START_MILLIS);
        recoveryMillis = (System.nanoTime() - restartNanos) / 1e6;
        servers.awaitAllOperational(START_MILLIS);
        filling.check(entries);
        look("restarted", 0, servers, entries);
        recoveryMillis = 0;
        churn(servers, store);
      }
    }
    directory.remove();
    result.write(spec, points);
    return 0;
  }

  /** Looks after each snapshot of every replica, and at least as often as was asked for. */
  private void churn(StoreServers servers, Scenarios store)
      throws BenchException, InterruptedException, IOException {
    if (churnSeconds == 0) {
      return;
    }
    SteadyLoad load = store.load();
    load.start(64);
    long beginNanos = System.nanoTime();
    int from = points.size();
    while (secondsSince(beginNanos) < churnSeconds) {
      long due = Math.min(secondsSince(beginNanos) + sampleSeconds, churnSeconds);
      long[] before = snapshots(servers);
      while (secondsSince(beginNanos) < due && !allHaveOneMore(before, snapshots(servers))) {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        servers.noteSnapshots();
      }
      look("churn", secondsSince(beginNanos), servers, entries);
    }
    load.stop();
    List<CostPoint> looks =
        points.subList(from, points.size()).stream().map(CostPoint.class::cast).toList();
    for (int id = 0; id < servers.count(); id++) {
      int replica = id;
      CostSlope slope =
          CostSlope.of(id, looks.stream().filter(look -> look.replica() == replica).toList());
      points.add(slope);
      spec.commandLine().getOut().println(slope.line());
    }
  }

  private static long[] snapshots(StoreServers servers) {
    return IntStream.range(0, servers.count()).mapToLong(servers::snapshots).toArray();
  }

  private static boolean allHaveOneMore(long[] before, long[] now) {
    return IntStream.range(0, before.length).allMatch(id -> now[id] > before[id]);
  }

  private static long secondsSince(long nanos) {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - nanos);
  }

  private void look(String phase, long second, StoreServers servers, long written)
      throws BenchException, InterruptedException, IOException {
    servers.noteSnapshots();
    List<ProcessHandle> processes = servers.handles();
    if (emptyBytes.length == 0) {
      emptyBytes = new double[processes.size()];
    }
    for (int id = 0; id < processes.size(); id++) {
      double live = LiveMemory.liveBytes(processes.get(id));
      if (written == 0) {
        emptyBytes[id] = live;
      }
      CostPoint point =
          new CostPoint(
              phase,
              second,
              id,
              written,
              live / 1e6,
              LiveMemory.residentBytes(processes.get(id)) / 1e6,
              written == 0 ? 0 : (live - emptyBytes[id]) / written,
              servers.snapshots(id),
              servers.longestSnapshotMillis(id),
              recoveryMillis);
      points.add(point);
      spec.commandLine().getOut().println(point.line());
      spec.commandLine().getOut().flush();
    }
    result.keep(spec, points);
  }
}
