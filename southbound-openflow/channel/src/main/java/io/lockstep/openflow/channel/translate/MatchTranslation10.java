package io.lockstep.openflow.channel.translate;

import org.jspecify.annotations.Nullable;
import org.onlab.packet.EthType.EtherType;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip4Prefix;
import org.onlab.packet.TpPort;
import org.onlab.packet.VlanId;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.criteria.ArpOpCriterion;
import org.onosproject.net.flow.criteria.ArpPaCriterion;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.EthCriterion;
import org.onosproject.net.flow.criteria.EthTypeCriterion;
import org.onosproject.net.flow.criteria.IPCriterion;
import org.onosproject.net.flow.criteria.IPDscpCriterion;
import org.onosproject.net.flow.criteria.IPProtocolCriterion;
import org.onosproject.net.flow.criteria.IcmpCodeCriterion;
import org.onosproject.net.flow.criteria.IcmpTypeCriterion;
import org.onosproject.net.flow.criteria.PortCriterion;
import org.onosproject.net.flow.criteria.TcpPortCriterion;
import org.onosproject.net.flow.criteria.UdpPortCriterion;
import org.onosproject.net.flow.criteria.VlanIdCriterion;
import org.onosproject.net.flow.criteria.VlanPcpCriterion;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFMatchV1;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.IpDscp;
import org.projectfloodlight.openflow.types.IpProtocol;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.OFVlanVidMatch;
import org.projectfloodlight.openflow.types.TransportPort;
import org.projectfloodlight.openflow.types.VlanPcp;

/**
 * Between selectors and the fixed match of OpenFlow 1.0 (section 5.2.3). A 1.0 switch ignores a
 * field whose prerequisite is not in the match (section 3.4) and so would match more than was
 * asked; such a selector is refused here, as a 1.3 switch refuses it itself.
 */
final class MatchTranslation10 {
  /** Wildcarded bits of an address from which on the whole address is. */
  private static final int NW_ALL = 32;

  private static final int IPV4 = EtherType.IPV4.ethType().toShort();
  private static final int ARP = EtherType.ARP.ethType().toShort();
  private static final short ICMP = 1;
  private static final short TCP = 6;
  private static final short UDP = 17;
  private static final int MAX_ARP_OP = 0xff;

  private MatchTranslation10() {}

  /**
   * Whether a match leaves no field open that a switch looks at: such entries win over all others
   * (section 3.4). openflowj wildcards the fields that do not count, as switches may.
   */
  static boolean isExact(OFMatchV1 match, TrafficSelector selector) {
    int counting =
        Wildcards10.IN_PORT
            | Wildcards10.DL_VLAN
            | Wildcards10.DL_SRC
            | Wildcards10.DL_DST
            | Wildcards10.DL_TYPE;
    if (isTagged(selector)) {
      counting |= Wildcards10.DL_VLAN_PCP;
    }
    if (isType(selector, IPV4)) {
      counting |= Wildcards10.NW_TOS;
    }
    if (isType(selector, IPV4) || isType(selector, ARP)) {
      counting |=
          Wildcards10.NW_PROTO
              | Wildcards10.NW_BITS << Wildcards10.NW_SRC_SHIFT
              | Wildcards10.NW_BITS << Wildcards10.NW_DST_SHIFT;
    }
    if (isProtocol(selector, TCP) || isProtocol(selector, UDP) || isProtocol(selector, ICMP)) {
      counting |= Wildcards10.TP_SRC | Wildcards10.TP_DST;
    }
    return (match.getWildcards() & counting) == 0;
  }

  /**
   * The match for a selector.
   *
   * @throws UntranslatableException naming the criterion that OpenFlow 1.0 cannot say
   */
  static OFMatchV1 toMatch(TrafficSelector selector, OFFactory factory)
      throws UntranslatableException {
    Writer writer = new Writer(selector, (OFMatchV1.Builder) factory.buildMatch());
    for (Criterion criterion : selector.criteria()) {
      try {
        writer.write(criterion);
      } catch (IllegalArgumentException e) {
        throw new UntranslatableException(
            "criterion " + criterion + " is out of range: " + e.getMessage());
      }
    }
    return writer.build();
  }

