package io.lockstep.bench.variant;

import io.lockstep.core.app.PacketView;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.onlab.packet.MacAddress;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;

/** An untagged frame that came in at a port of switch 1. */
record PlayedFrame(long port, byte[] frame) implements PacketView {

  /** A frame with addresses, an EtherType and a payload. */
  static PlayedFrame of(long port, long destination, long source, int etherType, byte[] payload) {
    ByteBuffer frame = ByteBuffer.allocate(Math.max(60, 14 + payload.length));
    mac(frame, destination);
    mac(frame, source);
    frame.putShort((short) etherType).put(payload);
    return new PlayedFrame(port, frame.array());
  }

  private static void mac(ByteBuffer to, long address) {
    to.putShort((short) (address >>> 32)).putInt((int) address);
  }

  @Override
  public long dpid() {
    return 1;
  }

  @Override
  public DeviceId deviceId() {
    return DeviceId.deviceId("of:0000000000000001");
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
    return ByteBuffer.wrap(frame).getShort(12) & 0xffff;
  }

  @Override
  public int vlanId() {
    return -1;
  }

  @Override
  public boolean isSourceDisputed() {
    return false;
  }
}
