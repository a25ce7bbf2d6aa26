package io.lockstep.bench.abuse;

import io.lockstep.bench.openflow.LoadPlan;
import io.lockstep.bench.openflow.PacketIns;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;

/**
 * What attackers write. Each method gives a writer with a sequence of its own; equal seeds write
 * equal bytes. A writer belongs to one thread.
 */
final class Messages {
  /** The switch that must not suffer, and its hosts, which send all the time. */
  static final LoadPlan QUIET = new LoadPlan(1, 4, 16, 1);

  /** The attacker's own switch. */
  static final LoadPlan HOSTILE = new LoadPlan(1, 4, 4, 2);

  private static final int VERSION_13 = 4;
  private static final int TYPE_ERROR = 1;
  private static final int TYPE_ECHO_REQUEST = 2;
  private static final int TYPE_FLOW_REMOVED = 11;
  private static final int TYPE_PORT_STATUS = 12;
  private static final int OXM_ETH_DST = 0x8000_0606;
  private static final int OXM_ETH_SRC = 0x8000_0806;
  private static final int ETHER_TYPE_ARP = 0x0806;
  private static final int ETHER_TYPE_VLAN = 0x8100;
  private static final int ETHER_TYPE_LLDP = 0x88cc;
  private static final long BROADCAST = 0xffff_ffff_ffffL;
  private static final long LLDP_NEAREST_BRIDGE = 0x0180_c200_000eL;
  private static final long LOCAL_UNICAST = 0x02L << 40;
  private static final int FRAME_BYTES = 60;
  private static final int ECHO_BYTES = 8192;
  private static final int SEED = 4711;

  // A node's own part of a link probe: organisation, subtypes, lengths behind them.
  private static final byte[] DISCOVERY = {0x4e, 0x4c, 0x53};
  private static final byte STATEMENT = 1;
  private static final byte SIGNATURE = 2;
  private static final byte STATEMENT_FORMAT = 1;
  private static final int STATEMENT_BYTES = 33;
  private static final int SIGNATURE_BYTES = 32;

  // The handshake of the store: purpose, version, version of requests, from, to, cluster.
  private static final int CLIENT_LINK = 0x4c53_434c;
  private static final int REPLICA_LINK = 0x4c53_524c;
  private static final int HANDSHAKE_VERSION = 6;
  private static final int HANDSHAKE_BYTES = 4 + 1 + 4 + 4 + 4;

  private Messages() {}

  /** Nothing: a connection that only stands there. */
  static Consumer<ByteBuf> silence() {
    return out -> {};
  }

  /** Rules that were removed, each another one (OpenFlow 1.3.5 section 7.4.2). */
  static Consumer<ByteBuf> flowRemoved() {
    Random random = new Random(SEED);
    return out -> {
      header(out, TYPE_FLOW_REMOVED, 72, random.nextInt());
      out.writeLong(random.nextLong()).writeShort(random.nextInt(1 << 16)).writeByte(0);
      out.writeByte(0).writeInt(1).writeInt(0).writeShort(5).writeShort(0).writeLong(1);
      out.writeLong(60).writeShort(1).writeShort(24);
      out.writeInt(OXM_ETH_DST);
      mac(out, LOCAL_UNICAST | random.nextInt());
      out.writeInt(OXM_ETH_SRC);
      mac(out, LOCAL_UNICAST | random.nextInt());
    };
  }

  /** Ports that come and go (section 7.4.3). */
  static Consumer<ByteBuf> portStatus() {
    Random random = new Random(SEED);
    return out -> {
      int port = 1 + random.nextInt(1 << 16);
      header(out, TYPE_PORT_STATUS, 80, random.nextInt());
      out.writeByte(random.nextInt(3)).writeZero(7).writeInt(port).writeZero(4);
      mac(out, LOCAL_UNICAST | port);
      out.writeZero(2).writeBytes(padded("port" + port, 16)).writeInt(0);
      out.writeInt(random.nextBoolean() ? 1 : 4).writeZero(24);
    };
  }

  /** Errors that nothing asked for (section 7.5.4). */
  static Consumer<ByteBuf> errors() {
    Random random = new Random(SEED);
    return out -> {
      header(out, TYPE_ERROR, 76, random.nextInt());
      out.writeShort(random.nextInt(14)).writeShort(random.nextInt(16));
      byte[] data = new byte[64];
      random.nextBytes(data);
      out.writeBytes(data);
    };
  }

  /** Packets of ever new hosts, from every port. */
  static Consumer<ByteBuf> packetIns() {
    Random random = new Random(SEED);
    return out -> packetIn(out, 1 + random.nextInt(4), arp(random.nextInt(), random.nextInt()));
  }