  /** Writes criteria one by one; what is not written stays wildcarded. */
  private static final class Writer {
    private final TrafficSelector selector;
    private final OFMatchV1.Builder match;
    private int wildcards = Wildcards10.ALL;

    Writer(TrafficSelector selector, OFMatchV1.Builder match) {
      this.selector = selector;
      this.match = match;
    }

    OFMatchV1 build() {
      return match.setWildcards(wildcards).build();
    }

    void write(Criterion criterion) throws UntranslatableException {
      switch (criterion.type()) {
        case IN_PORT -> {
          match.setInPort(OFPort.of(PortNumbers.toWire10(((PortCriterion) criterion).port())));
          wildcards &= ~Wildcards10.IN_PORT;
        }
        case ETH_SRC -> {
          match.setEthSrc(MatchTranslation.mac(((EthCriterion) criterion).mac()));
          wildcards &= ~Wildcards10.DL_SRC;
        }
        case ETH_DST -> {
          match.setEthDst(MatchTranslation.mac(((EthCriterion) criterion).mac()));
          wildcards &= ~Wildcards10.DL_DST;
        }
        case VLAN_VID -> vlan(((VlanIdCriterion) criterion).vlanId());
        case VLAN_PCP -> {
          require(isTagged(selector), criterion, "a VLAN id");
          match.setVlanPcp(VlanPcp.of(((VlanPcpCriterion) criterion).priority()));
          wildcards &= ~Wildcards10.DL_VLAN_PCP;
        }
        case ETH_TYPE -> {
          match.setEthType(EthType.of(ethType(criterion)));
          wildcards &= ~Wildcards10.DL_TYPE;
        }
        case IP_DSCP -> {
          require(isType(selector, IPV4), criterion, "ETH_TYPE 0x800");
          match.setIpDscp(IpDscp.of(((IPDscpCriterion) criterion).ipDscp()));
          wildcards &= ~Wildcards10.NW_TOS;
        }
        case IP_PROTO -> {
          require(isType(selector, IPV4), criterion, "ETH_TYPE 0x800");
          protocol(((IPProtocolCriterion) criterion).protocol());
        }
        case ARP_OP -> {
          require(isType(selector, ARP), criterion, "ETH_TYPE 0x806");
          protocol(((ArpOpCriterion) criterion).arpOp());
        }
        case IPV4_SRC, IPV4_DST -> {
          require(isType(selector, IPV4), criterion, "ETH_TYPE 0x800");
          address(criterion, prefix(((IPCriterion) criterion).ip().getIp4Prefix()));
        }
        case ARP_SPA, ARP_TPA -> {
          require(isType(selector, ARP), criterion, "ETH_TYPE 0x806");
          address(criterion, Ip4Prefix.valueOf(((ArpPaCriterion) criterion).ip(), NW_ALL));
        }
        case TCP_SRC, TCP_DST -> {
          require(isProtocol(selector, TCP), criterion, "ETH_TYPE 0x800 and IP_PROTO 6");
          transport(criterion, ((TcpPortCriterion) criterion).tcpPort().toInt());
        }
        case UDP_SRC, UDP_DST -> {
          require(isProtocol(selector, UDP), criterion, "ETH_TYPE 0x800 and IP_PROTO 17");
          transport(criterion, ((UdpPortCriterion) criterion).udpPort().toInt());
        }
        case ICMPV4_TYPE -> {
          require(isProtocol(selector, ICMP), criterion, "ETH_TYPE 0x800 and IP_PROTO 1");
          transport(criterion, ((IcmpTypeCriterion) criterion).icmpType());
        }
        case ICMPV4_CODE -> {
          require(isProtocol(selector, ICMP), criterion, "ETH_TYPE 0x800 and IP_PROTO 1");
          transport(criterion, ((IcmpCodeCriterion) criterion).icmpCode());
        }
        default ->
            throw new UntranslatableException(
                "criterion " + criterion.type() + " cannot be said in OpenFlow 1.0");
      }
    }

    private void vlan(VlanId vlan) throws UntranslatableException {
      if (vlan.equals(VlanId.ANY)) {
        throw new UntranslatableException(
            "criterion VLAN_VID of any VLAN cannot be said in OpenFlow 1.0");
      }
      match.setVlanVid(
          vlan.equals(VlanId.NONE)
              ? OFVlanVidMatch.UNTAGGED
              : OFVlanVidMatch.ofVlan(vlan.toShort()));
      wildcards &= ~Wildcards10.DL_VLAN;
    }

