package io.lockstep.openflow.channel.translate;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.openflow.codec.MessageDecoder;
import io.lockstep.openflow.codec.MessageEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip4Prefix;
import org.onlab.packet.Ip6Prefix;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.TpPort;
import org.onlab.packet.VlanId;
import org.onosproject.core.GroupId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.criteria.Criteria;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.Instructions;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowStatsReply;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.protocol.instruction.OFInstruction;
import org.projectfloodlight.openflow.protocol.match.Match;

/** What is installed reads back equal, through the bytes of a flow statistics reply. */
class RoundTripTest {
  private static final OFFactory OF = OFFactories.getFactory(OFVersion.OF_13);

  @Property(seed = "20130405")
  void selectorsComeBackEqual(@ForAll("criteria") List<Criterion> criteria)
      throws UntranslatableException {
    TrafficSelector.Builder builder = DefaultTrafficSelector.builder();
    criteria.forEach(builder::add);
    TrafficSelector selector = builder.build();
    Match match = MatchTranslation.toMatch(selector, OF);
    OFFlowStatsReply reply = throughTheWire(match, List.of());
    assertThat(MatchTranslation.toSelector(reply.getEntries().get(0).getMatch()))
        .isEqualTo(selector);
  }

  @Property(seed = "20130405")
  void treatmentsComeBackEqual(
      @ForAll("instructions") List<Instruction> immediate,
      @ForAll("instructions") List<Instruction> deferred,
      @ForAll boolean wipe,
      @ForAll boolean transition)
      throws UntranslatableException {
    TrafficTreatment.Builder builder = DefaultTrafficTreatment.builder();
    builder.immediate();
    immediate.forEach(builder::add);
    builder.deferred();
    deferred.forEach(builder::add);
    if (wipe) {
      builder.wipeDeferred();
    }
    if (transition) {
      builder.transition(200).writeMetadata(5, 0xffL);
    }
    TrafficTreatment treatment = builder.build();
    List<OFInstruction> instructions = TreatmentTranslation.toInstructions(treatment, OF);
    OFFlowStatsReply reply = throughTheWire(OF.matchWildcardAll(), instructions);
    assertThat(TreatmentTranslation.toTreatment(reply.getEntries().get(0).getInstructions()))
        .isEqualTo(treatment);
  }

  private static OFFlowStatsReply throughTheWire(Match match, List<OFInstruction> instructions) {
    ByteBuf bytes = Unpooled.buffer();
    MessageEncoder.encode(
        OF.buildFlowStatsReply()
            .setXid(1)
            .setEntries(
                List.of(
                    OF.buildFlowStatsEntry().setMatch(match).setInstructions(instructions).build()))
            .build(),
        bytes);
    MessageDecoder decoder = new MessageDecoder();
    decoder.negotiated(OFVersion.OF_13);
    EmbeddedChannel channel = new EmbeddedChannel(decoder);
    channel.writeInbound(bytes);
    OFFlowStatsReply reply = channel.readInbound();
    channel.finish();
    return reply;
  }

  @Provide
  Arbitrary<List<Criterion>> criteria() {
    List<Arbitrary<Criterion>> kinds = new ArrayList<>();
    kinds.add(ports().map(Criteria::matchInPort));
    kinds.add(macs().map(Criteria::matchEthSrc));
    kinds.add(macs().map(Criteria::matchEthDst));
    kinds.add(
        Arbitraries.integers()
            .between(1, 47)
            .map(
                bits -> {
                  long mask = 0xffff_ffff_ffffL << bits & 0xffff_ffff_ffffL;
                  return Criteria.matchEthDstMasked(
                      MacAddress.valueOf(0x02aabbccddeeL & mask), MacAddress.valueOf(mask));
                }));
    kinds.add(Arbitraries.integers().between(0x600, 0xffff).map(Criteria::matchEthType));
    kinds.add(
        Arbitraries.integers()
            .between(0, 4095)
            .map(id -> Criteria.matchVlanId(VlanId.vlanId(id.shortValue()))));
    kinds.add(Arbitraries.of(VlanId.NONE, VlanId.ANY).map(Criteria::matchVlanId));
    kinds.add(bytes(7).map(Criteria::matchVlanPcp));
    kinds.add(bytes(63).map(Criteria::matchIPDscp));
    kinds.add(bytes(3).map(Criteria::matchIPEcn));
    // openflowj has no object for protocol 255, which is reserved.
    kinds.add(shorts(254).map(Criteria::matchIPProtocol));
    kinds.add(prefixes4().map(Criteria::matchIPSrc));
    kinds.add(prefixes4().map(Criteria::matchIPDst));
    kinds.add(prefixes6().map(Criteria::matchIPv6Src));
    kinds.add(prefixes6().map(Criteria::matchIPv6Dst));
    kinds.add(tpPorts().map(Criteria::matchTcpSrc));
    kinds.add(tpPorts().map(Criteria::matchTcpDst));
    kinds.add(tpPorts().map(Criteria::matchUdpSrc));
    kinds.add(tpPorts().map(Criteria::matchUdpDst));
    kinds.add(tpPorts().map(Criteria::matchSctpSrc));
    kinds.add(tpPorts().map(Criteria::matchSctpDst));
    kinds.add(shorts(255).map(Criteria::matchIcmpType));
    kinds.add(shorts(255).map(Criteria::matchIcmpCode));
    kinds.add(shorts(255).map(Criteria::matchIcmpv6Type));
    kinds.add(shorts(255).map(Criteria::matchIcmpv6Code));
    kinds.add(Arbitraries.integers().between(0, 0xffff).map(Criteria::matchArpOp));
    kinds.add(Arbitraries.integers().map(ip -> Criteria.matchArpSpa(Ip4Address.valueOf(ip))));
    kinds.add(Arbitraries.integers().map(ip -> Criteria.matchArpTpa(Ip4Address.valueOf(ip))));
    kinds.add(macs().map(Criteria::matchArpSha));
    kinds.add(macs().map(Criteria::matchArpTha));
    kinds.add(Arbitraries.longs().map(Criteria::matchMetadata));
    // ETH_DST and ETH_DST_MASKED are one field of a match: only one of them at a time.
    return Arbitraries.oneOf(kinds).list().ofMaxSize(6).uniqueElements(RoundTripTest::fieldOf);
  }

