package io.lockstep.core.host;

import io.lockstep.core.link.SwitchPort;
import java.util.ArrayList;
import java.util.List;

/**
 * All that the store keeps of a host: the record of the paper's device manager (section VI-D). Its
 * key is {@link HostKey}. The times are consensus-ordered milliseconds since 1970.
 *
 * @param host where it is and its addresses
 * @param firstSeenMillis when it was recorded
 * @param lastSeenMillis when it was last known to be there; {@link HostAges} says how exact it is
 * @param former where it was before, the last one first; at most {@link #MAX_FORMER}
 */
record HostEntity(HostRecord host, long firstSeenMillis, long lastSeenMillis, List<Stay> former) {

  /** Former places kept of one host; the oldest goes when it moves once more. */
  static final int MAX_FORMER = 3;

  /**
   * A time at a place.
   *
   * @param untilMillis when the host was found elsewhere
   */
  record Stay(SwitchPort place, long sinceMillis, long untilMillis) {}

  HostEntity {
    former = List.copyOf(former);
  }

  /** A host that is new. */
  static HostEntity at(SwitchPort place, long nowMillis) {
    return new HostEntity(HostRecord.at(place, nowMillis), nowMillis, nowMillis, List.of());
  }

  /** Where it is. */
  SwitchPort place() {
    return host.location();
  }

  /** The same host, seen now where it is. */
  HostEntity seen(HostRecord now, long nowMillis) {
    return new HostEntity(now, firstSeenMillis, nowMillis, former);
  }

  /** The same host at another place. */
  HostEntity movedTo(SwitchPort place, long nowMillis) {
    List<Stay> stays = new ArrayList<>();
    stays.add(new Stay(place(), host.sinceMillis(), nowMillis));
    stays.addAll(former.subList(0, Math.min(former.size(), MAX_FORMER - 1)));
    return new HostEntity(host.movedTo(place, nowMillis), firstSeenMillis, nowMillis, stays);
  }
}
