package io.lockstep.core.flow.text;

import java.util.Locale;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip4Prefix;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.Ip6Prefix;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;

/** Values of fields as texts and back. Pure. */
final class TextValues {
  private TextValues() {}

  /** A decimal number, or a hexadecimal one with {@code 0x}. */
  static long number(String field, String text, long most) throws FlowTextException {
    String allowed = "a number from 0 to " + most + ", also as 0x...";
    boolean isHex = text.startsWith("0x");
    if (!text.matches(isHex ? "0x[0-9a-fA-F]{1,16}" : "[0-9]{1,18}")) {
      throw wrong(field, text, allowed);
    }
    long value = isHex ? Long.parseUnsignedLong(text.substring(2), 16) : Long.parseLong(text);
    if (Long.compareUnsigned(value, most) > 0) {
      throw wrong(field, text, allowed);
    }
    return value;
  }

  static MacAddress mac(String field, String text) throws FlowTextException {
    if (!text.matches("[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}")) {
      throw wrong(field, text, "a MAC address such as 02:00:00:00:00:01");
    }
    return MacAddress.valueOf(text);
  }

  static String mac(MacAddress mac) {
    return mac.toString().toLowerCase(Locale.ROOT);
  }

  static Ip4Address ip4(String field, String text) throws FlowTextException {
    try {
      return Ip4Address.valueOf(text);
    } catch (IllegalArgumentException e) {
      throw wrong(field, text, "an IPv4 address such as 10.0.0.1");
    }
  }

  static Ip6Address ip6(String field, String text) throws FlowTextException {
    try {
      return Ip6Address.valueOf(text);
    } catch (IllegalArgumentException e) {
      throw wrong(field, text, "an IPv6 address such as 2001:db8::1");
    }
  }

  /** An address, or a prefix with its length. */
  static IpPrefix prefix4(String field, String text) throws FlowTextException {
    try {
      return Ip4Prefix.valueOf(text.contains("/") ? text : text + "/32");
    } catch (IllegalArgumentException e) {
      throw wrong(field, text, "an IPv4 address or prefix such as 10.0.0.0/24");
    }
  }

  /** The same of IPv6. */
  static IpPrefix prefix6(String field, String text) throws FlowTextException {
    try {
      return Ip6Prefix.valueOf(text.contains("/") ? text : text + "/128");
    } catch (IllegalArgumentException e) {
      throw wrong(field, text, "an IPv6 address or prefix such as 2001:db8::/32");
    }
  }

  static String prefix(IpPrefix prefix) {
    boolean isAddress = prefix.prefixLength() == (prefix.isIp4() ? 32 : 128);
    return isAddress ? prefix.address().toString() : prefix.toString();
  }

  static VlanId vlan(String field, String text) throws FlowTextException {
    if (text.equals("none")) {
      return VlanId.NONE;
    }
    if (text.equals("any")) {
      return VlanId.ANY;
    }
    if (!text.matches("[0-9]{1,4}") || Integer.parseInt(text) > VlanId.MAX_VLAN) {
      throw wrong(field, text, "0 to " + VlanId.MAX_VLAN + ", none or any");
    }
    return VlanId.vlanId(Short.parseShort(text));
  }

  static String vlan(VlanId vlan) {
    if (vlan.equals(VlanId.NONE)) {
      return "none";
    }
    return vlan.equals(VlanId.ANY) ? "any" : String.valueOf(vlan.toShort());
  }

  static FlowTextException wrong(String field, String text, String allowed) {
    return new FlowTextException(
        field + ": '" + text + "' is not allowed", field + ": give " + allowed);
  }
}
