package io.lockstep.core.node;

import io.lockstep.core.link.DiscoveryConfig;
import io.lockstep.core.packet.PacketLimits;
import io.lockstep.core.topology.TopologyTracker;

/**
 * How a node sees and serves its network.
 *
 * @param readBackMillis between two read-backs of a switch's flow tables; 100 or more
 */
public record NetworkConfig(
    DiscoveryConfig discovery,
    TopologyTracker.Config topology,
    PacketLimits packets,
    long readBackMillis) {

  /** The defaults of the rooms, and a read-back every 5 s. */
  public static final NetworkConfig DEFAULT =
      new NetworkConfig(
          DiscoveryConfig.DEFAULT, TopologyTracker.Config.DEFAULT, PacketLimits.DEFAULT, 5_000);

  public NetworkConfig {
    if (readBackMillis < 100) {
      throw new IllegalArgumentException("flow tables cannot be read back more often than 100 ms");
    }
  }
}
