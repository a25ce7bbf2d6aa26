package io.lockstep.core.mastership;

import io.lockstep.core.southbound.SwitchConnection;
import java.util.concurrent.CompletableFuture;
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

    /**
     * The switch's master plans to hand it to this node. From now on its packets may come in here,
     * and this node must not act on it yet: {@link #gained} or {@link #expectedNoLonger} follows.
     *
     * @param epoch in which the present master made the plan
     */
    default void expected(SwitchConnection connection, long epoch) {}

    /** The plan ended: by {@link #gained}, or since the switch went to another node. */
    default void expectedNoLonger(SwitchConnection connection) {}

    /**
     * This node is about to hand the switch over. It takes no new work from it, and completes what
     * it began; {@link #lost} follows. Where the hand-over fails, {@link #gained} follows that.
     *
     * @param epoch in which this node masters the switch's domain
     * @return completes when nothing that was begun waits any longer, or after a deadline
     */
    default CompletableFuture<?> finish(SwitchConnection connection, long epoch) {
      return CompletableFuture.completedFuture(null);
    }
  }
}
