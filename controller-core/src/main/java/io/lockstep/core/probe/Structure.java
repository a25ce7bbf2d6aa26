package io.lockstep.core.probe;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.MacAddress;
import org.onlab.packet.TpPort;
import org.onlab.packet.VlanId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.TrafficSelector;

/**
 * The rules of one match structure: they match the same fields and differ in one of them, and where
 * that has too few values, in their priority. Rule 0, the witness, is the one that packets are sent
 * through; no other rule matches its packets. Immutable.
 */
final class Structure {
  /** The lowest priority that is not the table-miss entry's. */
  static final int LOWEST_PRIORITY = 1;

  private static final int VLAN = 2;
  private static final int ETHER_TYPE = 0x0800;
  private static final int DSCP = 1;
  private static final int TCP = 6;
  private static final int PORT = 40_000;
  private static final long MAC = 0x02_4c_53_00_00_00L;
  private static final int ADDRESS = 0xc612_0000; // 198.18.0.0/15 is for measurements (RFC 2544)

  /** Ports that no switch has, so that no packet comes in by one. */
  private static final int FIRST_ABSENT_PORT = 0x8000;

  private static final int FIRST_FREE_ETHER_TYPE = 0x9000;

  /** The fields in which rules can differ, the best first, and how many values they then have. */
  private static final List<Varied> VARIED =
      List.of(
          new Varied(ProbeField.ETH_DST, 1 << 24),
          new Varied(ProbeField.ETH_SRC, 1 << 24),
          new Varied(ProbeField.IP_DST, 1 << 17),
          new Varied(ProbeField.IP_SRC, 1 << 17),
          new Varied(ProbeField.IN_PORT, 0x7000),
          new Varied(ProbeField.TCP_DST, 20_000),
          new Varied(ProbeField.TCP_SRC, 20_000),
          new Varied(ProbeField.VLAN_VID, 4000),
          new Varied(ProbeField.ETH_TYPE, 0x6000),
          new Varied(ProbeField.IP_PROTO, 100),
          new Varied(ProbeField.IP_DSCP, 60),
          new Varied(ProbeField.VLAN_PCP, 6));

  private record Varied(ProbeField field, int values) {}

  private final Set<ProbeField> fields;
  private final Varied varied;

  Structure(Set<ProbeField> fields) {
    this.fields = Collections.unmodifiableSet(EnumSet.copyOf(fields));
    this.varied = choose(fields);
  }

  private static Varied choose(Set<ProbeField> fields) {
    for (Varied candidate : VARIED) {
      boolean free =
          candidate.field != ProbeField.ETH_TYPE
              || fields.stream().noneMatch(each -> each.compareTo(ProbeField.ETH_TYPE) > 0);
      if (fields.contains(candidate.field) && free) {
        return candidate;
      }
    }
    throw new IllegalArgumentException("a structure of no fields");
  }

  /** Whether a match on one field cannot be said without another. */
  static boolean needs(ProbeField field, ProbeField other) {
    return switch (other) {
      case VLAN_VID -> field == ProbeField.VLAN_PCP;
      case ETH_TYPE -> field.compareTo(ProbeField.ETH_TYPE) > 0;
      case IP_PROTO -> field.compareTo(ProbeField.IP_PROTO) > 0;
      default -> false;
    };
  }

  /** Matches of all witnesses' packets, one of which every table may take. */
  static List<TrafficSelector> allPackets(PortNumber port) {
    List<TrafficSelector> selectors = new ArrayList<>();
    for (ProbeField field :
        List.of(ProbeField.ETH_DST, ProbeField.ETH_SRC, ProbeField.IN_PORT, ProbeField.ETH_TYPE)) {
      selectors.add(new Structure(EnumSet.of(field)).selector(0, port));
    }
    return selectors;
  }

