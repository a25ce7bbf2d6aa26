package io.lockstep.core.host;

import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.HostId;

/**
 * A host's identity.
 *
 * @param mac the address as a number
 * @param vlan VLAN id, or -1 for none
 */
record HostKey(long mac, int vlan) {

  HostId hostId() {
    return HostId.hostId(address(), vlanId());
  }

  MacAddress address() {
    return MacAddress.valueOf(mac);
  }

  VlanId vlanId() {
    return vlan < 0 ? VlanId.NONE : VlanId.vlanId((short) vlan);
  }

  static HostKey of(HostId id) {
    return new HostKey(
        id.mac().toLong(), id.vlanId().equals(VlanId.NONE) ? -1 : id.vlanId().toShort());
  }
}
