package io.lockstep.store.client;

import java.io.IOException;
import java.util.stream.LongStream;

/**
 * Runs a simulation for the seeds 1 to so many. {@code -Dlockstep.sim.seed=N} runs one instead,
 * {@code -Dlockstep.sim.first=N} begins elsewhere, {@code -Dlockstep.sim.count=N} runs so many,
 * {@code -Dlockstep.sim.percent=N} that share of them, at least one.
 */
public final class SimulationSeeds {
  private static final String SEED = "lockstep.sim.seed";
  private static final String FIRST = "lockstep.sim.first";
  private static final String COUNT = "lockstep.sim.count";
  private static final String PERCENT = "lockstep.sim.percent";
  private static final int ALL = 100;

  /** One seed is one schedule. */
  public interface Simulation {
    /** Runs it; fails where it finds something wrong. */
    void run(long seed) throws IOException;
  }

  private SimulationSeeds() {}

  /** Runs the simulation with {@code schedules} seeds, one after the other. */
  public static void forEach(int schedules, Simulation simulation) {
    String test = test();
    seeds(schedules).forEach(seed -> run(test, simulation, seed));
  }

  /**
   * The same on all cores, in any order; says how many schedules there were in a minute.
   *
   * @param simulation keeps nothing that another seed could see
   */
  public static void forEachAtOnce(int schedules, Simulation simulation) {
    String test = test();
    long beginNanos = System.nanoTime();
    seeds(schedules).parallel().forEach(seed -> run(test, simulation, seed));
    double minutes = (System.nanoTime() - beginNanos) / 60e9;
    long count = seeds(schedules).count();
    System.out.printf("%d schedules, %.0f per minute%n", count, count / minutes);
  }

  /** Whether somebody chose the seeds, so that they need not bring about all there is. */
  public static boolean chosen() {
    return Long.getLong(SEED) != null
        || Long.getLong(FIRST) != null
        || Long.getLong(COUNT) != null
        || Long.getLong(PERCENT, ALL) < ALL;
  }

  private static LongStream seeds(int schedules) {
    Long only = Long.getLong(SEED);
    if (only != null) {
      return LongStream.of(only);
    }
    long first = Long.getLong(FIRST, 1);
    long share = Math.max(1, schedules * Long.getLong(PERCENT, ALL) / ALL);
    return LongStream.range(first, first + Long.getLong(COUNT, share));
  }

  /** The test that called, as Maven names it: the third frame, behind this class's two. */
  private static String test() {
    return StackWalker.getInstance()
        .walk(frames -> frames.skip(2).findFirst())
        .map(
            frame -> {
              String name = frame.getClassName();
              return name.substring(name.lastIndexOf('.') + 1) + "#" + frame.getMethodName();
            })
        .orElseThrow();
  }

  private static void run(String test, Simulation simulation, long seed) {
    try {
      simulation.run(seed);
    } catch (RuntimeException | IOException | AssertionError e) {
      String again = "mvn test -pl datastore -Dtest=" + test + " -D" + SEED + "=" + seed;
      throw new AssertionError("seed " + seed + "; to run it again: " + again, e);
    }
  }
}
