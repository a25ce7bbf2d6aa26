package io.lockstep.core.node;

import io.lockstep.core.flow.placed.SwitchProfiles;
import io.lockstep.core.host.HostTracker;
import io.lockstep.core.link.DiscoveryConfig;
import io.lockstep.core.packet.PacketLimits;
import io.lockstep.core.topology.TopologyTracker;

/**
 * How a node sees and serves its network.
 *
 * @param readBackMillis between two read-backs of a switch's flow tables; 100 or more
 * @param hostSilenceMillis how long a host may be silent before it is asked and removed; 1000 or
 *     more
 * @param profiles what is known of the switches' flow tables
 */
public record NetworkConfig(
    DiscoveryConfig discovery,
    TopologyTracker.Config topology,
    PacketLimits packets,
    long readBackMillis,
    long hostSilenceMillis,
    SwitchProfiles profiles) {

  /** The defaults of the rooms, and a read-back every 5 s. */
  public static final NetworkConfig DEFAULT =
      new NetworkConfig(
          DiscoveryConfig.DEFAULT,
          TopologyTracker.Config.DEFAULT,
          PacketLimits.DEFAULT,
          5_000,
          HostTracker.USUAL_SILENCE_MILLIS,
          SwitchProfiles.NONE);

  public NetworkConfig {
    if (readBackMillis < 100) {
      throw new IllegalArgumentException("flow tables cannot be read back more often than 100 ms");
    }
    if (hostSilenceMillis < 1_000) {
      throw new IllegalArgumentException("hosts may be silent for 1000 ms at least");
    }
  }
}
