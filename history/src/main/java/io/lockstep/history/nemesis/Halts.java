package io.lockstep.history.nemesis;

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

  /** Nothing can be written any more. */
  private static final String DISK = "disk";

  /** Started from an old copy of the directory, or as a machine that was replaced. */
  private static final String OLD_COPY = "old-copy";

  private final List<Halt> all = new ArrayList<>();

  void add(Halt halt) {
    all.add(halt);
  }

  /** All, in the order in which they were seen. */
  public List<Halt> all() {
    return List.copyOf(all);
  }

  /**
   * Those that no fault leads to: all but those by a full disk, where there was one, and one
   * refusal for each rollback and each replaced machine.
   *
   * @param faultsByKind how often each kind came, by its label
   */
  public static List<Halt> unexplained(List<Halt> halts, Map<String, Long> faultsByKind) {
    boolean full = faultsByKind.getOrDefault(FaultKind.DISK.label(), 0L) > 0;
    long refusals =
        faultsByKind.getOrDefault(FaultKind.ROLLBACK.label(), 0L)
            + faultsByKind.getOrDefault(FaultKind.REPLACE.label(), 0L);
    List<Halt> unexplained = new ArrayList<>();
    for (Halt halt : halts) {
      boolean refusal = halt.cause().equals(OLD_COPY) && refusals-- > 0;
      if (!refusal && !(halt.cause().equals(DISK) && full)) {
        unexplained.add(halt);
      }
    }
    return unexplained;
  }

  /** How many, by cause. */
  public static Map<String, Long> byCause(List<Halt> halts) {
    Map<String, Long> counts = new TreeMap<>();
    halts.forEach(halt -> counts.merge(halt.cause(), 1L, Long::sum));
    return counts;
  }
}
