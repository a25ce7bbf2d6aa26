package io.lockstep.openflow.channel;

import io.lockstep.core.southbound.SwitchObserver.PortChange;
import io.lockstep.openflow.channel.translate.PortTranslation;
import java.util.List;
import java.util.TreeMap;
import org.onosproject.net.device.PortDescription;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFPortReason;

/**
 * The ports of one switch, by number. Changed on the event loop; {@link #ports} from any thread.
 */
final class PortTable {
  private final int maxPorts;
  private final TreeMap<Long, PortDescription> byNumber = new TreeMap<>();
  private volatile List<PortDescription> snapshot = List.of();

  PortTable(int maxPorts) {
    this.maxPorts = maxPorts;
  }

  /** The ports as last reported. */
  List<PortDescription> ports() {
    return snapshot;
  }

  /**
   * Takes the ports of one part of a port description reply.
   *
   * @throws IllegalStateException where there are more than the bound
   */
  void addAll(List<OFPortDesc> ports) {
    for (OFPortDesc port : ports) {
      put(PortTranslation.toDescription(port, false));
    }
    snapshot = List.copyOf(byNumber.values());
  }

  /** Takes a port status (OpenFlow 1.3.5 section 7.4.3) and returns the port as it is now. */
  PortDescription change(OFPortReason reason, OFPortDesc port) {
    PortDescription description =
        PortTranslation.toDescription(port, reason == OFPortReason.DELETE);
    if (reason == OFPortReason.DELETE) {
      byNumber.remove(description.portNumber().toLong());
    } else {
      put(description);
    }
    snapshot = List.copyOf(byNumber.values());
    return description;
  }

  static PortChange changeOf(OFPortReason reason) {
    return switch (reason) {
      case ADD -> PortChange.ADDED;
      case DELETE -> PortChange.REMOVED;
      case MODIFY -> PortChange.MODIFIED;
    };
  }

  private void put(PortDescription port) {
    byNumber.put(port.portNumber().toLong(), port);
    if (byNumber.size() > maxPorts) {
      throw new IllegalStateException("more than " + maxPorts + " ports");
    }
  }
}
