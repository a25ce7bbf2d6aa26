package io.lockstep.bench.history.nemesis;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What can be done to replicas. */
public enum FaultKind {
  /** SIGKILL, of one or of all, and a start later. */
  KILL,
  /** SIGSTOP, and SIGCONT later. */
  PAUSE,
  /** Links between replicas lose, hold back or delay what they carry. */
  PARTITION,
  /** An orderly stop and a start. */
  RESTART,
  /** SIGKILL and a start without what was on the disk. */
  WIPE,
  /** The disk is full for a while. */
  DISK;

  /** As it is written on the command line. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads a name.
   *
   * @throws IllegalArgumentException where there is no such kind
   */
  public static FaultKind of(String label) {
    return Arrays.stream(values())
        .filter(kind -> kind.label().equals(label))
        .findAny()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'" + label + "' is none of " + String.join(", ", labels())));
  }

  private static List<String> labels() {
    return Arrays.stream(values()).map(FaultKind::label).toList();
  }
}
