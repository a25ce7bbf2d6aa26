package io.lockstep.openflow.channel.translate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.openflow.codec.MessageDecoder;
import io.lockstep.openflow.codec.MessageEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.MacAddress;
import org.onlab.packet.TpPort;
import org.onlab.packet.VlanId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowStatsReply;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.U64;

/** What OpenFlow 1.0 can say, byte by byte, and what it cannot, by name. */
class Translation10Test {
  private static final OFFactory OF = OFFactories.getFactory(OFVersion.OF_10);
  private static final Dialect DIALECT = Dialect.of(OF);
  private static final short IPV4 = 0x800;
  private static final TrafficTreatment DROP = DefaultTrafficTreatment.emptyTreatment();

  private static TrafficSelector.Builder any() {
    return DefaultTrafficSelector.builder();
  }

  private static TrafficTreatment.Builder does() {
    return DefaultTrafficTreatment.builder();
  }

  private static FlowMod mod(TrafficSelector selector, TrafficTreatment treatment) {
    return mod(FlowMod.Operation.ADD, 0, 10, 0, selector, treatment);
  }

  private static FlowMod mod(
      FlowMod.Operation operation,
      int table,
      int priority,
      long cookieMask,
      TrafficSelector selector,
      TrafficTreatment treatment) {
    return new FlowMod(
        operation,
        table,
        priority,
        0xc0,
        cookieMask,
        5,
        60,
        true,
        PacketIn.NO_BUFFER,
        selector,
        treatment);
  }

  /** OpenFlow 1.0 section 5.3.3. */
  @Test
  void flowModHasTheSpecifiedBytes() throws UntranslatableException {
    TrafficSelector selector =
        any()
            .matchInPort(PortNumber.portNumber(1))
            .matchEthDst(MacAddress.valueOf("02:00:00:00:00:01"))
            .matchVlanId(VlanId.vlanId((short) 7))
            .matchEthType(IPV4)
            .matchIPDscp((byte) 46)
            .matchIPDst(IpPrefix.valueOf("10.1.0.0/16"))
            .build();
    TrafficTreatment treatment = does().setOutput(PortNumber.portNumber(2)).punt().build();
    ByteBuf out = Unpooled.buffer();
    MessageEncoder.encode(DIALECT.flowMod(mod(selector, treatment), 12), out);
    assertThat(ByteBufUtil.hexDump(out))
        .isEqualTo(
            "010e00580000000c" // header
                + wildcards()
                + "0001" // in_port
                + "000000000000" // dl_src
                + "020000000001" // dl_dst
                + "0007" // dl_vlan
                + "0000" // dl_vlan_pcp and padding
                + "0800" // dl_type
                + "b800" // nw_tos, nw_proto
                + "0000" // padding
                + "00000000" // nw_src
                + "0a010000" // nw_dst
                + "00000000" // tp_src, tp_dst
                + "00000000000000c0" // cookie
                + "0000" // add
                + "0005003c" // idle, hard
                + "000a" // priority
                + "ffffffff" // buffer
                + "ffff" // out port: none
                + "0001" // send flow removed
                + "0000000800020000" // output 2
                + "00000008fffdffff"); // output to the controller, whole frames
  }

  /**
   * dl_src, nw_proto, tp_src, tp_dst, all of nw_src, 16 bits of nw_dst and dl_vlan_pcp are open.
   */
  private static String wildcards() {
    int bits = 1 << 2 | 1 << 5 | 1 << 6 | 1 << 7 | 63 << 8 | 16 << 14 | 1 << 20;
    return String.format("%08x", bits);
  }

  @Test
  void whatASwitchSaysBackIsWhatWasAsked() throws UntranslatableException {
    Map<TrafficSelector, TrafficTreatment> rules =
        Map.of(
            any().build(),
            DROP,
            any().matchVlanId(VlanId.NONE).build(),
            does().setVlanId(VlanId.vlanId((short) 9)).setOutput(PortNumber.FLOOD).build(),
            any().matchVlanId(VlanId.vlanId((short) 3)).matchVlanPcp((byte) 5).build(),
            does().popVlan().setOutput(PortNumber.portNumber(0xfeff)).build(),
            any()
                .matchEthType(IPV4)
                .matchIPProtocol((byte) 6)
                .matchIPSrc(IpPrefix.valueOf("10.0.0.1/32"))
                .matchTcpSrc(TpPort.tpPort(65535))
                .matchTcpDst(TpPort.tpPort(80))
                .build(),
            does().setTcpDst(TpPort.tpPort(8080)).setOutput(PortNumber.IN_PORT).build(),
            any().matchEthType(IPV4).matchIPProtocol((byte) 17).build(),
            does().setUdpSrc(TpPort.tpPort(53)).setOutput(PortNumber.LOCAL).build(),
            any().matchEthType((short) 0x806).matchArpOp(2).build(),
            does().setEthDst(MacAddress.valueOf("02:00:00:00:00:09")).punt().build(),
            any().matchEthType((short) 0x806).matchArpTpa(Ip4Address.valueOf("10.0.0.7")).build(),
            does().setOutput(PortNumber.ALL).build());
    for (Map.Entry<TrafficSelector, TrafficTreatment> rule : rules.entrySet()) {
      FlowStats back = throughTheWire(mod(rule.getKey(), rule.getValue()));
      assertThat(back.selector()).isEqualTo(rule.getKey());
      assertThat(back.treatment()).isEqualTo(rule.getValue());
    }
  }

