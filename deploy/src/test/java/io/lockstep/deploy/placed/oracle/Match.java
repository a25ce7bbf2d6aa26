package io.lockstep.deploy.placed.oracle;

import org.onlab.packet.Ip4Address;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.MacAddress;
import org.onlab.packet.TpPort;
import org.onlab.packet.VlanId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.TrafficSelector;

/** A condition on packets: a value and a mask for each field. Immutable once it is made. */
public final class Match {
  private final long[] values = new long[Field.COUNT];
  private final long[] masks = new long[values.length];

  /** Wants a field to be a value. */
  Match with(Field field, long value) {
    return with(field, value, field.full());
  }

  /** Wants the bits of a field that a mask has. */
  Match with(Field field, long value, long mask) {
    masks[field.index()] = mask;
    values[field.index()] = value & mask;
    return this;
  }

  /** Wants TCP or UDP over IPv4 to a port. */
  Match withPort(long protocol, long port) {
    return with(Field.ETH_TYPE, Field.IPV4)
        .with(Field.PROTOCOL, protocol)
        .with(Field.PORT_DST, port);
  }

  long mask(Field field) {
    return masks[field.index()];
  }

  long value(Field field) {
    return values[field.index()];
  }

  boolean has(Field field) {
    return mask(field) != 0;
  }

  /** Whether a packet is one of these. */
  boolean matches(Header header) {
    long[] packet = header.values;
    for (int i = 0; i < masks.length; i++) {
      if (((packet[i] ^ values[i]) & masks[i]) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether some packet may be one of both. */
  boolean overlaps(Match other) {
    for (int i = 0; i < masks.length; i++) {
      if (((values[i] ^ other.values[i]) & masks[i] & other.masks[i]) != 0) {
        return false;
      }
    }
    return true;
  }

  /** As an application says it. */
  TrafficSelector selector() {
    TrafficSelector.Builder all = DefaultTrafficSelector.builder();
    for (Field field : Field.values()) {
      if (has(field)) {
        add(all, field, value(field));
      }
    }
    return all.build();
  }

  private void add(TrafficSelector.Builder all, Field field, long value) {
    switch (field) {
      case IN_PORT -> all.matchInPort(PortNumber.portNumber(value));
      case ETH_DST -> all.matchEthDst(MacAddress.valueOf(value));
      case ETH_SRC -> all.matchEthSrc(MacAddress.valueOf(value));
      case ETH_TYPE -> all.matchEthType((short) value);
      case VLAN ->
          all.matchVlanId(value == 0 ? VlanId.NONE : VlanId.vlanId((short) (value & 0xfff)));
      case IP_SRC -> all.matchIPSrc(prefix(field));
      case IP_DST -> all.matchIPDst(prefix(field));
      case PROTOCOL -> all.matchIPProtocol((byte) value);
      case PORT_SRC -> throw new IllegalStateException("no rule looks at " + field);
      case PORT_DST -> {
        if (value(Field.PROTOCOL) == Field.TCP) {
          all.matchTcpDst(TpPort.tpPort((int) value));
        } else {
          all.matchUdpDst(TpPort.tpPort((int) value));
        }
      }
    }
  }

  private IpPrefix prefix(Field field) {
    return IpPrefix.valueOf(Ip4Address.valueOf((int) value(field)), Long.bitCount(mask(field)));
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Field field : Field.values()) {
      if (has(field)) {
        text.append(field).append('=').append(Long.toHexString(value(field)));
        text.append(mask(field) == field.full() ? "" : "/" + Long.bitCount(mask(field)));
        text.append(' ');
      }
    }
    return text.toString().trim();
  }
}