  /** The same from one port. */
  static Consumer<ByteBuf> addresses() {
    Random random = new Random(SEED);
    return out -> packetIn(out, 1, arp(random.nextInt(), random.nextInt()));
  }

  /** One host that is at another port with each packet. */
  static Consumer<ByteBuf> moves() {
    int[] port = new int[1];
    return out -> packetIn(out, 1 + port[0]++ % 4, arp(77, 77));
  }

  /** Link probes at every port, of existing and of invented switches. */
  static Consumer<ByteBuf> forgedProbes() {
    Random random = new Random(SEED);
    return out -> {
      byte[] text =
          ("of:" + String.format("%016x", random.nextInt(4))).getBytes(StandardCharsets.US_ASCII);
      ByteBuffer lldp = ByteBuffer.allocate(200);
      tlv(lldp, 1, 7, text);
      tlv(lldp, 2, 7, Integer.toString(1 + random.nextInt(4)).getBytes(StandardCharsets.US_ASCII));
      tlv(lldp, 3, 0, new byte[] {120});
      tlv(lldp, 127, DISCOVERY[0], discovery(random, STATEMENT, STATEMENT_BYTES));
      tlv(lldp, 127, DISCOVERY[0], discovery(random, SIGNATURE, SIGNATURE_BYTES));
      lldp.putShort((short) 0);
      byte[] payload = new byte[lldp.position()];
      lldp.flip().get(payload);
      long source = LOCAL_UNICAST | random.nextInt(16);
      packetIn(
          out,
          1 + random.nextInt(4),
          ethernet(LLDP_NEAREST_BRIDGE, source, ETHER_TYPE_LLDP, payload));
    };
  }

  /** What stands in a probe of a node as statement and as signature, here of random bytes. */
  private static byte[] discovery(Random random, byte subtype, int length) {
    byte[] value = new byte[3 + length];
    random.nextBytes(value);
    value[0] = DISCOVERY[1];
    value[1] = DISCOVERY[2];
    value[2] = subtype;
    value[3] = STATEMENT_FORMAT;
    return value;
  }

  /** Frames that end too early or say something impossible. */
  static Consumer<ByteBuf> malformedFrames() {
    Random random = new Random(SEED);
    int[] types = {ETHER_TYPE_ARP, ETHER_TYPE_LLDP, ETHER_TYPE_VLAN, 0x0800, 0x86dd, 0x8847, 12};
    return out -> {
      byte[] payload = new byte[random.nextInt(40)];
      random.nextBytes(payload);
      byte[] frame =
          ethernet(
              random.nextBoolean() ? BROADCAST : LLDP_NEAREST_BRIDGE,
              LOCAL_UNICAST | random.nextInt(64),
              types[random.nextInt(types.length)],
              payload);
      byte[] cut = Arrays.copyOf(frame, random.nextInt(frame.length + 1));
      packetIn(out, 1 + random.nextInt(4), cut);
    };
  }

  /** A host at the quiet switch that says it is one of its neighbours. */
  static Consumer<ByteBuf> stolenAddresses() {
    Random random = new Random(SEED);
    return out -> {
      int victim = random.nextInt(QUIET.hosts());
      packetIn(out, otherPort(victim), arp(QUIET.mac(0, victim), QUIET.ip(0, victim), 0));
    };
  }

  /** A host with an address of its own that says it has its neighbours' IP addresses. */
  static Consumer<ByteBuf> stolenIps() {
    Random random = new Random(SEED);
    return out -> {
      int victim = random.nextInt(QUIET.hosts());
      packetIn(out, 4, arp(LOCAL_UNICAST | 0xffff_fff0L, QUIET.ip(0, victim), 0));
    };
  }

  /** The neighbours' addresses in another VLAN, where they belong to other hosts. */
  static Consumer<ByteBuf> otherVlan() {
    Random random = new Random(SEED);
    return out -> {
      int victim = random.nextInt(QUIET.hosts());
      packetIn(out, otherPort(victim), arp(QUIET.mac(0, victim), QUIET.ip(0, victim), 7));
    };
  }

  private static int otherPort(int victim) {
    return 1 + QUIET.port(victim) % QUIET.ports();
  }

  /** Echo requests; whoever sends them does not read the replies. */
  static Consumer<ByteBuf> echoRequests() {
    return out -> {
      header(out, TYPE_ECHO_REQUEST, 8 + ECHO_BYTES, 1);
      out.writeZero(ECHO_BYTES);
    };
  }

  /** Messages of known types with impossible lengths and contents. */
  static Consumer<ByteBuf> malformedMessages() {
    Random random = new Random(SEED);
    return out -> {
      byte[] body = new byte[random.nextInt(120)];
      random.nextBytes(body);
      out.writeByte(VERSION_13).writeByte(random.nextInt(30));
      out.writeShort(random.nextInt(4) == 0 ? random.nextInt(1 << 16) : 8 + body.length);
      out.writeInt(random.nextInt()).writeBytes(body);
    };
  }