  /** An entry of this controller may be changed so, and is still there. */
  @Test
  void entryWithInexpressibleActionsIsReportedAsOne() throws UntranslatableException {
    FlowMod mod = mod(any().matchEthType(IPV4).build(), DROP);
    List<OFAction> queue = List.of(OF.actions().enqueue(OFPort.of(1), 3));
    FlowStats stats =
        throughTheWire(DIALECT.flowMod(mod, 1).createBuilder().setActions(queue).build());
    assertThat(stats.selector()).isEqualTo(mod.selector());
    assertThat(stats.treatment()).isSameAs(FlowStats.INEXPRESSIBLE);
  }

  private static FlowStats throughTheWire(FlowMod mod) throws UntranslatableException {
    return throughTheWire(DIALECT.flowMod(mod, 1));
  }

  private static FlowStats throughTheWire(OFFlowMod sent) throws UntranslatableException {
    ByteBuf bytes = Unpooled.buffer();
    MessageEncoder.encode(
        OF.buildFlowStatsReply()
            .setXid(1)
            .setEntries(
                List.of(
                    OF.buildFlowStatsEntry()
                        .setMatch(sent.getMatch())
                        .setActions(sent.getActions())
                        .setCookie(U64.of(1))
                        .build()))
            .build(),
        bytes);
    MessageDecoder decoder = new MessageDecoder();
    decoder.negotiated(OFVersion.OF_10);
    EmbeddedChannel channel = new EmbeddedChannel(decoder);
    channel.writeInbound(bytes);
    OFFlowStatsReply reply = channel.readInbound();
    channel.finish();
    return DIALECT.flowStats(reply.getEntries().get(0));
  }

  private static void refused(FlowMod mod, String... said) {
    assertThatExceptionOfType(UntranslatableException.class)
        .isThrownBy(() -> DIALECT.flowMod(mod, 1))
        .satisfies(e -> assertThat(e.getMessage()).contains(said).contains("OpenFlow 1.0"));
  }

  @Test
  void whatAMatchCannotSayIsRefusedByTheNameOfTheField() {
    refused(mod(any().matchMetadata(1).build(), DROP), "METADATA");
    refused(mod(any().matchVlanId(VlanId.ANY).build(), DROP), "VLAN_VID of any VLAN");
    refused(mod(any().matchEthType(IPV4).matchIPEcn((byte) 1).build(), DROP), "IP_ECN");
    refused(mod(any().matchIPv6Src(IpPrefix.valueOf("2001:db8::/32")).build(), DROP), "IPV6_SRC");
    refused(
        mod(
            any()
                .matchEthSrcMasked(
                    MacAddress.valueOf("02:00:00:00:00:00"),
                    MacAddress.valueOf("ff:00:00:00:00:00"))
                .build(),
            DROP),
        "ETH_SRC_MASKED");
  }

  /** A switch would ignore the field and match more than was asked (section 3.4). */
  @Test
  void fieldWithoutItsPrerequisiteIsRefused() {
    refused(mod(any().matchIPDst(IpPrefix.valueOf("10.0.0.1/32")).build(), DROP), "IPV4_DST");
    refused(mod(any().matchVlanPcp((byte) 1).build(), DROP), "VLAN_PCP", "VLAN id");
    refused(
        mod(any().matchEthType((short) 0x86dd).matchIPProtocol((byte) 6).build(), DROP),
        "IP_PROTO");
    refused(mod(any().matchEthType(IPV4).matchTcpDst(TpPort.tpPort(80)).build(), DROP), "TCP_DST");
    refused(mod(any().matchEthType(IPV4).matchIPDscp((byte) 1).matchArpOp(1).build(), DROP), "ARP");
  }

  @Test
  void whatActionsCannotSayIsRefusedByTheNameOfTheInstruction() {
    refused(mod(any().build(), does().transition(1).build()), "goto-table");
    refused(mod(any().build(), does().pushVlan().build()), "VLAN_PUSH");
    refused(mod(any().build(), does().decNwTtl().build()), "DEC_TTL");
    refused(
        mod(any().build(), does().deferred().setOutput(PortNumber.portNumber(1)).build()),
        "write-actions");
    refused(mod(any().build(), does().setTcpDst(TpPort.tpPort(1)).build()), "TCP_DST", "IP_PROTO");
    assertThatExceptionOfType(UntranslatableException.class)
        .isThrownBy(
            () ->
                DIALECT.flowMod(
                    mod(any().build(), does().setOutput(PortNumber.portNumber(0xff00)).build()), 1))
        .withMessageContaining("65280");
  }

  @Test
  void otherTablesAndDeletesByCookieAreRefused() {
    refused(mod(FlowMod.Operation.ADD, 3, 1, 0, any().build(), DROP), "table 3");
    refused(mod(FlowMod.Operation.DELETE, 0, 1, -1, any().build(), DROP), "cookie");
  }

