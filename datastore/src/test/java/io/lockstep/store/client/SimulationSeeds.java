package io.lockstep.store.client;

import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/** Runs a simulation for many seeds, or for the one in {@code -Dlockstep.sim.seed}. */
public final class SimulationSeeds {
  private SimulationSeeds() {}

  /** Runs the simulation with the seeds 1 to {@code schedules}, or with the given one. */
  public static void forEach(int schedules, LongConsumer simulation) {
    Long only = Long.getLong("lockstep.sim.seed");
    if (only != null) {
      run(simulation, only);
      return;
    }
    for (long seed = 1; seed <= schedules; seed++) {
      run(simulation, seed);
    }
  }

  /**
   * The same on all cores, in any order; says how many schedules there were in a minute.
   *
   * @param simulation keeps nothing that another seed could see
   */
  public static void forEachAtOnce(int schedules, LongConsumer simulation) {
    Long only = Long.getLong("lockstep.sim.seed");
    long beginNanos = System.nanoTime();
    LongStream.rangeClosed(only == null ? 1 : only, only == null ? schedules : only)
        .parallel()
        .forEach(seed -> run(simulation, seed));
    double minutes = (System.nanoTime() - beginNanos) / 60e9;
    long count = only == null ? schedules : 1;
    System.out.printf("%d schedules, %.0f per minute%n", count, count / minutes);
  }

  /** Whether only one given seed is run. */
  public static boolean replaying() {
    return Long.getLong("lockstep.sim.seed") != null;
  }

  private static void run(LongConsumer simulation, long seed) {
    try {
      simulation.accept(seed);
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("replay with -Dlockstep.sim.seed=" + seed, e);
    }
  }
}
