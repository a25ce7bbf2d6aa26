package io.lockstep.core.app;

import java.util.List;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;

/**
 * An immutable picture of the topology as this node knows it now. It follows the store with a short
 * delay: it may be older than the last linearizable read.
 */
public interface NetworkView {

  /** Grows with every change of the links or the broadcast tree. */
  long generation();

  /** Whether no link is known at this port: hosts can be there. */
  boolean isEdge(DeviceId device, PortNumber port);

  /**
   * Whether packets for flooding may come in here: an edge port or a port on the broadcast tree.
   * What comes in elsewhere is a copy on a redundant link and must be dropped.
   */
  boolean onBroadcastTree(DeviceId device, PortNumber port);

  /** Ports to flood to: enabled edge ports and tree ports, without {@code inPort}. */
  List<PortNumber> floodPorts(DeviceId device, PortNumber inPort);
}
