package io.lockstep.bench.failover;

import io.lockstep.bench.BenchException;
import io.lockstep.bench.ResultOptions;
import io.lockstep.bench.process.RunDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
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
  private static final long START_MILLIS = 60_000;

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
      description = "Time between two looks while churning (${DEFAULT-VALUE}).")
  private int sampleSeconds;

  @Option(
      names = "--snapshot-megabytes",
      paramLabel = "MB",
      defaultValue = "64",
      description = "A snapshot for every so much log (${DEFAULT-VALUE}).")
  private int snapshotMegabytes;

  @Mixin private ResultOptions result;

  private final List<CostPoint> points = new ArrayList<>();
  private double[] emptyBytes = new double[0];

  @Override
  public Integer call() throws BenchException, InterruptedException, IOException {
    if (replicas != 1 && replicas != 3 && replicas != 5) {
      throw new ParameterException(spec.commandLine(), "--replicas: 1, 3 or 5, not " + replicas);
    }
    RunDirectory directory = RunDirectory.create("cost");
    try (StoreServers servers =
        new StoreServers(directory.path(), replicas, true, snapshotMegabytes, heap)) {
      servers.startAll();
      servers.awaitAllOperational(START_MILLIS);
      try (Scenarios store = new Scenarios(servers, 64, point -> {})) {
        look("empty", 0, servers, 0);
        PrintWriter out = spec.commandLine().getOut();
        long beginNanos = System.nanoTime();
        Filling filling = store.filling();
        filling.fill(entries);
        long fillSeconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beginNanos);
        look("filled", fillSeconds, servers, entries);
        servers.killAll();
        long restartNanos = System.nanoTime();
        servers.startAll();
        filling.awaitWrite(START_MILLIS);
        out.printf(
            "all killed and started again: first acknowledged write after %.1f s%n",
            (System.nanoTime() - restartNanos) / 1e9);
        servers.awaitAllOperational(START_MILLIS);
        filling.check(entries);
        look("restarted", 0, servers, entries);
        churn(servers, store);
      }
    }
    directory.remove();
    result.write(spec, points);
    return 0;
  }

  private void churn(StoreServers servers, Scenarios store)
      throws BenchException, InterruptedException, IOException {
    SteadyLoad load = store.load();
    load.start(64);
    long beginNanos = System.nanoTime();
    for (long next = sampleSeconds; next <= churnSeconds; next += sampleSeconds) {
      while (secondsSince(beginNanos) < next) {
        TimeUnit.MILLISECONDS.sleep(500);
        servers.noteSnapshots();
      }
      look("churn", secondsSince(beginNanos), servers, entries);
    }
    load.stop();
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
      double live = Memory.liveBytes(processes.get(id));
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
              Memory.residentBytes(processes.get(id)) / 1e6,
              written == 0 ? 0 : (live - emptyBytes[id]) / written,
              servers.snapshots(id));
      points.add(point);
      spec.commandLine().getOut().println(point.line());
      spec.commandLine().getOut().flush();
    }
  }
}
