package io.lockstep.bench.failover;

import io.lockstep.bench.process.RunDirectory;
import io.lockstep.bench.result.ResultOptions;
import io.lockstep.bench.runs.BenchException;
import java.io.IOException;
import java.io.PrintWriter;
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

/** {@code bench failover}: what the loss of replicas costs. */
@Command(
    name = "failover",
    description =
        "Starts replica processes, keeps writes coming, kills, stops, wipes and restarts replicas,"
            + " and tells the longest time without an acknowledged write.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class FailoverCommand implements Callable<Integer> {
  /** What happens. */
  enum Scenario {
    /** The leader is killed. */
    LEADER,
    /** Another than the leader is killed. */
    FOLLOWER,
    /** The leader stops in order. */
    STOP,
    /** Nothing happens: the leader must stay. */
    CALM,
    /** A replica loses its disk and is refilled. */
    REFILL,
    /** All are killed at once. */
    RESTART
  }

  private static final long START_MILLIS = 180_000;
  private static final int SNAPSHOT_MEGABYTES = 64;

  @Spec private CommandSpec spec;

  @Option(
      names = "--scenarios",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "leader,follower,calm",
      description = "leader, follower, stop, calm, refill, restart (${DEFAULT-VALUE}).")
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

  @Option(
      names = "--resume",
      description =
          "Go on where a run with the same settings was stopped: what its result file has is not "
              + "measured again.")
  private boolean resume;

  @Mixin private ResultOptions result;

  private final List<FailoverPoint> points = new ArrayList<>();

  @Override
  public Integer call() throws BenchException, InterruptedException, IOException {
    refuseWhatCannotBe();
    PrintWriter out = spec.commandLine().getOut();
    if (resume) {
      points.addAll(result.resume(spec, FailoverPoint.class));
    }
    RunDirectory directory = RunDirectory.create("failover");
    for (Scenario scenario : scenarios) {
      int done = done(scenario);
      if (done < (scenario == Scenario.CALM ? Scenarios.calmPoints(calmSeconds) : runs)) {
        measure(scenario, done, directory);
      }
    }
    directory.remove();
    Scenarios.summary(points).forEach(out::println);
    result.write(spec, points);
    return 0;
  }

  private int done(Scenario scenario) {
    String name = scenario.name().toLowerCase(Locale.ROOT);
    return (int) points.stream().filter(point -> point.scenario().equals(name)).count();
  }

  private void refuseWhatCannotBe() {
    if (replicas != 3 && replicas != 5) {
      throw new ParameterException(spec.commandLine(), "--replicas: 3 or 5, not " + replicas);
    }
    atLeast("--runs", runs, 1);
    atLeast("--in-flight", inFlight, 1);
    atLeast("--burners", burners, 0);
    atLeast("--calm-seconds", calmSeconds, 1);
    atLeast("--refill-megabytes", refillMegabytes, 1);
    atLeast("--entries", entries, 1);
    if (!durable && scenarios.contains(Scenario.RESTART)) {
      throw new ParameterException(spec.commandLine(), "--scenarios: restart needs --durable true");
    }
  }

  private void atLeast(String option, int value, int least) {
    if (value < least) {
      throw new ParameterException(
          spec.commandLine(), option + ": at least " + least + ", not " + value);
    }
  }

  private void measure(Scenario scenario, int done, RunDirectory directory)
      throws BenchException, InterruptedException, IOException {
    try (StoreServers servers =
            new StoreServers(directory.path(), replicas, durable, SNAPSHOT_MEGABYTES, heap);
        Burners other = new Burners(burners, directory.path())) {
      servers.startAll();
      servers.awaitAllOperational(START_MILLIS);
      try (Scenarios events = new Scenarios(servers, inFlight, this::keep)) {
        play(scenario, done + 1, events);
      }
    }
    directory.empty();
  }

  private void keep(FailoverPoint point) throws BenchException {
    spec.commandLine().getOut().println(point.line());
    spec.commandLine().getOut().flush();
    points.add(point);
    result.keep(spec, points);
  }

  private void play(Scenario scenario, int first, Scenarios events)
      throws BenchException, InterruptedException, IOException {
    switch (scenario) {
      case LEADER -> events.ends(Scenarios.End.LEADER, first, runs);
      case FOLLOWER -> events.ends(Scenarios.End.FOLLOWER, first, runs);
      case STOP -> events.ends(Scenarios.End.STOP, first, runs);
      case CALM -> events.calm(first, calmSeconds);
      case REFILL -> events.refill(first, runs, refillMegabytes);
      case RESTART -> events.restart(first, runs, entries);
    }
  }
}
