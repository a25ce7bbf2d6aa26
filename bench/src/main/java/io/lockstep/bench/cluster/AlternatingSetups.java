package io.lockstep.bench.cluster;

import io.lockstep.bench.measure.Schedule;
import io.lockstep.bench.openflow.LoadFigures;
import io.lockstep.bench.openflow.LoadPlan;
import io.lockstep.bench.openflow.OpenFlowLoad;
import io.lockstep.bench.process.CpuMeter;
import io.lockstep.bench.process.RunDirectory;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.deploy.launch.LaunchedNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

/**
 * Flow set-ups of two builds beside each other: each round starts three nodes of either, which both
 * run until its end, and measures them in windows that alternate, so that what else the machine
 * does meets both. Used by one thread.
 */
final class AlternatingSetups {
  /** Windows of each build and number of flows in a round. */
  private static final int WINDOWS = 4;

  private static final int DEADLINE_MILLIS = 2_000;

  /**
   * What is measured.
   *
   * @param before the jars of the older build, {@code after} those of the newer one: class paths
   * @param readyMillis deadline for masters and hosts of a build, in each round
   * @param rounds how often all is measured, each time with new nodes
   * @param inFlight flows at a time, a point of each round for each
   * @param warmupSeconds load of each build and number of flows before the windows of a round
   * @param seconds of a window
   */
  record Plan(
      String before,
      String after,
      LoadPlan switches,
      long readyMillis,
      List<Integer> inFlight,
      int rounds,
      int warmupSeconds,
      int seconds) {}

  /** Takes each point as it is there. */
  @FunctionalInterface
  interface Points {
    void take(SetupRatio point) throws BenchException;
  }

  private final Plan plan;

  AlternatingSetups(Plan plan) {
    this.plan = plan;
  }

  /** Runs all rounds. */
  void run(Points points) throws BenchException, InterruptedException, IOException {
    for (int round = 1; round <= plan.rounds(); round++) {
      RunDirectory directory = RunDirectory.create("releases");
      try (Side before = start(directory.path().resolve("before"), plan.before());
          Side after = start(directory.path().resolve("after"), plan.after())) {
        try {
          before.settle(plan);
          after.settle(plan);
          for (int inFlight : plan.inFlight()) {
            points.take(measure(round, inFlight, before, after));
          }
        } catch (TimeoutException e) {
          throw new TimeoutException(
              e.getMessage() + before.nodes.obituary() + after.nodes.obituary());
        }
      } catch (TimeoutException e) {
        throw new BenchException(e.getMessage() + " (logs: " + directory.path() + ")", e);
      }
      directory.remove();
    }
  }

  private SetupRatio measure(int round, int inFlight, Side before, Side after)
      throws InterruptedException, TimeoutException {
    Schedule warmUp = Schedule.ofSeconds(0, plan.warmupSeconds(), DEADLINE_MILLIS);
    Schedule window = Schedule.ofSeconds(1, plan.seconds(), DEADLINE_MILLIS);
    List<LoadFigures> older = new ArrayList<>();
    List<LoadFigures> newer = new ArrayList<>();
    before.load.measure(inFlight, warmUp, before.cpu);
    after.load.measure(inFlight, warmUp, after.cpu);
    for (int i = 0; i < WINDOWS; i++) {
      // The first of two windows is the older build's in every second pair only.
      if ((round + i) % 2 == 0) {
        older.add(before.load.measure(inFlight, window, before.cpu));
      }
      newer.add(after.load.measure(inFlight, window, after.cpu));
      if ((round + i) % 2 != 0) {
        older.add(before.load.measure(inFlight, window, before.cpu));
      }
    }
    return SetupRatio.of(round, inFlight, older, newer);
  }

  private Side start(Path directory, String classPath) throws IOException {
    Files.createDirectories(directory);
    NodeProcesses nodes =
        new NodeProcesses(
            directory,
            NodeProcesses.domains(plan.switches()),
            NodeProcesses.WITHOUT_QUOTAS,
            (configuration, log) -> new LaunchedNode("node", configuration, log, classPath));
    try {
      return new Side(
          nodes,
          OpenFlowLoad.start(plan.switches(), nodes.controllers()),
          new CpuMeter(nodes.handles()));
    } catch (RuntimeException e) {
      nodes.close();
      throw e;
    }
  }

  private record Side(NodeProcesses nodes, OpenFlowLoad load, CpuMeter cpu)
      implements AutoCloseable {
    void settle(Plan plan) throws InterruptedException, TimeoutException {
      nodes.awaitMasters(plan.readyMillis());
      load.learn(plan.readyMillis());
    }

    @Override
    public void close() {
      load.close();
      nodes.close();
    }
  }
}
