package io.lockstep.dataplane.profile;

import org.jspecify.annotations.Nullable;

/**
 * The part of a switch that shares its hardware between OpenFlow and others.
 *
 * @param sharePercent of OpenFlow, 0 to 100, as set by an operator; null where it was never set,
 *     which leaves OpenFlow all
 * @param hang how the switch fails when much is used of a large share; null for not at all
 */
public record PolicyEngineProfile(@Nullable Integer sharePercent, @Nullable Hang hang) {
  public PolicyEngineProfile {
    if (sharePercent != null && (sharePercent < 0 || sharePercent > 100)) {
      throw new IllegalArgumentException("a share of 0 to 100 %, not " + sharePercent);
    }
  }

  /** Whether the OpenFlow instance hangs with so many entries in hardware. */
  public boolean hangsWith(long entries) {
    return hang != null
        && sharePercent != null
        && sharePercent > hang.aboveSharePercent()
        && entries > hang.aboveEntries();
  }

  /** The share above which, and the entries above which, both at once, the instance hangs. */
  public record Hang(int aboveSharePercent, int aboveEntries) {}
}
