package io.lockstep.bench.measure;

import java.util.ArrayList;
import java.util.List;

/**
 * When a system under load is warm: the same rule for all. The load runs in slices; the system is
 * warm once the last slices together are no better than those before them, neither in flows per
 * second nor in CPU time per flow. The second tells even where another process takes the machine's
 * time: compiling costs CPU, and what is compiled costs less. Pure; used by one thread.
 */
public final class WarmUp {
  /** Length of a slice. */
  public static final int SLICE_MILLIS = 2000;

  /** Slices that are compared with as many before them. */
  static final int SLICES = 3;

  /** What is better by less than this has stopped getting better. */
  static final double RISE = 1.05;

  private final int limitSlices;
  private final List<Slice> slices = new ArrayList<>();

  /**
   * A warm-up.
   *
   * @param limitSeconds it ends then in any case, after at least one slice
   */
  public WarmUp(int limitSeconds) {
    limitSlices = Math.max(1, limitSeconds * 1000 / SLICE_MILLIS);
  }

  /**
   * What a slice gave.
   *
   * @param flowsPerSecond that ended in it
   * @param cpuMicrosPerFlow CPU time of all processes
   */
  public record Slice(double flowsPerSecond, double cpuMicrosPerFlow) {}

  /** Adds the newest slice. */
  public void add(Slice slice) {
    slices.add(slice);
  }

  /** Whether it has stopped getting better, or has reached its limit. */
  public boolean isOver() {
    return isSteady() || slices.size() >= limitSlices;
  }

  /** Whether it has stopped getting better. */
  public boolean isSteady() {
    int size = slices.size();
    if (size < 2 * SLICES) {
      return false;
    }
    Slice before = mean(slices.subList(size - 2 * SLICES, size - SLICES));
    Slice last = mean(slices.subList(size - SLICES, size));
    return last.flowsPerSecond < before.flowsPerSecond * RISE
        && before.cpuMicrosPerFlow < last.cpuMicrosPerFlow * RISE;
  }

  /** How long it took so far. */
  public int seconds() {
    return slices.size() * SLICE_MILLIS / 1000;
  }

  /** The mean of the last slices. */
  public Slice last() {
    return mean(slices.subList(Math.max(0, slices.size() - SLICES), slices.size()));
  }

  private static Slice mean(List<Slice> some) {
    double flows = some.stream().mapToDouble(Slice::flowsPerSecond).sum();
    double cpu = some.stream().mapToDouble(s -> s.cpuMicrosPerFlow * s.flowsPerSecond).sum();
    return new Slice(flows / some.size(), cpu / flows);
  }
}
