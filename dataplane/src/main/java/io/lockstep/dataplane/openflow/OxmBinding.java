package io.lockstep.dataplane.openflow;

import io.lockstep.dataplane.packet.OxmField;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.protocol.match.MatchFields;
import org.projectfloodlight.openflow.types.ArpOpcode;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.ICMPv4Code;
import org.projectfloodlight.openflow.types.ICMPv4Type;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.IPv6Address;
import org.projectfloodlight.openflow.types.IPv6FlowLabel;
import org.projectfloodlight.openflow.types.IpDscp;
import org.projectfloodlight.openflow.types.IpEcn;
import org.projectfloodlight.openflow.types.IpProtocol;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFBooleanValue;
import org.projectfloodlight.openflow.types.OFMetadata;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.OFValueType;
import org.projectfloodlight.openflow.types.OFVlanVidMatch;
import org.projectfloodlight.openflow.types.TransportPort;
import org.projectfloodlight.openflow.types.U32;
import org.projectfloodlight.openflow.types.U8;
import org.projectfloodlight.openflow.types.VlanPcp;

/**
 * One match field in openflowj's types and as the model's words.
 *
 * @param <F> openflowj's type of the field's values
 */
final class OxmBinding<F extends OFValueType<F>> {
  private static final Map<OxmField, OxmBinding<?>> BY_FIELD = new EnumMap<>(OxmField.class);
  private static final Map<MatchFields, OxmBinding<?>> BY_ID = new EnumMap<>(MatchFields.class);

  static {
    bind(OxmField.IN_PORT, MatchField.IN_PORT, v -> OFPort.of((int) v), OxmBinding::portNumber);
    bind(
        OxmField.METADATA,
        MatchField.METADATA,
        OFMetadata::ofRaw,
        value -> value.getValue().getValue());
    bind(OxmField.ETH_DST, MatchField.ETH_DST, MacAddress::of, MacAddress::getLong);
    bind(OxmField.ETH_SRC, MatchField.ETH_SRC, MacAddress::of, MacAddress::getLong);
    bind(OxmField.ETH_TYPE, MatchField.ETH_TYPE, v -> EthType.of((int) v), EthType::getValue);
    bind(
        OxmField.VLAN_VID,
        MatchField.VLAN_VID,
        v -> OFVlanVidMatch.ofRawVid((short) v),
        value -> value.getRawVid() & 0xffff);
    bind(OxmField.VLAN_PCP, MatchField.VLAN_PCP, v -> VlanPcp.of((byte) v), VlanPcp::getValue);
    bind(OxmField.IP_DSCP, MatchField.IP_DSCP, v -> IpDscp.of((byte) v), IpDscp::getDscpValue);
    bind(OxmField.IP_ECN, MatchField.IP_ECN, v -> IpEcn.of((byte) v), IpEcn::getEcnValue);
    bind(
        OxmField.IP_PROTO,
        MatchField.IP_PROTO,
        v -> IpProtocol.of((short) v),
        IpProtocol::getIpProtocolNumber);
    bindIpv4(OxmField.IPV4_SRC, MatchField.IPV4_SRC);
    bindIpv4(OxmField.IPV4_DST, MatchField.IPV4_DST);
    bindPort(OxmField.TCP_SRC, MatchField.TCP_SRC);
    bindPort(OxmField.TCP_DST, MatchField.TCP_DST);
    bindPort(OxmField.UDP_SRC, MatchField.UDP_SRC);
    bindPort(OxmField.UDP_DST, MatchField.UDP_DST);
    bind(
        OxmField.ICMPV4_TYPE,
        MatchField.ICMPV4_TYPE,
        v -> ICMPv4Type.of((short) v),
        ICMPv4Type::getType);
    bind(
        OxmField.ICMPV4_CODE,
        MatchField.ICMPV4_CODE,
        v -> ICMPv4Code.of((short) v),
        ICMPv4Code::getCode);
    bind(OxmField.ARP_OP, MatchField.ARP_OP, v -> ArpOpcode.of((int) v), ArpOpcode::getOpcode);
    bindIpv4(OxmField.ARP_SPA, MatchField.ARP_SPA);
    bindIpv4(OxmField.ARP_TPA, MatchField.ARP_TPA);
    bind(OxmField.ARP_SHA, MatchField.ARP_SHA, MacAddress::of, MacAddress::getLong);
    bind(OxmField.ARP_THA, MatchField.ARP_THA, MacAddress::of, MacAddress::getLong);
    bindPort(OxmField.SCTP_SRC, MatchField.SCTP_SRC);
    bindPort(OxmField.SCTP_DST, MatchField.SCTP_DST);
    bindIpv6(OxmField.IPV6_SRC, MatchField.IPV6_SRC);
    bindIpv6(OxmField.IPV6_DST, MatchField.IPV6_DST);
    bind(
        OxmField.IPV6_FLABEL,
        MatchField.IPV6_FLABEL,
        v -> IPv6FlowLabel.of((int) v),
        value -> value.getIPv6FlowLabelValue() & 0xffff_ffffL);
    bind(OxmField.ICMPV6_TYPE, MatchField.ICMPV6_TYPE, v -> U8.of((short) v), U8::getValue);
    bind(OxmField.ICMPV6_CODE, MatchField.ICMPV6_CODE, v -> U8.of((short) v), U8::getValue);
    bindIpv6(OxmField.IPV6_ND_TARGET, MatchField.IPV6_ND_TARGET);
    bind(OxmField.IPV6_ND_SLL, MatchField.IPV6_ND_SLL, MacAddress::of, MacAddress::getLong);
    bind(OxmField.IPV6_ND_TLL, MatchField.IPV6_ND_TLL, MacAddress::of, MacAddress::getLong);
    bind(OxmField.MPLS_LABEL, MatchField.MPLS_LABEL, U32::of, U32::getValue);
    bind(OxmField.MPLS_TC, MatchField.MPLS_TC, v -> U8.of((short) v), U8::getValue);
    bind(
        OxmField.MPLS_BOS,
        MatchField.MPLS_BOS,
        v -> OFBooleanValue.of(v != 0),
        OFBooleanValue::getInt);
  }

