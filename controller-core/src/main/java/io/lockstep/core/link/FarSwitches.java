package io.lockstep.core.link;

import static io.lockstep.core.state.Continuations.after;

import io.lockstep.core.southbound.SwitchConnection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Which switches at the ends of links have disappeared. A switch that was connected here has, when
 * no living node has been connected to it for {@link #LOST_MILLIS}; one that is connected has, when
 * it gave no sign of life for {@link #SIGN_MILLIS} since it was first asked. It is asked until it
 * gives one. A switch that was not seen since this node started is unknown, not missing, and so is
 * one that only lacks a master.
 *
 * <p>Owned by the control loop. Holds one record for each end of a link; one question for each is
 * on its way at a time.
 */
final class FarSwitches {
  /** How long no node is connected to a switch before it has disappeared. */
  static final long LOST_MILLIS = 1_750;

  /** How long a switch that is asked may stay silent, at least. */
  static final long SIGN_MILLIS = 900;

  private final LinkSurroundings surroundings;
  private final Executor loop;
  private final Map<Long, Presence> presences = new HashMap<>();

  /** What is known of one switch; times in nanoseconds, negative flags where there are none. */
  private static final class Presence {
    boolean seen;
    boolean lost;
    long lostNanos;

    /** The connection over which it was asked; what follows is about this one. */
    @Nullable SwitchConnection connection;

    /** Whether it was asked since its last sign of life, and when for the first time. */
    boolean asked;

    long askedNanos;

    /** Whether a question is on its way. */
    boolean waiting;
  }

  FarSwitches(LinkSurroundings surroundings, Executor loop) {
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
    if (here.connection != connection) {
      here.connection = connection;
      here.asked = false;
      here.waiting = false;
    }
    if (!here.asked) {
      here.asked = true;
      here.askedNanos = nowNanos;
    }
    if (!here.waiting) {
      here.waiting = true;
      after(connection.probe(), loop, alive -> answered(here, connection, alive));
    }
    return here.asked && nowNanos - here.askedNanos >= TimeUnit.MILLISECONDS.toNanos(SIGN_MILLIS);
  }

  private static void answered(Presence here, SwitchConnection by, boolean alive) {
    if (here.connection == by) {
      here.waiting = false;
      here.asked &= !alive;
    }
  }

  /** The switch's probes arrive: it lives. */
  void heard(long dpid) {
    Presence here = presences.get(dpid);
    if (here != null) {
      here.asked = false;
    }
  }
}
