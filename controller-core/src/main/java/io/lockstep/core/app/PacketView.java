package io.lockstep.core.app;

import org.onlab.packet.MacAddress;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.TrafficSelector;

/**
 * A packet-in as applications see it: parsed once and lazily, never copied. Valid during the
 * decision and its continuations.
 */
public interface PacketView {
  DeviceId deviceId();

  /** The datapath id. */
  long dpid();

  PortNumber inPort();

  MacAddress source();

  MacAddress destination();

  /** EtherType behind any VLAN tags, unsigned. */
  int etherType();

  /** VLAN id of the outermost tag, or -1. */
  int vlanId();

  /**
   * Whether the source is known at another place that is still in use, so that this packet may be
   * forged. The node finds out which is right; until then nothing may be learned from the packet.
   * If the host has moved, the node shows the first packet again, not disputed any longer.
   */
  default boolean isSourceDisputed() {
    return false;
  }

  /** The frame, whole or its beginning; must not be changed. */
  byte[] frame();

  /**
   * The match for an entry that carries packets like this one. The application states what it needs
   * by the widest match that it can bear, and the node narrows it to what the tables of this switch
   * serve best: adr/0049. The result contains this packet, and no packet that {@code widest} does
   * not contain. So the application still sees every packet that it wants to see. Where the switch
   * takes every rule, the result is {@code widest}.
   *
   * @param widest contains this packet
   * @param network as the application was given it
   */
  default TrafficSelector match(TrafficSelector widest, NetworkView network) {
    return widest;
  }
}