  private final OxmField field;
  private final MatchField<F> matchField;
  private final ToWords<F> toWords;
  private final FromWords<F> fromWords;

  private OxmBinding(
      OxmField field, MatchField<F> matchField, ToWords<F> toWords, FromWords<F> fromWords) {
    this.field = field;
    this.matchField = matchField;
    this.toWords = toWords;
    this.fromWords = fromWords;
  }

  /** The binding of a field of the model; every field has one. */
  static OxmBinding<?> of(OxmField field) {
    OxmBinding<?> binding = BY_FIELD.get(field);
    if (binding == null) {
      throw new AssertionError("unbound field " + field);
    }
    return binding;
  }

  /** The binding of a field of openflowj; null when the model does not know the field. */
  static @Nullable OxmBinding<?> of(MatchField<?> field) {
    return BY_ID.get(field.id);
  }

  /** All bindings in the order of {@link OxmField}. */
  static List<OxmBinding<?>> all() {
    return new ArrayList<>(BY_FIELD.values());
  }

  OxmField field() {
    return field;
  }

  MatchField<F> matchField() {
    return matchField;
  }

  /** One word of a value; word 1 only for the IPv6 addresses. */
  long word(F value, int index) {
    return toWords.word(value, index);
  }

  F value(long high, long low) {
    return fromWords.value(high, low);
  }

  private static <F extends OFValueType<F>> void bind(
      OxmField field, MatchField<F> matchField, LongFunction<F> from, ToLongFunction<F> to) {
    add(
        new OxmBinding<>(
            field,
            matchField,
            (value, index) -> to.applyAsLong(value),
            (high, low) -> from.apply(high)));
  }

  private static void bindIpv4(OxmField field, MatchField<IPv4Address> matchField) {
    bind(field, matchField, v -> IPv4Address.of((int) v), value -> value.getInt() & 0xffff_ffffL);
  }

  private static void bindPort(OxmField field, MatchField<TransportPort> matchField) {
    bind(field, matchField, v -> TransportPort.of((int) v), TransportPort::getPort);
  }

  private static void bindIpv6(OxmField field, MatchField<IPv6Address> matchField) {
    add(
        new OxmBinding<>(
            field,
            matchField,
            (value, index) -> ByteBuffer.wrap(value.getBytes()).getLong(8 * index),
            IPv6Address::of));
  }

  private static void add(OxmBinding<?> binding) {
    BY_FIELD.put(binding.field, binding);
    BY_ID.put(binding.matchField.id, binding);
  }

  private static long portNumber(OFPort port) {
    return port.getPortNumber() & 0xffff_ffffL;
  }

  private interface ToWords<F> {
    long word(F value, int index);
  }

  private interface FromWords<F> {
    F value(long high, long low);
  }
}
