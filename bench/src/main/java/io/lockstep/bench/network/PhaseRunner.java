package io.lockstep.bench.network;

import io.lockstep.bench.cluster.NodeProcesses;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.dataplane.network.NewFlows;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Waits for the goals of phases, measures the phases, and reports each. Used by one thread. */
final class PhaseRunner {
  /** Pause between two looks at the emulated switches: the resolution of the times of masters. */
  private static final int LOOK_MILLIS = 5;

  /**
   * A report costs a node something: the pause between two is so much longer than a report took.
   */
  private static final int PAUSE_PER_REPORT = 4;

  private static final int LEAST_PAUSE_MILLIS = 20;

  /** A node that is busy waits up to a second before it reports; a longer pause would add to it. */
  private static final int MOST_PAUSE_MILLIS = 200;

  /** A flow that is still on its way at the end of a phase may arrive for so long. */
  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(3);

  private static final int READY_MILLIS = 1000;
  private static final long START_NANOS = TimeUnit.SECONDS.toNanos(120);

  /** What a phase does. */
  interface Action {
    /** Does it. */
    void run() throws BenchException, IOException, InterruptedException, PhaseException;
  }

  /** Where points go. */
  interface Sink {
    /** Keeps a point. */
    void keep(NetworkPoint point) throws BenchException;
  }

  private final NetworkPoint blank;
  private final NodeProcesses nodes;
  private final NodeViews views;
  private final NodeUsage usage;
  private final long deadlineNanos;
  private final Sink sink;

  /** Nodes that are to have ended. */
  private final Set<Integer> down = new HashSet<>();

  private @Nullable NewFlows flows;

  /**
   * @param blank a point with what all phases of the run have in common
   * @param deadlineSeconds of each phase
   */
  PhaseRunner(
      NetworkPoint blank, NodeProcesses nodes, NodeViews views, int deadlineSeconds, Sink sink) {
    this.blank = blank;
    this.nodes = nodes;
    this.views = views;
    this.usage = new NodeUsage(nodes);
    this.deadlineNanos = TimeUnit.SECONDS.toNanos(deadlineSeconds);
    this.sink = sink;
  }

  /** From now on phases count these flows. */
  void count(NewFlows newFlows) {
    flows = newFlows;
  }

  void kill(int node) {
    down.add(node);
    usage.sample();
    nodes.kill(node);
  }

  void terminate(int node) {
    down.add(node);
    nodes.terminate(node);
  }

  void start(int node) throws IOException {
    nodes.start(node);
    down.remove(node);
  }

  /** Does what must be done before a phase; where that fails the phase is reported as not ended. */
  void before(String phase, Action action)
      throws BenchException, IOException, InterruptedException, PhaseException {
    try {
      action.run();
    } catch (PhaseException e) {
      sink.keep(blank.in(phase));
      throw new PhaseException(phase + " did not begin: " + e.getMessage(), e);
    }
  }

  /**
   * Measures and reports one phase, from just before the action until the goal is reached.
   *
   * @param times of the new masters that the goal waits for; null where it waits for none
   */
  void measure(String phase, Action action, Goal goal, @Nullable MasterTimes times)
      throws BenchException, IOException, InterruptedException, PhaseException {
    try {
      long instanceBefore = views.lastInstance();
      NewFlows counted = flows;
      usage.sample();
      double cpuBefore = usage.cpuSeconds();
      if (counted != null) {
        counted.next(phase);
      }
      long began = System.nanoTime();
      if (times != null) {
        times.begin(began);
      }
      action.run();
      await(goal);
      double seconds = (System.nanoTime() - began) / 1e9;
      NewFlows.Window ended = counted == null ? null : counted.next("between phases");
      usage.sample();
      double cpuSeconds = usage.cpuSeconds() - cpuBefore;
      double resident = usage.residentMegabytes();
      double instances = Math.max(0, views.lastInstance() - instanceBefore);
      sink.keep(
          blank
              .in(phase)
              .ended(
                  new NetworkPoint.Use(seconds, cpuSeconds, resident, instances),
                  ended == null ? null : arrivedOf(ended),
                  times == null ? null : times.masters()));
    } catch (PhaseException e) {
      sink.keep(blank.in(phase));
      throw new PhaseException(phase + ": " + e.getMessage(), e);
    }
  }

  private static NetworkPoint.Flows arrivedOf(NewFlows.Window ended) throws InterruptedException {
    NewFlows.Counts counts = settled(ended);
    Double p99 = counts.arrived() == 0 ? null : NetworkPoint.rounded(counts.p99Nanos() / 1e6, 100);
    return new NetworkPoint.Flows(counts.sent(), counts.missing(), p99);
  }

  /** The counts when all flows have arrived, or when they would be late. */
  static NewFlows.Counts settled(NewFlows.Window ended) throws InterruptedException {
    long lateNanos = System.nanoTime() + LATE_NANOS;
    NewFlows.Counts counts = ended.counts();
    while (counts.missing() > 0 && System.nanoTime() < lateNanos) {
      Thread.sleep(LOOK_MILLIS);
      counts = ended.counts();
    }
    return counts;
  }

  /** Waits for a goal up to the deadline of a phase. */
  void await(Goal goal) throws InterruptedException, PhaseException {
    await(goal, deadlineNanos);
  }

  /** Waits until the nodes have started, which is no phase and has a deadline of its own. */
  void awaitStart(Goal goal) throws InterruptedException, PhaseException {
    await(goal, START_NANOS);
  }

  private void await(Goal goal, long mostNanos) throws InterruptedException, PhaseException {
    long began = System.nanoTime();
    while (true) {
      List<String> missing = goal.atSwitches().get();
      long pauseMillis = LOOK_MILLIS;
      if (missing.isEmpty()) {
        long asked = System.nanoTime();
        missing = goal.atNodes().get();
        if (missing.isEmpty()) {
          return;
        }
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - asked);
        pauseMillis =
            Math.max(LEAST_PAUSE_MILLIS, Math.min(MOST_PAUSE_MILLIS, PAUSE_PER_REPORT * took));
      }
      complainOfEnded();
      if (System.nanoTime() - began > mostNanos) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(mostNanos);
        throw new PhaseException("after " + seconds + " s " + goal.complaint(missing));
      }
      usage.sample();
      Thread.sleep(pauseMillis);
    }
  }

  /** Waits for a second of new flows of which none is lost: only then what is lost is a phase's. */
  void awaitFlows() throws InterruptedException, PhaseException {
    NewFlows counted = flows;
    long began = System.nanoTime();
    while (counted != null) {
      counted.next("ready?");
      Thread.sleep(READY_MILLIS);
      NewFlows.Counts counts = settled(counted.next("between phases"));
      if (counts.sent() > 0 && counts.missing() == 0) {
        return;
      }
      complainOfEnded();
      if (System.nanoTime() - began > deadlineNanos) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(deadlineNanos);
        throw new PhaseException(
            String.format(
                "after %d s still %d of %d new flows are lost",
                seconds, counts.missing(), counts.sent()));
      }
    }
  }

  /** A node that ended by itself ends the phase. */
  private void complainOfEnded() throws PhaseException {
    for (int node = 0; node < NodeProcesses.NODES; node++) {
      if (!down.contains(node) && !nodes.running(node)) {
        throw new PhaseException(nodes.plan().nodeId(node) + " has ended by itself");
      }
    }
  }
}
