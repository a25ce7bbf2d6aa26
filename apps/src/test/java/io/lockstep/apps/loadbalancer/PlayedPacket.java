package io.lockstep.apps.loadbalancer;

import io.lockstep.apps.loadbalancer.frame.EthernetHead;
import io.lockstep.core.app.PacketView;
import java.util.Arrays;
import org.onlab.packet.MacAddress;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;

/** A frame that came in at a port of a switch. */
record PlayedPacket(long dpid, long port, byte[] frame, boolean isSourceDisputed)
    implements PacketView {
  PlayedPacket(long dpid, long port, byte[] frame) {
    this(dpid, port, frame, false);
  }

  static DeviceId device(long dpid) {
    return DeviceId.deviceId(String.format("of:%016x", dpid));
  }

  @Override
  public DeviceId deviceId() {
    return device(dpid);
  }

  @Override
  public PortNumber inPort() {
    return PortNumber.portNumber(port);
  }

  @Override
  public MacAddress source() {
    return MacAddress.valueOf(Arrays.copyOfRange(frame, 6, 12));
  }

  @Override
  public MacAddress destination() {
    return MacAddress.valueOf(Arrays.copyOf(frame, 6));
  }

  @Override
  public int etherType() {
    EthernetHead head = EthernetHead.of(frame);
    return head == null ? 0 : head.etherType();
  }

  @Override
  public int vlanId() {
    boolean tagged = frame.length > 15 && frame[12] == (byte) 0x81 && frame[13] == 0;
    return tagged ? (frame[14] & 0xf) << 8 | (frame[15] & 0xff) : -1;
  }
}
