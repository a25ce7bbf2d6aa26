package io.lockstep.core.host;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.southbound.SwitchConnection;
import java.nio.ByteBuffer;
import java.util.List;
import org.onlab.packet.IpAddress;
import org.onosproject.net.PortNumber;

/**
 * Asks a host whether it is still there, or all hosts at a port for an address: an ARP probe (RFC
 * 5227 section 2.1.1), or a neighbour solicitation as neighbour unreachability detection sends it
 * (RFC 4861 sections 4.3 and 7.3).
 */
final class HostProbe {

  /** Source of probes: locally administered, of no host. What is sent to it is for the node. */
  static final long SENDER = 0x024c_5350_0001L;

  /** The sender's link-local address, made of {@link #SENDER} (RFC 4291 appendix A). */
  static final Ip6 SENDER_IP6 = new Ip6(0xfe80_0000_0000_0000L, 0x004c_53ff_fe50_0001L);

  private static final long BROADCAST = 0xffff_ffff_ffffL;
  private static final int ARP_BYTES = 60;
  private static final int IP6 = 0x86dd;
  private static final int ICMP6 = 58;
  private static final int SOLICITATION = 135;
  private static final int HOP_LIMIT = 255;
  private static final int IP6_HEADER_BYTES = 40;
  private static final int IP6_ADDRESS_BYTES = 16;
  private static final int SOLICITATION_BYTES = 32;
  private static final int CHECKSUM_AT = 2;

  private HostProbe() {}

  /** Asks a host for each address that it claims, at its port. */
  static void send(SwitchConnection connection, HostKey key, HostRecord host) {
    host.ips().forEach(ip -> send(connection, host, arp(key.mac(), key.vlan(), ip)));
    host.ip6s().forEach(ip -> send(connection, host, solicitation(key.mac(), key.vlan(), ip)));
  }

  /**
   * Asks whether a host is at a port where it was not known, also for addresses that only its
   * packets show: a router does not answer for those of others, but most senders are no routers.
   */
  static void search(SwitchConnection connection, HostKey key, HostRecord host) {
    send(connection, key, host);
    if (host.shownIp() != 0) {
      send(connection, host, arp(key.mac(), key.vlan(), host.shownIp()));
    }
    Ip6 shownIp6 = host.shownIp6();
    if (shownIp6 != null) {
      send(connection, host, solicitation(key.mac(), key.vlan(), shownIp6));
    }
  }

  /**
   * What a host would broadcast to show bridges its new place: the Layer 2 Update of access points,
   * an empty 802.2 LLC XID response (IEEE 802.11F section 6.2), which stations drop.
   *
   * @param vlan VLAN id, or -1 for an untagged frame
   */
  static byte[] announcement(long mac, int vlan) {
    ByteBuffer out = ByteBuffer.allocate(ARP_BYTES);
    mac(out, BROADCAST);
    mac(out, mac);
    if (vlan >= 0) {
      out.putShort((short) 0x8100).putShort((short) vlan);
    }
    out.putShort((short) 6).put((byte) 0).put((byte) 1).put((byte) 0xaf);
    out.put((byte) 0x81).put((byte) 1).put((byte) 0);
    return out.array();
  }

  /**
   * Asks all hosts at a port for an address: by broadcast, or in the solicited-node group of an
   * IPv6 address (RFC 4861 section 7.2.2).
   *
   * @param vlan VLAN id, or -1 for an untagged frame
   */
  static void ask(SwitchConnection connection, SwitchPort port, int vlan, IpAddress ip) {
    byte[] frame;
    if (ip.isIp4()) {
      frame = arp(BROADCAST, vlan, ip.getIp4Address().toInt());
    } else {
      Ip6 target = Ip6.of(ip.toOctets());
      long last = target.low() & 0xff_ffffL;
      Ip6 group = new Ip6(0xff02_0000_0000_0000L, 0x0000_0001_ff00_0000L | last);
      frame = solicitation(0x3333_ff00_0000L | last, vlan, group, target);
    }
    send(connection, port, frame);
  }

  private static void send(SwitchConnection connection, HostRecord host, byte[] frame) {
    send(connection, host.location(), frame);
  }

  private static void send(SwitchConnection connection, SwitchPort port, byte[] frame) {
    connection.packetOut(
        new PacketOut(
            PacketIn.NO_BUFFER, PortNumber.CONTROLLER, List.of(port.portNumber()), frame));
  }

  /**
   * Asks for an IPv4 address.
   *
   * @param vlan VLAN id, or -1 for an untagged frame
   */
  static byte[] arp(long targetMac, int vlan, int targetIp) {
    ByteBuffer out = ByteBuffer.allocate(ARP_BYTES);
    ethernet(out, targetMac, vlan, 0x0806);
    out.putShort((short) 1).putShort((short) 0x0800);
    out.put((byte) 6).put((byte) 4).putShort((short) 1);
    mac(out, SENDER);
    out.putInt(0);
    mac(out, 0);
    out.putInt(targetIp);
    return out.array();
  }

  /**
   * Asks for an IPv6 address, at the host alone. The host answers to {@link #SENDER}. The source is
   * not the unspecified address: that would make a host that is just checking its address for
   * duplicates give it up (RFC 4862 section 5.4.3).
   *
   * @param vlan VLAN id, or -1 for an untagged frame
   */
  static byte[] solicitation(long targetMac, int vlan, Ip6 target) {
    return solicitation(targetMac, vlan, target, target);
  }

  private static byte[] solicitation(long mac, int vlan, Ip6 destination, Ip6 target) {
    int headerBytes = vlan >= 0 ? 18 : 14;
    ByteBuffer out = ByteBuffer.allocate(headerBytes + IP6_HEADER_BYTES + SOLICITATION_BYTES);
    ethernet(out, mac, vlan, IP6);
    out.putInt(0x6000_0000).putShort((short) SOLICITATION_BYTES);
    out.put((byte) ICMP6).put((byte) HOP_LIMIT);
    ip6(out, SENDER_IP6);
    ip6(out, destination);
    int messageAt = out.position();
    out.put((byte) SOLICITATION).put((byte) 0).putShort((short) 0).putInt(0);
    ip6(out, target);
    out.put((byte) 1).put((byte) 1);
    mac(out, SENDER);
    out.putShort(messageAt + CHECKSUM_AT, checksum(out, messageAt));
    return out.array();
  }

  /** Over the pseudo-header and the message (RFC 8200 section 8.1); its field is still zero. */
  private static short checksum(ByteBuffer frame, int messageAt) {
    int sum = SOLICITATION_BYTES + ICMP6;
    int addressesAt = messageAt - 2 * IP6_ADDRESS_BYTES;
    for (int at = addressesAt; at < messageAt + SOLICITATION_BYTES; at += 2) {
      sum += frame.getShort(at) & 0xffff;
    }
    sum = (sum & 0xffff) + (sum >>> 16);
    sum = (sum & 0xffff) + (sum >>> 16);
    return (short) ~sum;
  }

  private static void ethernet(ByteBuffer out, long targetMac, int vlan, int etherType) {
    mac(out, targetMac);
    mac(out, SENDER);
    if (vlan >= 0) {
      out.putShort((short) 0x8100).putShort((short) vlan);
    }
    out.putShort((short) etherType);
  }

  private static void mac(ByteBuffer out, long mac) {
    out.putShort((short) (mac >>> 32)).putInt((int) mac);
  }

  private static void ip6(ByteBuffer out, Ip6 address) {
    out.putLong(address.high()).putLong(address.low());
  }
}