    private void protocol(int number) throws UntranslatableException {
      if (number > MAX_ARP_OP) {
        throw new UntranslatableException(
            "criterion ARP_OP " + number + " exceeds the 8 bits it has in OpenFlow 1.0");
      }
      match.setIpProto(IpProtocol.of((short) number));
      wildcards &= ~Wildcards10.NW_PROTO;
    }

    private void address(Criterion criterion, Ip4Prefix prefix) {
      IPv4Address address = IPv4Address.of(prefix.address().toInt());
      boolean source =
          criterion.type() == Criterion.Type.IPV4_SRC || criterion.type() == Criterion.Type.ARP_SPA;
      int shift = source ? Wildcards10.NW_SRC_SHIFT : Wildcards10.NW_DST_SHIFT;
      wildcards &= ~(Wildcards10.NW_BITS << shift);
      wildcards |= (NW_ALL - prefix.prefixLength()) << shift;
      if (source) {
        match.setIpv4Src(address);
      } else {
        match.setIpv4Dst(address);
      }
    }

    private void transport(Criterion criterion, int number) {
      TransportPort port = TransportPort.of(number);
      switch (criterion.type()) {
        case TCP_SRC, UDP_SRC, ICMPV4_TYPE -> {
          match.setTcpSrc(port);
          wildcards &= ~Wildcards10.TP_SRC;
        }
        default -> {
          match.setTcpDst(port);
          wildcards &= ~Wildcards10.TP_DST;
        }
      }
    }
  }

  private static Ip4Prefix prefix(@Nullable Ip4Prefix prefix) {
    if (prefix == null) {
      throw new IllegalArgumentException("not an IPv4 prefix");
    }
    return prefix;
  }

  private static void require(boolean holds, Criterion criterion, String what)
      throws UntranslatableException {
    if (!holds) {
      throw new UntranslatableException(
          "criterion " + criterion.type() + " needs " + what + " in OpenFlow 1.0");
    }
  }

  private static boolean isTagged(TrafficSelector selector) {
    return selector.getCriterion(Criterion.Type.VLAN_VID) instanceof VlanIdCriterion vlan
        && !vlan.vlanId().equals(VlanId.NONE);
  }

  private static int ethType(Criterion criterion) {
    return Short.toUnsignedInt(((EthTypeCriterion) criterion).ethType().toShort());
  }

  private static boolean isType(TrafficSelector selector, int etherType) {
    Criterion criterion = selector.getCriterion(Criterion.Type.ETH_TYPE);
    return criterion != null && ethType(criterion) == etherType;
  }

  /** Whether a selector is restricted to one protocol above IPv4. */
  static boolean isProtocol(TrafficSelector selector, short protocol) {
    return isType(selector, IPV4)
        && selector.getCriterion(Criterion.Type.IP_PROTO) instanceof IPProtocolCriterion ip
        && ip.protocol() == protocol;
  }

  /**
   * The selector for a match. Fields that the switch ignores for want of a prerequisite are left
   * out.
   *
   * @throws UntranslatableException where a field's value cannot be said
   */
  static TrafficSelector toSelector(Match wire) throws UntranslatableException {
    OFMatchV1 match = (OFMatchV1) wire;
    int wildcards = match.getWildcards();
    TrafficSelector.Builder selector = DefaultTrafficSelector.builder();
    try {
      if ((wildcards & Wildcards10.IN_PORT) == 0) {
        selector.matchInPort(PortNumbers.fromWire(match.getInPort().getPortNumber()));
      }
      if ((wildcards & Wildcards10.DL_SRC) == 0) {
        selector.matchEthSrc(MatchTranslation.mac(match.getEthSrc()));
      }
      if ((wildcards & Wildcards10.DL_DST) == 0) {
        selector.matchEthDst(MatchTranslation.mac(match.getEthDst()));
      }
      if ((wildcards & Wildcards10.DL_VLAN) == 0) {
        readVlan(match, selector);
      }
      if ((wildcards & Wildcards10.DL_TYPE) == 0) {
        int etherType = match.getEthType().getValue();
        selector.matchEthType((short) etherType);
        if (etherType == IPV4) {
          readIp(match, selector);
        } else if (etherType == ARP) {
          readArp(match, selector);
        }
      }
    } catch (IllegalArgumentException e) {
      throw new UntranslatableException("match " + match + ": " + e.getMessage());
    }
    return selector.build();
  }

