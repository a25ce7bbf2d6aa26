package io.lockstep.core.host;

/** What became of a {@link HostChange}. */
enum HostOutcome {
  /** It took effect. */
  DONE,
  /**
   * The port or the switch has as many hosts or addresses as it may. Nothing was changed, but for a
   * host that was to move there: it is removed.
   */
  FULL,
  /** The host is elsewhere, or the claim of its move was withdrawn or replaced: no change. */
  STALE,
  /** The writer does not master the switch, or not any more: no change. */
  FENCED,
  /** The store did not take it, such as for want of room: no change. */
  REJECTED,
  /** Whether it took effect is not known. */
  UNKNOWN
}
