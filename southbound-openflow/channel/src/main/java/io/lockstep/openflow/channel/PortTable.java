package io.lockstep.openflow.channel;

import io.lockstep.core.southbound.SwitchObserver.PortChange;
import io.lockstep.openflow.channel.translate.PortTranslation;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.device.PortDescription;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFPortReason;

/**
 * The ports of one switch, by number. Changed on the event loop; {@link #ports} from any thread.
 * The list is made when it is asked for: a switch that reports its ports without end costs no copy
 * of all of them each time.
 */
final class PortTable {
  private final int maxPorts;

  // Guarded by this.
  private final TreeMap<Long, PortDescription> byNumber = new TreeMap<>();
  private @Nullable List<PortDescription> snapshot = List.of();

  PortTable(int maxPorts) {
    this.maxPorts = maxPorts;
  }

  /** The ports as last reported. */
  synchronized List<PortDescription> ports() {
    List<PortDescription> known = snapshot;
    if (known == null) {
      known = List.copyOf(byNumber.values());
      snapshot = known;
    }
    return known;
  }

  /** A port as last reported; null where there is none. */
  synchronized @Nullable PortDescription port(long number) {
    return byNumber.get(number);
  }

  /**
   * Takes the ports of one part of a port description reply.
   *
   * @throws TooManyPortsException where there are more than the bound
   */
  synchronized void addAll(List<OFPortDesc> ports) {
    for (OFPortDesc port : ports) {
      put(PortTranslation.toDescription(port, false));
    }
    snapshot = null;
  }

  /**
   * Takes a port status (OpenFlow 1.3.5 section 7.4.3) and returns the port as it is now.
   *
   * @throws TooManyPortsException where there are more than the bound
   */
  synchronized PortDescription change(OFPortReason reason, OFPortDesc port) {
    PortDescription description =
        PortTranslation.toDescription(port, reason == OFPortReason.DELETE);
    if (reason == OFPortReason.DELETE) {
      byNumber.remove(description.portNumber().toLong());
    } else {
      put(description);
    }
    snapshot = null;
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
      throw new TooManyPortsException(maxPorts);
    }
  }
}