  /** Anything. */
  static Consumer<ByteBuf> garbage() {
    Random random = new Random(SEED);
    return out -> {
      byte[] body = new byte[1 + random.nextInt(512)];
      random.nextBytes(body);
      out.writeBytes(body);
    };
  }

  /** A frame that says it is as long as can be, and the beginning of it. */
  static Consumer<ByteBuf> hugeFrames() {
    return out -> out.writeInt(Integer.MAX_VALUE).writeZero(1024);
  }

  /** One byte of a request that never ends. */
  static Consumer<ByteBuf> httpDrip() {
    byte[] head = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ".getBytes(StandardCharsets.US_ASCII);
    int[] at = new int[1];
    return out -> out.writeByte(at[0] < head.length ? head[at[0]++] : 'x');
  }

  /** Requests of a page whose name was made to lead here (DNS rebinding). */
  static Consumer<ByteBuf> foreignHost() {
    byte[] request =
        "GET /api/v1/status HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n"
            .getBytes(StandardCharsets.US_ASCII);
    return out -> out.writeBytes(request);
  }

  /** The handshake of a client of another cluster, or of another release. */
  static Consumer<ByteBuf> foreignClient() {
    return foreignHandshake(CLIENT_LINK, -1);
  }

  /** The same of a replica. */
  static Consumer<ByteBuf> foreignReplica() {
    return foreignHandshake(REPLICA_LINK, 1);
  }

  /** What a node of another cluster says to a node that it watches. */
  static Consumer<ByteBuf> foreignWitness() {
    byte[] hello = "lockstep-witness/1 elsewhere n1 1\n".getBytes(StandardCharsets.US_ASCII);
    return out -> out.writeBytes(hello);
  }

  private static Consumer<ByteBuf> foreignHandshake(int purpose, int from) {
    byte[] cluster = "elsewhere".getBytes(StandardCharsets.US_ASCII);
    return out ->
        out.writeInt(HANDSHAKE_BYTES + cluster.length)
            .writeInt(purpose)
            .writeByte(HANDSHAKE_VERSION)
            .writeInt(0)
            .writeInt(from)
            .writeInt(0)
            .writeBytes(cluster);
  }

  /** The OpenFlow handshake's first message (section 7.5.1). */
  static Consumer<ByteBuf> hello() {
    return out -> header(out, 0, 8, 1);
  }

  private static void packetIn(ByteBuf out, int port, byte[] frame) {
    PacketIns.frame(out, port, frame, 1);
  }

  private static byte[] arp(int host, int ip) {
    return arp(LOCAL_UNICAST | (host & 0xffff_ffffL), ip, 0);
  }

  /** A gratuitous ARP request. */
  private static byte[] arp(long mac, int ip, int vlan) {
    ByteBuffer arp = ByteBuffer.allocate(28 + (vlan == 0 ? 0 : 4));
    if (vlan != 0) {
      arp.putShort((short) vlan).putShort((short) ETHER_TYPE_ARP);
    }
    arp.putShort((short) 1)
        .putShort((short) 0x0800)
        .put((byte) 6)
        .put((byte) 4)
        .putShort((short) 1);
    arp.putShort((short) (mac >>> 32)).putInt((int) mac).putInt(ip);
    arp.putShort((short) 0).putInt(0).putInt(ip);
    return ethernet(BROADCAST, mac, vlan == 0 ? ETHER_TYPE_ARP : ETHER_TYPE_VLAN, arp.array());
  }

  private static byte[] ethernet(long destination, long source, int type, byte[] payload) {
    ByteBuffer frame = ByteBuffer.allocate(Math.max(FRAME_BYTES, 14 + payload.length));
    frame.putShort((short) (destination >>> 32)).putInt((int) destination);
    frame.putShort((short) (source >>> 32)).putInt((int) source);
    frame.putShort((short) type).put(payload);
    return frame.array();
  }

  private static void tlv(ByteBuffer out, int type, int subtype, byte[] value) {
    out.putShort((short) (type << 9 | value.length + 1)).put((byte) subtype).put(value);
  }

  private static void header(ByteBuf out, int type, int length, int xid) {
    out.writeByte(VERSION_13).writeByte(type).writeShort(length).writeInt(xid);
  }

  private static void mac(ByteBuf out, long address) {
    out.writeShort((int) (address >>> 32)).writeInt((int) address);
  }

  private static byte[] padded(String text, int length) {
    return Arrays.copyOf(text.getBytes(StandardCharsets.US_ASCII), length);
  }
}
