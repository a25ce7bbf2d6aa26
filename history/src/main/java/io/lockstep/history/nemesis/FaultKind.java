package io.lockstep.history.nemesis;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

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
  DISK,
  /** SIGKILL, and what was not synced is undone before the start. */
  POWER,
  /** One replica does not hear one other. */
  ONEWAY,
  /** Wall and monotonic clocks jump and drift. */
  CLOCK,
  /** Links and syncs take long. */
  SLOW,
  /** SIGKILL soon after a start, during a snapshot or a transfer. */
  RECOVERY,
  /** A start from an old copy of the directory, which must be refused. */
  ROLLBACK,
  /** Another machine takes the place of a replica, and the one before comes back. */
  REPLACE;

  /** As it is written on the command line. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it needs replicas that keep their state on a disk. */
  public boolean needsDisk() {
    return this == DISK || this == POWER || this == ROLLBACK || this == REPLACE;
  }

  /** Whether it is one of links. */
  public boolean needsNetwork() {
    return this == PARTITION || this == ONEWAY || this == SLOW;
  }

  /** All that a run has where nothing else was asked for. */
  public static Set<FaultKind> usual(boolean durable) {
    Set<FaultKind> usual = EnumSet.allOf(FaultKind.class);
    usual.removeIf(kind -> kind.needsDisk() && !durable);
    return usual;
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
