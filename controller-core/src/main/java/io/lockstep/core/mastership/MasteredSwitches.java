package io.lockstep.core.mastership;

import io.lockstep.core.southbound.SwitchConnection;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;

/**
 * Which switches this node masters right now. Thread-safe and cheap: it is asked for every packet.
 */
public interface MasteredSwitches {

  /**
   * The connection of a switch that this node may act on as master: the store says so, the switch
   * granted the role, and the session's lease surely holds by the local clock. Null otherwise.
   */
  @Nullable SwitchConnection mastered(DeviceId device);

  /** The epoch under which this node masters the switch's domain, or -1. */
  long epoch(DeviceId device);

  /** The connection of a switch to this node, master or not; null where there is none. */
  @Nullable SwitchConnection connected(DeviceId device);

  /** Adds a listener; it is called on the switch's event loop. */
  void addListener(Listener listener);

  /** Hears of mastership. */
  interface Listener {
    /** This node may act on the switch from now on. */
    void gained(SwitchConnection connection, long epoch);

    /** No longer; also told when the connection closed. */
    void lost(SwitchConnection connection, String reason);
  }
}
