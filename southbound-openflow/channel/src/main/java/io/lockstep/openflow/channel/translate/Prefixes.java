package io.lockstep.openflow.channel.translate;

import org.jspecify.annotations.Nullable;
import org.onlab.packet.Ip4Prefix;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.Ip6Prefix;
import org.onlab.packet.IpPrefix;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.IPv6Address;
import org.projectfloodlight.openflow.types.Masked;

/** IP prefixes between onos-api and OpenFlow's masks. */
final class Prefixes {
  private Prefixes() {}

  static Masked<IPv4Address> ipv4(IpPrefix prefix) {
    Ip4Prefix ip4 = prefix.getIp4Prefix();
    if (ip4 == null) {
      throw new IllegalArgumentException("not an IPv4 prefix");
    }
    return Masked.of(
        IPv4Address.of(ip4.address().toInt()), IPv4Address.ofCidrMaskLength(ip4.prefixLength()));
  }

  static Ip4Prefix ipv4(IPv4Address value, @Nullable IPv4Address mask)
      throws UntranslatableException {
    if (mask != null && !mask.isCidrMask()) {
      throw new UntranslatableException("unsupported mask " + mask + " on an IPv4 address");
    }
    return Ip4Prefix.valueOf(
        value.getInt(), mask == null ? Ip4Prefix.MAX_MASK_LENGTH : mask.asCidrMaskLength());
  }

  static Masked<IPv6Address> ipv6(IpPrefix prefix) {
    Ip6Prefix ip6 = prefix.getIp6Prefix();
    if (ip6 == null) {
      throw new IllegalArgumentException("not an IPv6 prefix");
    }
    return Masked.of(
        IPv6Address.of(ip6.address().toOctets()), IPv6Address.ofCidrMaskLength(ip6.prefixLength()));
  }

  static Ip6Prefix ipv6(IPv6Address value, @Nullable IPv6Address mask)
      throws UntranslatableException {
    if (mask != null && !mask.isCidrMask()) {
      throw new UntranslatableException("unsupported mask " + mask + " on an IPv6 address");
    }
    return Ip6Prefix.valueOf(
        Ip6Address.valueOf(value.getBytes()),
        mask == null ? Ip6Prefix.MAX_MASK_LENGTH : mask.asCidrMaskLength());
  }
}
