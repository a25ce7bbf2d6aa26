package io.lockstep.bench.failover;

import io.lockstep.bench.BenchException;
import io.lockstep.bench.ResultOptions;
import io.lockstep.bench.process.RunDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench failover}: what the loss of replicas costs. */
@Command(
    name = "failover",
    description =
        "Starts replica processes, keeps writes coming, kills, wipes and restarts replicas, and "
            + "tells the longest time without an acknowledged write.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class FailoverCommand implements Callable<Integer> {
  /** What happens. */
  enum Scenario {
    /** The leader is killed. */
    LEADER,
    /** Another than the leader is killed. */
    FOLLOWER,
    /** Nothing happens: the leader must stay. */
    CALM,
    /** A replica loses its disk and is refilled. */
    REFILL,
    /** All are killed at once. */
    RESTART
  }

  private static final long START_MILLIS = 60_000;
  private static final int SNAPSHOT_MEGABYTES = 64;

  @Spec private CommandSpec spec;

  @Option(
      names = "--scenarios",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "leader,follower,calm",
      description = "leader, follower, calm, refill, restart (${DEFAULT-VALUE}).")
  private List<Scenario> scenarios;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "10",
      description = "Events of each scenario but calm (${DEFAULT-VALUE}).")
  private int runs;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      defaultValue = "3",
      description = "3 or 5 (${DEFAULT-VALUE}).")
  private int replicas;

  @Option(
      names = "--durable",
      arity = "1",
      paramLabel = "true|false",
      defaultValue = "true",
      description = "State on disk, or in memory only (${DEFAULT-VALUE}).")
  private boolean durable;

  @Option(
      names = "--in-flight",
      paramLabel = "N",
      defaultValue = "64",
      description = "Writes outstanding (${DEFAULT-VALUE}).")
  private int inFlight;

  @Option(
      names = "--burners",
      paramLabel = "N",
      defaultValue = "0",
      description = "Processes beside it that keep a core busy each (${DEFAULT-VALUE}).")
  private int burners;

  @Option(
      names = "--calm-seconds",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "How long nothing happens in calm (${DEFAULT-VALUE}).")
  private int calmSeconds;

  @Option(
      names = "--refill-megabytes",
      paramLabel = "MB",
      defaultValue = "100",
      description = "State beside which refill happens (${DEFAULT-VALUE}).")
  private int refillMegabytes;

  @Option(
      names = "--entries",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Entries of 100 bytes in restart (${DEFAULT-VALUE}).")
  private int entries;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      defaultValue = "1g",
      description = "Heap of each replica, as -Xmx takes it (${DEFAULT-VALUE}).")
  private String heap;

  @Mixin private ResultOptions result;

  @Override
  public Integer call() throws BenchException, InterruptedException, IOException {
    if (replicas != 3 && replicas != 5) {
      throw new ParameterException(spec.commandLine(), "--replicas: 3 or 5, not " + replicas);
    }
    PrintWriter out = spec.commandLine().getOut();
    List<FailoverPoint> points = new ArrayList<>();
    RunDirectory directory = RunDirectory.create("failover");
    for (Scenario scenario : scenarios) {
      try (StoreServers servers =
              new StoreServers(directory.path(), replicas, durable, SNAPSHOT_MEGABYTES, heap);
          Burners other = new Burners(burners, directory.path())) {
        servers.startAll();
        servers.awaitAllOperational(START_MILLIS);
        try (Scenarios events =
            new Scenarios(
                servers,
                inFlight,
                point -> {
                  out.println(point.line());
                  out.flush();
                  points.add(point);
                })) {
          play(scenario, events);
        }
      }
      directory.empty();
    }
    directory.remove();
    Scenarios.summary(points).forEach(out::println);
    result.write(spec, points);
    return 0;
  }

  private void play(Scenario scenario, Scenarios events)
      throws BenchException, InterruptedException, IOException {
    switch (scenario) {
      case LEADER -> events.kills(true, runs);
      case FOLLOWER -> events.kills(false, runs);
      case CALM -> events.calm(calmSeconds);
      case REFILL -> events.refill(runs, refillMegabytes);
      case RESTART -> events.restart(runs, entries);
    }
  }
}
