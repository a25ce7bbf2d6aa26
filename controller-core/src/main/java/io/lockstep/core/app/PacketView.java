package io.lockstep.core.app;

import org.onlab.packet.MacAddress;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;

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
}
