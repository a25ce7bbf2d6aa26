package io.lockstep.core.link;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * When a link ends. At once, where a port at one of its ends is down; within 3 s, where the switch
 * at the far end has disappeared, or one at either end no longer answers ({@link FarSwitches}), of
 * which a node can only ask those that are connected to it, and which have most of these 3 s for a
 * sign of life, since a starved machine is slow, not gone; and where both switches live and no
 * probe arrives, after {@link DiscoveryConfig#missedProbes} intervals in which this node was awake
 * and the source had a master to send probes: unknown is not missing. Owned by the control loop.
 */
final class LinkExpiry {
  /**
   * How long a link's probes stay away before it ends, where a switch at its ends gives no sign of
   * life. It leaves 0.3 s of the 3 s to the next look and 0.3 s to the store.
   */
  static final long SILENT_MILLIS = 2_400;

  private final LinkSurroundings surroundings;
  private final DiscoveryConfig config;
  private final LongPredicate hasMaster;
  private final FarSwitches farSwitches;
  private long awakeSinceNanos;

  LinkExpiry(
      LinkSurroundings surroundings,
      DiscoveryConfig config,
      Executor loop,
      LongPredicate hasMaster,
      long nowNanos) {
    this.surroundings = surroundings;
    this.config = config;
    this.hasMaster = hasMaster;
    this.farSwitches = new FarSwitches(surroundings, loop);
    this.awakeSinceNanos = nowNanos;
  }

  /** This node was stalled until now: what it did not hear meanwhile says nothing. */
  void awoke(long nowNanos) {
    awakeSinceNanos = nowNanos;
  }

  /** Looks who is at the ends of the links of the switches mastered here. */
  void look(Map<Long, WatchedSwitch> switches, long nowNanos) {
    Set<Long> ends = new HashSet<>();
    for (DirectedLink link : surroundings.links()) {
      if (switches.containsKey(link.dst().dpid()) || switches.containsKey(link.src().dpid())) {
        ends.add(link.src().dpid());
        ends.add(link.dst().dpid());
      }
    }
    farSwitches.look(ends, nowNanos);
  }

  /** The switch in whose name the link is to be removed now, or null where it stays. */
  @Nullable WatchedSwitch judge(
      DirectedLink link, Map<Long, WatchedSwitch> switches, long nowNanos) {
    WatchedSwitch source = switches.get(link.src().dpid());
    if (source != null && !source.ports.containsKey(link.src().port())) {
      return source;
    }
    WatchedSwitch destination = switches.get(link.dst().dpid());
    if (destination != null && !destination.ports.containsKey(link.dst().port())) {
      return destination;
    }
    if (destination != null
        && (isGone(destination, link, nowNanos) || isMissed(destination, link, nowNanos))) {
      return destination;
    }
    return source != null && isGone(source, link.reversed(), nowNanos) ? source : null;
  }

  /** Whether the source of what the near switch would hear has disappeared, or that switch. */
  private boolean isGone(WatchedSwitch near, DirectedLink heard, long nowNanos) {
    long far = heard.src().dpid();
    long silentNanos = nowNanos - heardNanos(near, heard);
    if (silentNanos < millis(config.probeMillis() * 5 / 4)) {
      farSwitches.heard(far);
      farSwitches.heard(near.connection.dpid());
      return false;
    }
    // Asked long before the answer counts.
    boolean silent = isSilent(near, far, nowNanos);
    return farSwitches.isLost(far, nowNanos) || (silent && silentNanos >= millis(SILENT_MILLIS));
  }

  /** Asks the near switch only where this node cannot ask the far one. */
  private boolean isSilent(WatchedSwitch near, long far, long nowNanos) {
    long asked = surroundings.connected(far) == null ? near.connection.dpid() : far;
    return farSwitches.isSilent(asked, nowNanos);
  }

  private boolean isMissed(WatchedSwitch destination, DirectedLink link, long nowNanos) {
    if (!hasMaster.test(link.src().dpid())) {
      destination.sourceUnknown.put(link, nowNanos);
    }
    long heard = heardNanos(destination, link);
    heard = Math.max(heard, destination.sourceUnknown.getOrDefault(link, heard));
    return nowNanos - heard > millis(config.missedMillis());
  }

  private long heardNanos(WatchedSwitch near, DirectedLink link) {
    long since = Math.max(near.gainedNanos, awakeSinceNanos);
    return Math.max(since, near.news.probedNanos(link, since));
  }

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
