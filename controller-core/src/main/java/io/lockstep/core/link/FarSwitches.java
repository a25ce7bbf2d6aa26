package io.lockstep.core.link;

import io.lockstep.core.southbound.SwitchConnection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Which switches at the ends of links have disappeared. A switch that was connected here has, when
 * no living node has been connected to it for {@link #LOST_MILLIS}; one that is connected has, when
 * it gives no sign of life for {@link #SIGN_MILLIS} after it was asked. A switch that was not seen
 * since this node started is unknown, not missing, and so is one that only lacks a master.
 *
 * <p>Owned by the control loop. Holds one record for each end of a link; one question for each is
 * on its way at a time.
 */
final class FarSwitches {
  /** How long no node is connected to a switch before it has disappeared. */
  static final long LOST_MILLIS = 1_000;

  /** How long a switch that is asked may stay silent. */
  static final long SIGN_MILLIS = 900;

  private final LinkDiscovery.Surroundings surroundings;
  private final Executor loop;
  private final Map<Long, Presence> presences = new HashMap<>();

  /** What is known of one switch; times in nanoseconds, negative flags where there are none. */
  private static final class Presence {
    boolean seen;
    boolean lost;
    long lostNanos;
    boolean asked;
    long askedNanos;
    boolean silent;
  }

  FarSwitches(LinkDiscovery.Surroundings surroundings, Executor loop) {
    this.surroundings = surroundings;
    this.loop = loop;
  }

  /** Looks who is connected; forgets all other switches. To be called every now and then. */
  void look(Set<Long> ends, long nowNanos) {
    presences.keySet().retainAll(ends);
    for (long dpid : ends) {
      Presence here = presences.computeIfAbsent(dpid, key -> new Presence());
      boolean connected =
          surroundings.connected(dpid) != null || surroundings.isConnectedElsewhere(dpid);
      here.seen |= connected;
      if (connected) {
        here.lost = false;
      } else if (!here.lost) {
        here.lost = true;
        here.lostNanos = nowNanos;
      }
    }
  }

  /** Whether no node is connected to a switch that was connected before. */
  boolean isLost(long dpid, long nowNanos) {
    Presence here = presences.get(dpid);
    return here != null
        && here.seen
        && here.lost
        && nowNanos - here.lostNanos >= TimeUnit.MILLISECONDS.toNanos(LOST_MILLIS);
  }

  /**
   * Whether a switch that is connected here, and whose probes stay away, gives no sign of life.
   * Asks it, so the answer to the first call is no.
   */
  boolean isSilent(long dpid, long nowNanos) {
    Presence here = presences.get(dpid);
    SwitchConnection connection = surroundings.connected(dpid);
    if (here == null || connection == null) {
      return false;
    }
    if (!here.asked) {
      here.asked = true;
      here.askedNanos = nowNanos;
      connection
          .probe()
          .thenAccept(
              alive ->
                  loop.execute(
                      () -> {
                        here.asked = false;
                        here.silent = !alive;
                      }));
    }
    boolean overdue =
        here.asked && nowNanos - here.askedNanos >= TimeUnit.MILLISECONDS.toNanos(SIGN_MILLIS);
    return here.silent || overdue;
  }

  /** The switch's probes arrive: it lives. */
  void heard(long dpid) {
    Presence here = presences.get(dpid);
    if (here != null) {
      here.silent = false;
    }
  }
}
