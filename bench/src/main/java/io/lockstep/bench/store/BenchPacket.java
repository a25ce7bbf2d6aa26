package io.lockstep.bench.store;

import io.lockstep.core.app.KnownHost;
import io.lockstep.core.app.KnownLink;
import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.PacketView;
import io.lockstep.core.app.TablePicture;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.MacAddress;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;

/** The first packet of a flow between two hosts of one switch. */
record BenchPacket(long dpid, int port, int from, int to) implements PacketView {
  private static final int FRAME_BYTES = 60;
  private static final int ETHER_TYPE_IPV4 = 0x0800;

  /** A network in which every port is an edge. */
  static final NetworkView NETWORK =
      new NetworkView() {
        @Override
        public long generation() {
          return 1;
        }

        @Override
        public boolean isEdge(DeviceId device, PortNumber port) {
          return true;
        }

        @Override
        public boolean onBroadcastTree(DeviceId device, PortNumber port) {
          return true;
        }

        @Override
        public List<PortNumber> floodPorts(DeviceId device, PortNumber inPort) {
          return List.of();
        }

        @Override
        public @Nullable KnownHost host(MacAddress address, int vlanId) {
          return null;
        }

        @Override
        public @Nullable KnownHost hostWith(int ip, int vlanId) {
          return null;
        }

        @Override
        public List<KnownHost> hosts() {
          return List.of();
        }

        @Override
        public List<KnownLink> links() {
          return List.of();
        }

        @Override
        public @Nullable List<KnownLink> path(DeviceId from, DeviceId to) {
          return null;
        }

        @Override
        public @Nullable PortNumber treePort(DeviceId from, DeviceId to) {
          return null;
        }

        @Override
        public <T> T picture(TablePicture<T> picture) {
          throw new IllegalArgumentException("this network keeps no pictures of tables");
        }
      };

  private static byte[] mac(int host) {
    return ByteBuffer.allocate(6).putShort((short) 0x0200).putInt(host).array();
  }

  @Override
  public DeviceId deviceId() {
    return DeviceId.deviceId(String.format("of:%016x", dpid));
  }

  @Override
  public PortNumber inPort() {
    return PortNumber.portNumber(port);
  }

  @Override
  public MacAddress source() {
    return MacAddress.valueOf(mac(from));
  }

  @Override
  public MacAddress destination() {
    return MacAddress.valueOf(mac(to));
  }

  @Override
  public int etherType() {
    return ETHER_TYPE_IPV4;
  }

  @Override
  public int vlanId() {
    return -1;
  }

  @Override
  public byte[] frame() {
    return ByteBuffer.allocate(FRAME_BYTES)
        .put(mac(to))
        .put(mac(from))
        .putShort((short) ETHER_TYPE_IPV4)
        .array();
  }
}
