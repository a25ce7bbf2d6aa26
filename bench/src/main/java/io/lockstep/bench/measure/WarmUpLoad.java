package io.lockstep.bench.measure;

/**
 * Load before a point that is not counted, until its rate no longer rises. A virtual machine
 * compiles for half a minute and more: what it does meanwhile says little of what it does later.
 *
 * @param leastSeconds the load runs at least so long, 0 or more
 * @param mostSeconds after so long the system counts as cold; at least {@code leastSeconds}
 */
public record WarmUpLoad(int leastSeconds, int mostSeconds) {
  /** Length of one window. */
  static final int WINDOW_SECONDS = 3;

  /** A window that is faster than all before it by more than this factor shows a cold system. */
  private static final double RISE = 1.03;

  /** How many windows in a row must show no such rise. */
  private static final int STEADY_WINDOWS = 3;

  public WarmUpLoad {
    if (leastSeconds < 0 || mostSeconds < leastSeconds) {
      throw new IllegalArgumentException(
          "need 0 <= least <= most seconds of warm-up; got "
              + leastSeconds
              + " and "
              + mostSeconds);
    }
  }

  /** The load of the point that follows. */
  @FunctionalInterface
  public interface Load<E extends Exception> {
    /**
     * Runs for some seconds.
     *
     * @return answers a second
     */
    double run(int seconds) throws E, InterruptedException;
  }

  /**
   * How a point was warmed up. Names of the components are keys of the result file.
   *
   * @param warm whether the rate had stopped to rise; figures of a cold system are not for
   *     publication
   */
  public record Warmth(int warmupSeconds, boolean warm) {
    /** Nothing for a warm system, else a warning that ends a line. */
    public String words() {
      return warm ? "" : "  NOT WARM: the rate still rose after " + warmupSeconds + " s of load";
    }
  }

  /** Runs the load until the rate no longer rises, or for {@link #mostSeconds}. */
  public <E extends Exception> Warmth run(Load<E> load) throws E, InterruptedException {
    int seconds = 0;
    int steady = 0;
    double best = 0;
    while (seconds < mostSeconds) {
      int window = Math.min(WINDOW_SECONDS, mostSeconds - seconds);
      double rate = load.run(window);
      seconds += window;
      steady = rate <= best * RISE ? steady + 1 : 0;
      best = Math.max(best, rate);
      if (steady >= STEADY_WINDOWS && seconds >= leastSeconds) {
        return new Warmth(seconds, true);
      }
    }
    return new Warmth(seconds, false);
  }
}
