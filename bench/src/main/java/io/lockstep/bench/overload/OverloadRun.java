package io.lockstep.bench.overload;

import io.lockstep.bench.cluster.NodeProcesses;
import io.lockstep.bench.measure.Schedule;
import io.lockstep.bench.openflow.LoadPlan;
import io.lockstep.bench.openflow.OpenFlowLoad;
import io.lockstep.bench.openflow.OpenFlowLoad.Paced;
import io.lockstep.bench.overload.LoudSwitches.Counts;
import io.lockstep.bench.overload.OverloadPoint.Reading;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;

/** One row at three nodes of its own. Used by one thread. */
final class OverloadRun {
  /** The node that masters all switches, and to which the loud ones connect. */
  private static final int MASTER = 0;

  private static final long FIRST_LOUD = 0x1000;
  private static final LoadPlan QUIET = new LoadPlan(1, 4, 16, 0x9000);
  private static final int FLOWS_PER_SECOND = 20;
  private static final int DEADLINE_MILLIS = 2_000;
  private static final int READY_MILLIS = 60_000;
  private static final int LOOK_MILLIS = 200;

  /** Longer than any question to the store waits while it answers. */
  private static final int SILENT_MILLIS = 2_000;

  private final OverloadRow row;
  private final Path directory;
  private final int warmUpSeconds;
  private final int seconds;

  /**
   * A run.
   *
   * @param directory of the nodes' configuration, logs and state
   */
  OverloadRun(OverloadRow row, Path directory, int warmUpSeconds, int seconds) {
    this.row = row;
    this.directory = directory;
    this.warmUpSeconds = warmUpSeconds;
    this.seconds = seconds;
  }

  /** What is done once the loud switches are answered and the nodes are warm. */
  private interface Work<T> {
    T run(NodeReadings readings, OpenFlowLoad quiet, LoudSwitches switches)
        throws BenchException, InterruptedException, IOException, TimeoutException;
  }

  /**
   * What became of all packet-ins between two moments in which none was on its way.
   *
   * @param dropped as the nodes counted
   */
  record Balance(long sent, long answered, long dropped) {}

  /** Measures the row. */
  OverloadPoint run() throws BenchException, InterruptedException, IOException {
    return run(this::measure);
  }

  /** Counts what becomes of each packet-in. */
  Balance balance() throws BenchException, InterruptedException, IOException {
    return run(
        (readings, quiet, switches) -> {
          Balance from = silence(readings, switches);
          switches.setLoud(true);
          TimeUnit.SECONDS.sleep(seconds);
          Balance to = silence(readings, switches);
          return new Balance(
              to.sent - from.sent, to.answered - from.answered, to.dropped - from.dropped);
        });
  }

  /** Waits until no packet-in is on its way any more. */
  private static Balance silence(NodeReadings readings, LoudSwitches switches)
      throws IOException, InterruptedException, TimeoutException {
    switches.setLoud(false);
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(READY_MILLIS);
    Balance before = null;
    Balance now = balance(readings, switches);
    while (!now.equals(before)) {
      if (System.nanoTime() - deadline > 0) {
        throw new TimeoutException("the nodes still answer after " + READY_MILLIS + " ms");
      }
      TimeUnit.MILLISECONDS.sleep(SILENT_MILLIS);
      before = now;
      now = balance(readings, switches);
    }
    return now;
  }

  private static Balance balance(NodeReadings readings, LoudSwitches switches)
      throws IOException, InterruptedException {
    Counts counts = switches.counts();
    return new Balance(counts.sent(), counts.answered(), readings.dropped());
  }

  private <T> T run(Work<T> work) throws BenchException, InterruptedException, IOException {
    List<Long> loud = LongStream.range(FIRST_LOUD, FIRST_LOUD + row.switches()).boxed().toList();
    List<DomainPlan> domains =
        List.of(
            new DomainPlan("loud", loud, MASTER),
            new DomainPlan("quiet", List.of(QUIET.firstDpid()), MASTER));
    try (NodeProcesses nodes = new NodeProcesses(directory, domains, row.configuration());
        OpenFlowLoad quiet = OpenFlowLoad.start(QUIET, nodes.controllers())) {
      NodeReadings readings = new NodeReadings(nodes, directory);
      awaitMastered(readings, 1);
      quiet.learn(READY_MILLIS);
      try (LoudSwitches switches =
          LoudSwitches.start(row, FIRST_LOUD, nodes.controllers().get(MASTER))) {
        awaitMastered(readings, 1 + row.switches());
        switches.setLoud(true);
        awaitAnswers(switches);
        TimeUnit.SECONDS.sleep(warmUpSeconds);
        return work.run(readings, quiet, switches);
      }
    } catch (TimeoutException e) {
      throw new BenchException(String.valueOf(e.getMessage()), e);
    }
  }

  private static void awaitMastered(NodeReadings readings, int switches)
      throws InterruptedException, TimeoutException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(READY_MILLIS);
    long mastered = mastered(readings);
    while (mastered < switches) {
      if (System.nanoTime() - deadline > 0) {
        throw new TimeoutException(
            "after "
                + READY_MILLIS
                + " ms the first node masters "
                + mastered
                + " of "
                + switches
                + " switches");
      }
      Thread.sleep(LOOK_MILLIS);
      mastered = mastered(readings);
    }
  }

  private static long mastered(NodeReadings readings) {
    try {
      return readings.mastered(MASTER);
    } catch (IOException notUpYet) {
      return 0;
    }
  }

  private static void awaitAnswers(LoudSwitches switches)
      throws IOException, InterruptedException, TimeoutException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(READY_MILLIS);
    while (switches.counts().answered() == 0) {
      if (System.nanoTime() - deadline > 0) {
        throw new TimeoutException("no packet-in was answered within " + READY_MILLIS + " ms");
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private OverloadPoint measure(NodeReadings readings, OpenFlowLoad quiet, LoudSwitches switches)
      throws BenchException, InterruptedException, IOException {
    ExecutorService beside = Executors.newSingleThreadExecutor();
    try {
      Reading from = read(readings, switches);
      Schedule schedule = Schedule.ofSeconds(0, seconds, DEADLINE_MILLIS);
      Future<Paced> paced = beside.submit(() -> quiet.pace(FLOWS_PER_SECOND, schedule));
      TimeUnit.SECONDS.sleep(seconds);
      Reading to = read(readings, switches);
      double resident = readings.residentMegabytes();
      return OverloadPoint.of(row, from, to, p99Millis(paced.get()), resident);
    } catch (ExecutionException e) {
      throw new BenchException("the quiet switch failed: " + e.getCause(), e);
    } finally {
      beside.shutdownNow();
    }
  }

  /** Of all flows: lost ones and those that went elsewhere took the deadline. */
  private static double p99Millis(Paced paced) {
    long lost = paced.figures().lost() + paced.misdirected();
    return lost * 100 > paced.figures().sent()
        ? DEADLINE_MILLIS
        : paced.figures().p99Micros() / 1e3;
  }

  /** The clocks and counters of the load are read last: what they say is compared. */
  private static Reading read(NodeReadings readings, LoudSwitches switches)
      throws IOException, InterruptedException {
    long leaders = readings.regency();
    long steps = readings.stepsDown();
    long dropped = readings.dropped();
    long cpu = readings.cpuNanos();
    Counts counts = switches.counts();
    return new Reading(
        System.nanoTime(), counts.sent(), counts.answered(), cpu, dropped, leaders, steps);
  }
}
