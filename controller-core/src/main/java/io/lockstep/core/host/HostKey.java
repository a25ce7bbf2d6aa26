package io.lockstep.core.host;

import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.HostId;

/**
 * A host's identity: its address in a VLAN.
 *
 * @param mac the address as a number
 * @param vlan VLAN id, or -1 for none
 */
record HostKey(long mac, int vlan) {

  /**
   * The host that sends with this address. A priority-tagged frame (VLAN id 0) belongs to the VLAN
   * of untagged frames (IEEE 802.1Q-2018 section 9.6), and so does its sender.
   *
   * @param vlanId of the frame's outermost tag, or -1 for none
   */
  static HostKey inVlan(long mac, int vlanId) {
    return new HostKey(mac, vlanId > 0 ? vlanId : -1);
  }

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
