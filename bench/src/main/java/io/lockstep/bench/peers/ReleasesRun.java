package io.lockstep.bench.peers;

import io.lockstep.bench.runs.BenchException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Measures two builds in turn. Both run at the same time, and one of them has load: what the
 * machine does in some seconds, it does to both. Used by one thread.
 */
final class ReleasesRun {
  private static final String VARIANT = "micro";
  private static final int SLICE_SECONDS = 4;

  /** Before each window, uncounted: the other build had the caches. */
  private static final int UNCOUNTED_MILLIS = 300;

  /** One of the two. */
  enum Side {
    BEFORE,
    AFTER
  }

  /** Starts the processes of a build. */
  interface Starter {
    StoreRun start(Side side, boolean durable)
        throws BenchException, IOException, InterruptedException;
  }

  /** Takes each point as it is measured. */
  interface Points {
    void add(ReleasePoint point) throws BenchException;
  }

  /**
   * What is measured.
   *
   * @param warmupSeconds of load of each workload on each build before the first window
   * @param windows of each workload and build in a round
   */
  record Plan(
      List<String> workloads,
      List<Boolean> modes,
      int flows,
      int rounds,
      int warmupSeconds,
      int windows,
      int windowMillis) {
    Plan {
      workloads = List.copyOf(workloads);
      modes = List.copyOf(modes);
    }
  }

  private final Plan plan;
  private final Starter starter;

  ReleasesRun(Plan plan, Starter starter) {
    this.plan = plan;
    this.starter = starter;
  }

  /** Measures all rounds; each has processes of its own. */
  void run(Points points) throws BenchException, IOException, InterruptedException {
    for (int round = 1; round <= plan.rounds; round++) {
      for (boolean durable : plan.modes) {
        round(round, durable, points);
      }
    }
  }

  private void round(int round, boolean durable, Points points)
      throws BenchException, IOException, InterruptedException {
    List<Side> order = new ArrayList<>(List.of(Side.values()));
    if (round % 2 == 0) {
      Collections.reverse(order);
    }
    try (StoreRun first = starter.start(order.get(0), durable);
        StoreRun second = starter.start(order.get(1), durable)) {
      Map<Side, StoreRun> builds = new EnumMap<>(Side.class);
      builds.put(order.get(0), first);
      builds.put(order.get(1), second);
      warmUp(order, builds);
      for (String workload : plan.workloads) {
        points.add(measure(workload, durable, round, order, builds));
      }
    }
  }

  /** All workloads in slices in turn, so that the compiler has seen each before one is measured. */
  private void warmUp(List<Side> order, Map<Side, StoreRun> builds)
      throws BenchException, InterruptedException {
    for (int left = plan.warmupSeconds; left > 0; left -= SLICE_SECONDS) {
      int millis = Math.min(left, SLICE_SECONDS) * 1000;
      for (String workload : plan.workloads) {
        for (Side side : order) {
          of(builds, side).run(workload, VARIANT, plan.flows, 0, millis);
        }
      }
    }
  }

  private ReleasePoint measure(
      String workload, boolean durable, int round, List<Side> order, Map<Side, StoreRun> builds)
      throws BenchException, InterruptedException {
    Map<Side, List<StoreRun.Outcome>> outcomes = new EnumMap<>(Side.class);
    List<Side> turn = new ArrayList<>(order);
    for (int window = 0; window < plan.windows; window++) {
      for (Side side : turn) {
        outcomes
            .computeIfAbsent(side, none -> new ArrayList<>())
            .add(
                of(builds, side)
                    .run(workload, VARIANT, plan.flows, UNCOUNTED_MILLIS, plan.windowMillis));
      }
      Collections.reverse(turn);
    }
    return ReleasePoint.of(
        workload,
        durable,
        round,
        plan.flows,
        ReleasePoint.Build.of(of(outcomes, Side.BEFORE)),
        ReleasePoint.Build.of(of(outcomes, Side.AFTER)));
  }

  private static <T> T of(Map<Side, T> sides, Side side) {
    T found = sides.get(side);
    if (found == null) {
      throw new IllegalStateException("nothing of " + side);
    }
    return found;
  }
}
