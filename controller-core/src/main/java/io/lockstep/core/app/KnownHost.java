package io.lockstep.core.app;

import java.util.List;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.MacAddress;
import org.onosproject.net.ConnectPoint;

/**
 * A host as an application sees it.
 *
 * @param vlanId of its frames' outermost tag, or -1 for none; priority-tagged frames (VLAN id 0)
 *     count as untagged
 * @param location the port where it is
 * @param ips the IPv4 addresses that it claims itself, by ARP; bounded
 */
public record KnownHost(
    MacAddress address, int vlanId, ConnectPoint location, List<Ip4Address> ips) {

  public KnownHost {
    ips = List.copyOf(ips);
  }

  /** A host that claims no address. */
  public KnownHost(MacAddress address, int vlanId, ConnectPoint location) {
    this(address, vlanId, location, List.of());
  }
}