  private static void readVlan(OFMatchV1 match, TrafficSelector.Builder selector) {
    boolean untagged = match.getVlanVid().equals(OFVlanVidMatch.UNTAGGED);
    selector.matchVlanId(untagged ? VlanId.NONE : VlanId.vlanId(match.getVlanVid().getVlan()));
    if (!untagged && (match.getWildcards() & Wildcards10.DL_VLAN_PCP) == 0) {
      selector.matchVlanPcp(match.getVlanPcp().getValue());
    }
  }

  private static void readIp(OFMatchV1 match, TrafficSelector.Builder selector) {
    int wildcards = match.getWildcards();
    if ((wildcards & Wildcards10.NW_TOS) == 0) {
      selector.matchIPDscp(match.getIpDscp().getDscpValue());
    }
    if (prefixLength(wildcards, Wildcards10.NW_SRC_SHIFT) > 0) {
      selector.matchIPSrc(
          prefix(match.getIpv4Src(), prefixLength(wildcards, Wildcards10.NW_SRC_SHIFT)));
    }
    if (prefixLength(wildcards, Wildcards10.NW_DST_SHIFT) > 0) {
      selector.matchIPDst(
          prefix(match.getIpv4Dst(), prefixLength(wildcards, Wildcards10.NW_DST_SHIFT)));
    }
    if ((wildcards & Wildcards10.NW_PROTO) != 0) {
      return;
    }
    short protocol = match.getIpProto().getIpProtocolNumber();
    selector.matchIPProtocol((byte) protocol);
    boolean source = (wildcards & Wildcards10.TP_SRC) == 0;
    boolean target = (wildcards & Wildcards10.TP_DST) == 0;
    int from = match.getTcpSrc().getPort();
    int to = match.getTcpDst().getPort();
    if (protocol == TCP) {
      ifSet(source, () -> selector.matchTcpSrc(TpPort.tpPort(from)));
      ifSet(target, () -> selector.matchTcpDst(TpPort.tpPort(to)));
    } else if (protocol == UDP) {
      ifSet(source, () -> selector.matchUdpSrc(TpPort.tpPort(from)));
      ifSet(target, () -> selector.matchUdpDst(TpPort.tpPort(to)));
    } else if (protocol == ICMP) {
      ifSet(source, () -> selector.matchIcmpType((byte) from));
      ifSet(target, () -> selector.matchIcmpCode((byte) to));
    }
  }

  private static void readArp(OFMatchV1 match, TrafficSelector.Builder selector)
      throws UntranslatableException {
    int wildcards = match.getWildcards();
    if ((wildcards & Wildcards10.NW_PROTO) == 0) {
      selector.matchArpOp(match.getIpProto().getIpProtocolNumber());
    }
    int source = prefixLength(wildcards, Wildcards10.NW_SRC_SHIFT);
    int target = prefixLength(wildcards, Wildcards10.NW_DST_SHIFT);
    if ((source > 0 && source < NW_ALL) || (target > 0 && target < NW_ALL)) {
      throw new UntranslatableException("unsupported prefix of an ARP address in " + match);
    }
    ifSet(source > 0, () -> selector.matchArpSpa(Ip4Address.valueOf(match.getIpv4Src().getInt())));
    ifSet(target > 0, () -> selector.matchArpTpa(Ip4Address.valueOf(match.getIpv4Dst().getInt())));
  }

  private static void ifSet(boolean set, Runnable add) {
    if (set) {
      add.run();
    }
  }

  private static int prefixLength(int wildcards, int shift) {
    return Math.max(0, NW_ALL - (wildcards >> shift & Wildcards10.NW_BITS));
  }

  private static Ip4Prefix prefix(IPv4Address address, int length) {
    return Ip4Prefix.valueOf(address.getInt(), length);
  }
}
