package io.lockstep.core.packet;

import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.PacketView;
import io.lockstep.core.flow.FlowDoor;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.SwitchConnection;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.MacAddress;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.TrafficSelector;

/**
 * The one {@link PacketView}: reads the Ethernet header once, makes address objects only when asked
 * for, copies nothing. Owned by the switch's event loop.
 */
public final class FrameView implements PacketView {

  private static final int ADDRESS_BYTES = 6;
  private static final int HEADER_BYTES = 14;
  private static final int TAG_BYTES = 4;
  private static final int MAX_TAGS = 2;
  private static final int CUSTOMER_TAG = 0x8100;
  private static final int SERVICE_TAG = 0x88a8;

  private final SwitchConnection connection;
  private final PacketIn packet;
  private final int etherType;
  private final int vlanId;
  private final int payloadOffset;
  private @Nullable MacAddress source;
  private @Nullable MacAddress destination;
  private boolean sourceDisputed;
  private @Nullable FlowDoor flows;

  private FrameView(
      SwitchConnection connection, PacketIn packet, int etherType, int vlanId, int payloadOffset) {
    this.connection = connection;
    this.packet = packet;
    this.etherType = etherType;
    this.vlanId = vlanId;
    this.payloadOffset = payloadOffset;
  }

  /** Reads the header; null where the frame ends within it or has more than two tags. */
  public static @Nullable FrameView parse(SwitchConnection connection, PacketIn packet) {
    byte[] frame = packet.data();
    if (frame.length < HEADER_BYTES) {
      return null;
    }
    int offset = HEADER_BYTES;
    int type = uint16(frame, offset - 2);
    int vlanId = -1;
    int tags = 0;
    while (type == CUSTOMER_TAG || type == SERVICE_TAG) {
      if (++tags > MAX_TAGS || frame.length < offset + TAG_BYTES) {
        return null;
      }
      if (vlanId < 0) {
        vlanId = uint16(frame, offset) & 0xfff;
      }
      offset += TAG_BYTES;
      type = uint16(frame, offset - 2);
    }
    return new FrameView(connection, packet, type, vlanId, offset);
  }

  private static int uint16(byte[] frame, int at) {
    return (frame[at] & 0xff) << 8 | (frame[at + 1] & 0xff);
  }

  @Override
  public DeviceId deviceId() {
    return connection.deviceId();
  }

  @Override
  public long dpid() {
    return connection.dpid();
  }

  @Override
  public PortNumber inPort() {
    return packet.inPort();
  }

  @Override
  public MacAddress source() {
    MacAddress known = source;
    if (known == null) {
      known = address(ADDRESS_BYTES);
      source = known;
    }
    return known;
  }

  @Override
  public MacAddress destination() {
    MacAddress known = destination;
    if (known == null) {
      known = address(0);
      destination = known;
    }
    return known;
  }

  private MacAddress address(int at) {
    return MacAddress.valueOf(Arrays.copyOfRange(packet.data(), at, at + ADDRESS_BYTES));
  }

  @Override
  public int etherType() {
    return etherType;
  }

  @Override
  public int vlanId() {
    return vlanId;
  }

  @Override
  public byte[] frame() {
    return packet.data();
  }

  @Override
  public boolean isSourceDisputed() {
    return sourceDisputed;
  }

  /** The node does not believe yet that the source is here; before applications see the packet. */
  public void markSourceDisputed() {
    sourceDisputed = true;
  }

  /** What entries for packets like this one go through, which chooses their match. */
  void entriesGoThrough(FlowDoor door) {
    flows = door;
  }

  @Override
  public TrafficSelector match(TrafficSelector widest, NetworkView network) {
    FlowDoor door = flows;
    return door == null ? widest : door.matches(connection).choose(widest, this, network);
  }

  /** Where the payload behind the EtherType begins in {@link #frame}. */
  public int payloadOffset() {
    return payloadOffset;
  }

  /** The source address as a number. */
  public long sourceNumber() {
    long number = 0;
    for (int i = ADDRESS_BYTES; i < 2 * ADDRESS_BYTES; i++) {
      number = number << 8 | (packet.data()[i] & 0xff);
    }
    return number;
  }

  /** Whether it is to a group of stations. */
  boolean isToGroup() {
    return (packet.data()[0] & 1) != 0;
  }

  /** What the switch sent. */
  PacketIn packet() {
    return packet;
  }

  /** The switch it came from. */
  public SwitchConnection connection() {
    return connection;
  }

  /**
   * Whether a bridge must not forward it: the destination is one of 01-80-C2-00-00-00 to 0F (IEEE
   * 802.1D-2004 table 7-10).
   */
  boolean isLinkLocal() {
    byte[] frame = packet.data();
    return frame[0] == 0x01
        && frame[1] == (byte) 0x80
        && frame[2] == (byte) 0xc2
        && frame[3] == 0
        && frame[4] == 0
        && (frame[5] & 0xf0) == 0;
  }
}