  /** The priority of a rule, at least {@link #LOWEST_PRIORITY}. */
  int priority(int rule) {
    return LOWEST_PRIORITY + (rule == 0 ? 0 : (rule - 1) / varied.values);
  }

  /** What a rule matches; the witness's port is one of the switch. */
  TrafficSelector selector(int rule, PortNumber port) {
    TrafficSelector.Builder selector = DefaultTrafficSelector.builder();
    for (ProbeField field : fields) {
      int offset = field == varied.field && rule > 0 ? 1 + (rule - 1) % varied.values : 0;
      add(selector, field, offset, port);
    }
    return selector.build();
  }

  private static void add(
      TrafficSelector.Builder selector, ProbeField field, int offset, PortNumber port) {
    switch (field) {
      case IN_PORT ->
          selector.matchInPort(
              offset == 0 ? port : PortNumber.portNumber(FIRST_ABSENT_PORT + offset));
      case VLAN_VID -> selector.matchVlanId(VlanId.vlanId((short) (VLAN + offset)));
      case VLAN_PCP -> selector.matchVlanPcp((byte) offset);
      case ETH_SRC -> selector.matchEthSrc(MacAddress.valueOf(MAC | offset));
      case ETH_DST -> selector.matchEthDst(MacAddress.valueOf(MAC | 1L << 24 | offset));
      case ETH_TYPE ->
          selector.matchEthType(
              (short) (offset == 0 ? ETHER_TYPE : FIRST_FREE_ETHER_TYPE + offset));
      case IP_DSCP -> selector.matchIPDscp((byte) (DSCP + offset));
      case IP_SRC -> selector.matchIPSrc(prefix(offset));
      case IP_DST -> selector.matchIPDst(prefix(offset));
      case IP_PROTO -> selector.matchIPProtocol((byte) (TCP + offset));
      case TCP_SRC -> selector.matchTcpSrc(TpPort.tpPort(PORT + offset));
      case TCP_DST -> selector.matchTcpDst(TpPort.tpPort(PORT + offset));
    }
  }

  private static IpPrefix prefix(int offset) {
    return IpPrefix.valueOf(Ip4Address.valueOf(ADDRESS + offset), IpPrefix.MAX_INET_MASK_LENGTH);
  }

  /** A frame that the witness matches, with the payload behind its headers. */
  byte[] frame(byte[] payload) {
    boolean tagged = fields.contains(ProbeField.VLAN_VID);
    ByteBuffer frame = ByteBuffer.allocate((tagged ? 18 : 14) + 40 + payload.length);
    putMac(frame, MAC | 1L << 24);
    putMac(frame, MAC);
    if (tagged) {
      frame.putShort((short) 0x8100).putShort((short) VLAN);
    }
    frame.putShort((short) ETHER_TYPE);
    int header = frame.position();
    frame.put((byte) 0x45).put((byte) (DSCP << 2)).putShort((short) (40 + payload.length));
    frame.putInt(0).put((byte) 64).put((byte) TCP).putShort((short) 0);
    frame.putInt(ADDRESS).putInt(ADDRESS);
    frame.putShort(header + 10, checksum(frame, header));
    frame.putShort((short) PORT).putShort((short) PORT).putLong(0);
    frame.put((byte) 0x50).put((byte) 0).putShort((short) 0).putInt(0);
    return frame.put(payload).array();
  }

  private static void putMac(ByteBuffer frame, long mac) {
    frame.putShort((short) (mac >> 32)).putInt((int) mac);
  }

  private static short checksum(ByteBuffer frame, int header) {
    int sum = 0;
    for (int at = header; at < header + 20; at += 2) {
      sum += frame.getShort(at) & 0xffff;
    }
    while (sum >> 16 != 0) {
      sum = (sum & 0xffff) + (sum >> 16);
    }
    return (short) ~sum;
  }

  @Override
  public String toString() {
    return fields.stream().map(ProbeField::label).collect(Collectors.joining(","));
  }
}