  private static Object fieldOf(Criterion criterion) {
    return Set.of(Criterion.Type.ETH_DST, Criterion.Type.ETH_DST_MASKED).contains(criterion.type())
        ? "eth_dst"
        : criterion.type();
  }

  @Provide
  Arbitrary<List<Instruction>> instructions() {
    List<Arbitrary<Instruction>> kinds = new ArrayList<>();
    kinds.add(ports().map(Instructions::createOutput));
    kinds.add(
        Arbitraries.of(
                PortNumber.CONTROLLER,
                PortNumber.FLOOD,
                PortNumber.ALL,
                PortNumber.IN_PORT,
                PortNumber.TABLE,
                PortNumber.NORMAL,
                PortNumber.LOCAL)
            .map(Instructions::createOutput));
    kinds.add(
        Arbitraries.integers()
            .between(0, Integer.MAX_VALUE)
            .map(id -> Instructions.createGroup(new GroupId(id))));
    kinds.add(macs().map(Instructions::modL2Src));
    kinds.add(macs().map(Instructions::modL2Dst));
    kinds.add(
        Arbitraries.integers()
            .between(1, 4094)
            .map(id -> Instructions.modVlanId(VlanId.vlanId(id.shortValue()))));
    kinds.add(bytes(7).map(Instructions::modVlanPcp));
    kinds.add(Arbitraries.create(Instructions::popVlan));
    kinds.add(Arbitraries.create(Instructions::pushVlan));
    kinds.add(Arbitraries.create(Instructions::decNwTtl));
    kinds.add(ips4().map(Instructions::modL3Src));
    kinds.add(ips4().map(Instructions::modL3Dst));
    kinds.add(ips4().map(Instructions::modArpSpa));
    kinds.add(ips4().map(Instructions::modArpTpa));
    kinds.add(macs().map(Instructions::modArpSha));
    kinds.add(macs().map(Instructions::modArpTha));
    kinds.add(shorts(0x7fff).map(Instructions::modL3ArpOp));
    kinds.add(
        prefixes6()
            .map(
                prefix ->
                    Instructions.modL3IPv6Dst(
                        IpAddress.valueOf(IpAddress.Version.INET6, prefix.address().toOctets()))));
    kinds.add(bytes(63).map(Instructions::modIpDscp));
    kinds.add(tpPorts().map(Instructions::modTcpSrc));
    kinds.add(tpPorts().map(Instructions::modTcpDst));
    kinds.add(tpPorts().map(Instructions::modUdpSrc));
    kinds.add(tpPorts().map(Instructions::modUdpDst));
    return Arbitraries.oneOf(kinds).list().ofMaxSize(5);
  }

  private static Arbitrary<PortNumber> ports() {
    return Arbitraries.longs().between(1, 0xffff_ff00L).map(PortNumber::portNumber);
  }

  private static Arbitrary<MacAddress> macs() {
    return Arbitraries.longs().between(1, 0xffff_ffff_fffeL).map(MacAddress::valueOf);
  }

  private static Arbitrary<Byte> bytes(int max) {
    return Arbitraries.bytes().between((byte) 0, (byte) max);
  }

  private static Arbitrary<Short> shorts(int max) {
    return Arbitraries.shorts().between((short) 0, (short) max);
  }

  private static Arbitrary<TpPort> tpPorts() {
    return Arbitraries.integers().between(0, 0xffff).map(TpPort::tpPort);
  }

  private static Arbitrary<IpAddress> ips4() {
    return Arbitraries.integers().map(IpAddress::valueOf);
  }

  private static Arbitrary<Ip4Prefix> prefixes4() {
    return Arbitraries.integers()
        .between(1, 32)
        .flatMap(length -> Arbitraries.integers().map(value -> Ip4Prefix.valueOf(value, length)));
  }

  private static Arbitrary<Ip6Prefix> prefixes6() {
    return Arbitraries.integers()
        .between(1, 128)
        .flatMap(
            length ->
                Arbitraries.bytes()
                    .array(byte[].class)
                    .ofSize(16)
                    .map(value -> Ip6Prefix.valueOf(value, length)));
  }
}
