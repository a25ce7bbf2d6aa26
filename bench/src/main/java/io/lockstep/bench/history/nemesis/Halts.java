package io.lockstep.bench.history.nemesis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Replicas that ended by themselves. Used by one thread. */
public final class Halts {

  /**
   * One of them.
   *
   * @param cause in a word or two, the same for all of a kind
   * @param reason what the replica said, or its exit code
   */
  public record Halt(int replica, String cause, String reason) {
    /** Whether one of these faults leads to it. */
    public boolean isExplained(Set<FaultKind> faults) {
      return switch (cause) {
        case DISK -> faults.contains(FaultKind.DISK);
        case OLD_COPY -> faults.contains(FaultKind.ROLLBACK);
        default -> false;
      };
    }
  }

  /** Nothing can be written any more. */
  private static final String DISK = "disk";

  /** Started from an old copy of the directory. */
  private static final String OLD_COPY = "old-copy";

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
