package io.lockstep.bench.measure;

import io.lockstep.bench.measure.WarmUp.Slice;

/**
 * Load before a point that is not counted, until it no longer gets better ({@link WarmUp}). A
 * virtual machine compiles for half a minute and more: what it does meanwhile says little of what
 * it does later.
 *
 * @param leastSeconds the load runs at least so long, 0 or more
 * @param mostSeconds after so long the system counts as cold; at least {@code leastSeconds}
 */
public record WarmUpLoad(int leastSeconds, int mostSeconds) {
  private static final int SLICE_SECONDS = WarmUp.SLICE_MILLIS / 1000;

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
    /** Runs for some seconds, and tells what that gave. */
    Slice run(int seconds) throws E, InterruptedException;
  }

  /**
   * How a point was warmed up. Names of the components are keys of the result file.
   *
   * @param warm whether the load had stopped getting better; figures of a cold system are not for
   *     publication
   */
  public record Warmth(int warmupSeconds, boolean warm) {
    /** Nothing for a warm system, else a warning that ends a line. */
    public String words() {
      return warm
          ? ""
          : "  NOT WARM: after " + warmupSeconds + " s of load it was still getting better";
    }
  }

  /** Runs the load until it no longer gets better, or for {@link #mostSeconds}. */
  public <E extends Exception> Warmth run(Load<E> load) throws E, InterruptedException {
    WarmUp warmUp = new WarmUp(mostSeconds);
    int seconds = 0;
    while (seconds < mostSeconds) {
      warmUp.add(load.run(SLICE_SECONDS));
      seconds += SLICE_SECONDS;
      if (seconds >= leastSeconds && warmUp.isSteady()) {
        return new Warmth(seconds, true);
      }
    }
    return new Warmth(seconds, false);
  }
}