  /** Section 3.4: an entry without wildcards wins over all others, whatever its priority. */
  @Test
  void matchOfAllFieldsHasTheHighestPriorityOrNone() throws UntranslatableException {
    TrafficSelector all =
        any()
            .matchInPort(PortNumber.portNumber(1))
            .matchEthSrc(MacAddress.valueOf("02:00:00:00:00:01"))
            .matchEthDst(MacAddress.valueOf("02:00:00:00:00:02"))
            .matchVlanId(VlanId.vlanId((short) 2))
            .matchVlanPcp((byte) 0)
            .matchEthType(IPV4)
            .matchIPDscp((byte) 0)
            .matchIPProtocol((byte) 6)
            .matchIPSrc(IpPrefix.valueOf("10.0.0.1/32"))
            .matchIPDst(IpPrefix.valueOf("10.0.0.2/32"))
            .matchTcpSrc(TpPort.tpPort(1))
            .matchTcpDst(TpPort.tpPort(2))
            .build();
    refused(mod(FlowMod.Operation.ADD, 0, 100, 0, all, DROP), "priority 100", "all fields");
    DIALECT.flowMod(mod(FlowMod.Operation.ADD, 0, 65535, 0, all, DROP), 1);
    DIALECT.flowMod(mod(FlowMod.Operation.DELETE_STRICT, 0, 100, -1, all, DROP), 1);
  }

  /** OpenFlow 1.0 section 5.3.6. */
  @Test
  void packetOutHasTheSpecifiedBytes() {
    PacketOut out =
        new PacketOut(
            PacketIn.NO_BUFFER,
            PortNumber.CONTROLLER,
            List.of(PortNumber.TABLE, PortNumber.portNumber(3)),
            new byte[] {1, 2});
    assertThat(DIALECT.sayable(out)).isTrue();
    ByteBuf bytes = DIALECT.packetOut(out, 5, ByteBufAllocator.DEFAULT);
    assertThat(ByteBufUtil.hexDump(bytes))
        .isEqualTo(
            "010d002200000005" // header
                + "ffffffff" // buffer
                + "ffff" // in_port: none
                + "0010" // length of the actions
                + "00000008fff90000" // output to the table
                + "0000000800030000" // output 3
                + "0102");
    bytes.release();
    PacketOut beyond =
        new PacketOut(
            0, PortNumber.CONTROLLER, List.of(PortNumber.portNumber(70_000)), new byte[0]);
    assertThat(DIALECT.sayable(beyond)).isFalse();
  }

  /** The frame says whether its ports are those of TCP or UDP. */
  @Test
  void treatmentOfAPacketSetsThePortOfItsOwnProtocolOnly() {
    TrafficTreatment treatment =
        DefaultTrafficTreatment.builder()
            .setTcpDst(TpPort.tpPort(80))
            .setOutput(PortNumber.portNumber(3))
            .build();
    byte[] tcp =
        ByteBufUtil.decodeHexDump(
            "000000000001"
                + "000000000002"
                + "81000005"
                + "0800"
                + "45000028"
                + "00000000"
                + "4006");
    PacketOut out = new PacketOut(PacketIn.NO_BUFFER, PortNumber.CONTROLLER, treatment, tcp);
    assertThat(DIALECT.sayable(out)).isTrue();
    ByteBuf bytes = DIALECT.packetOut(out, 5, ByteBufAllocator.DEFAULT);
    assertThat(ByteBufUtil.hexDump(bytes))
        .isEqualTo(
            "010d003c00000005" // header
                + "ffffffff" // buffer
                + "ffff" // in_port: none
                + "0010" // length of the actions
                + "000a000800500000" // set_tp_dst 80
                + "0000000800030000" // output 3
                + ByteBufUtil.hexDump(tcp));
    bytes.release();
    byte[] udp = tcp.clone();
    udp[udp.length - 1] = 17;
    for (byte[] other : new byte[][] {udp, Arrays.copyOf(tcp, 20), new byte[14]}) {
      PacketOut refused =
          new PacketOut(PacketIn.NO_BUFFER, PortNumber.CONTROLLER, treatment, other);
      assertThat(DIALECT.sayable(refused)).isFalse();
    }
  }

  /** OpenFlow 1.0 section 5.4.1. */
  @Test
  void packetInIsReadFromItsBytes() {
    ByteBuf frame =
        Unpooled.wrappedBuffer(
            ByteBufUtil.decodeHexDump(
                "010a001600000000" + "00000007" + "0040" + "fffe" + "0000" + "0a0b0c0d"));
    PacketIn packet =
        (PacketIn) Objects.requireNonNull(PacketInReader.read(OFVersion.OF_10, 10, frame));
    assertThat(packet.bufferId()).isEqualTo(7);
    assertThat(packet.totalLength()).isEqualTo(64);
    assertThat(packet.inPort()).isEqualTo(PortNumber.LOCAL);
    assertThat(packet.reason()).isEqualTo(PacketIn.Reason.NO_MATCH);
    assertThat(packet.data()).containsExactly(10, 11, 12, 13);
  }
}
