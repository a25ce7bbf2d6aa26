package io.lockstep.bench.history.nemesis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Replicas that ended by themselves. Used by one thread. */
public final class Halts {

  /**
   * One of them.
   *
   * @param cause in a word or two, the same for all of a kind
   * @param reason what the replica said, or its exit code
   */
  public record Halt(int replica, String cause, String reason) {}

  private final List<Halt> all = new ArrayList<>();

  void add(Halt halt) {
    all.add(halt);
  }

  /** All, in the order in which they were seen. */
  public List<Halt> all() {
    return List.copyOf(all);
  }

  /** How many, by cause. */
  public static Map<String, Long> byCause(List<Halt> halts) {
    Map<String, Long> counts = new TreeMap<>();
    halts.forEach(halt -> counts.merge(halt.cause(), 1L, Long::sum));
    return counts;
  }
}
