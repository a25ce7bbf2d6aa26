package io.lockstep.core.host;

import java.util.List;
import java.util.Optional;

/** What became of a {@link HostChange}. */
enum HostOutcome {
  /** It took effect. */
  DONE(0),
  /**
   * The port or the switch has as many hosts or addresses as it may. Nothing was changed, but for a
   * host that was to move there: it is removed.
   */
  FULL(1),
  /** The host is elsewhere, or the claim of its move was withdrawn or replaced: no change. */
  STALE(2),
  /** The writer does not master the switch, or not any more: no change. */
  FENCED(3),
  /** The store did not take it, such as for want of room: no change. */
  REJECTED(4),
  /** Whether it took effect is not known. */
  UNKNOWN(5);

  private static final List<HostOutcome> OF_STORE = List.of(DONE, FULL, STALE, FENCED);

  private final int code;

  HostOutcome(int code) {
    this.code = code;
  }

  /** The outcome in the component's replies; never used again for another one. */
  int code() {
    return code;
  }

  /** The outcome with a code that the component gives; empty where there is none. */
  static Optional<HostOutcome> of(int code) {
    return OF_STORE.stream().filter(outcome -> outcome.code == code).findFirst();
  }
}
