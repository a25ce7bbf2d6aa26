package io.lockstep.openflow.channel.translate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.PacketIn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.MacAddress;
import org.onlab.packet.MplsLabel;
import org.onlab.packet.VlanId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.criteria.Criteria;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.protocol.instruction.OFInstruction;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.OFVlanVidMatch;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

class TranslationTest {
  private static final OFFactory OF = OFFactories.getFactory(OFVersion.OF_13);
  private static final TrafficTreatment DROP = DefaultTrafficTreatment.builder().drop().build();

  private static FlowMod mod(
      FlowMod.Operation operation, TrafficSelector selector, TrafficTreatment treatment) {
    return new FlowMod(
        operation, 0, 10, 1, 0, 0, 0, false, PacketIn.NO_BUFFER, selector, treatment);
  }

  private static TrafficSelector selector(String prefix) {
    return DefaultTrafficSelector.builder()
        .matchEthType((short) 0x800)
        .matchIPDst(IpPrefix.valueOf(prefix))
        .build();
  }

  /** OpenFlow 1.3.5 section 7.3.4.1, checked against the bytes of openflowj and the text. */
  @Test
  void flowModHasTheSpecifiedBytes() throws UntranslatableException {
    TrafficSelector selector =
        DefaultTrafficSelector.builder()
            .matchInPort(PortNumber.portNumber(1))
            .matchEthDst(MacAddress.valueOf("02:00:00:00:00:01"))
            .build();
    TrafficTreatment treatment =
        DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(2)).build();
    FlowMod add =
        new FlowMod(
            FlowMod.Operation.ADD,
            3,
            100,
            0xc0,
            0,
            5,
            60,
            true,
            PacketIn.NO_BUFFER,
            selector,
            treatment);
    ByteBuf out = Unpooled.buffer();
    FlowTranslation.toMessage(add, 12, OF).writeTo(out);
    assertThat(ByteBufUtil.hexDump(out))
        .isEqualTo(
            "040e00600000000c" // header
                + "00000000000000c0" // cookie
                + "0000000000000000" // cookie mask
                + "0300" // table, add
                + "0005003c" // idle, hard
                + "0064" // priority
                + "ffffffff" // buffer
                + "ffffffffffffffff" // out port, out group: any
                + "00010000" // send flow removed
                + "00010016" // match of 22 bytes
                + "8000000400000001" // in_port 1
                + "80000606020000000001" // eth_dst
                + "0000" // padding
                + "0004001800000000" // apply actions
                + "0000001000000002" // output 2
                + "0000000000000000");
  }

  @Test
  void dropIsNoInstruction() throws UntranslatableException {
    assertThat(TreatmentTranslation.toInstructions(DROP, OF)).isEmpty();
    assertThat(TreatmentTranslation.toTreatment(List.of())).isEqualTo(DROP);
  }

  @Test
  void puntSendsTheWholeFrame() throws UntranslatableException {
    TrafficTreatment punt = DefaultTrafficTreatment.builder().punt().build();
    assertThat(TreatmentTranslation.toInstructions(punt, OF))
        .containsExactly(
            OF.instructions()
                .applyActions(List.of(OF.actions().output(OFPort.CONTROLLER, 0xffff))));
  }

  @Test
  void deleteIsRestrictedToTheOutputOfItsTreatment() throws UntranslatableException {
    TrafficTreatment toPort9 =
        DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(9)).build();
    TrafficSelector all = DefaultTrafficSelector.emptySelector();
    OFFlowMod delete =
        FlowTranslation.toMessage(mod(FlowMod.Operation.DELETE, all, toPort9), 1, OF);
    assertThat(delete.getOutPort()).isEqualTo(OFPort.of(9));
    assertThat(delete.getInstructions()).isEmpty();
    assertThat(
            FlowTranslation.toMessage(mod(FlowMod.Operation.DELETE, all, DROP), 1, OF).getOutPort())
        .isEqualTo(OFPort.ANY);
  }

  @Test
  void unsupportedCriterionIsRefusedByName() {
    TrafficSelector selector =
        DefaultTrafficSelector.builder().matchMplsLabel(MplsLabel.mplsLabel(5)).build();
    assertThatExceptionOfType(UntranslatableException.class)
        .isThrownBy(() -> MatchTranslation.toMatch(selector, OF))
        .withMessage("unsupported criterion MPLS_LABEL");
  }

  @Test
  void unsupportedInstructionIsRefusedByName() {
    TrafficTreatment treatment = DefaultTrafficTreatment.builder().setQueue(1).build();
    assertThatExceptionOfType(UntranslatableException.class)
        .isThrownBy(() -> TreatmentTranslation.toInstructions(treatment, OF))
        .withMessage("unsupported instruction QUEUE");
    TrafficTreatment mpls = DefaultTrafficTreatment.builder().pushMpls().build();
    assertThatExceptionOfType(UntranslatableException.class)
        .isThrownBy(() -> TreatmentTranslation.toInstructions(mpls, OF))
        .withMessageContaining("MPLS_PUSH");
  }

  @Test
  void valueOutOfRangeIsRefused() {
    TrafficSelector selector =
        DefaultTrafficSelector.builder()
            .add(Criteria.matchIPSrc(IpPrefix.valueOf("fe80::/10")))
            .build();
    assertThatExceptionOfType(UntranslatableException.class)
        .isThrownBy(() -> MatchTranslation.toMatch(selector, OF))
        .withMessageContaining("not an IPv4 prefix");
    FlowMod priority =
        new FlowMod(
            FlowMod.Operation.ADD,
            0,
            70_000,
            0,
            0,
            0,
            0,
            false,
            PacketIn.NO_BUFFER,
            selector("10.0.0.0/8"),
            DROP);
    assertThatExceptionOfType(UntranslatableException.class)
        .isThrownBy(() -> FlowTranslation.toMessage(priority, 1, OF))
        .withMessage("priority 70000 is not in 0..65535");
  }

  /** An entry of this controller may be changed so, and is still there. */
  @Test
  void entryWithInexpressibleActionsIsReportedAsOne() throws UntranslatableException {
    List<OFInstruction> queue =
        List.of(OF.instructions().applyActions(List.of(OF.actions().setQueue(3))));
    List<OFInstruction> meter = List.of(OF.instructions().meter(1));
    for (List<OFInstruction> instructions : List.of(queue, meter)) {
      FlowStats stats =
          FlowTranslation.toStats(
              OF.buildFlowStatsEntry()
                  .setTableId(TableId.of(1))
                  .setPriority(9)
                  .setCookie(U64.of(7))
                  .setMatch(MatchTranslation.toMatch(selector("10.0.0.0/8"), OF))
                  .setInstructions(instructions)
                  .build());
      assertThat(stats.priority()).isEqualTo(9);
      assertThat(stats.cookie()).isEqualTo(7);
      assertThat(stats.selector()).isEqualTo(selector("10.0.0.0/8"));
      assertThat(stats.treatment()).isSameAs(FlowStats.INEXPRESSIBLE);
    }
  }

  @Test
  void vlanCriteriaHaveThreeForms() throws UntranslatableException {
    for (VlanId vlan : List.of(VlanId.NONE, VlanId.ANY, VlanId.vlanId((short) 7))) {
      TrafficSelector selector = DefaultTrafficSelector.builder().matchVlanId(vlan).build();
      Match match = MatchTranslation.toMatch(selector, OF);
      assertThat(MatchTranslation.toSelector(match)).isEqualTo(selector);
    }
    Match oddIds =
        OF.buildMatch()
            .setMasked(
                MatchField.VLAN_VID,
                OFVlanVidMatch.ofRawVid((short) 0x1001),
                OFVlanVidMatch.ofRawVid((short) 0x1001))
            .build();
    assertThatExceptionOfType(UntranslatableException.class)
        .isThrownBy(() -> MatchTranslation.toSelector(oddIds));
  }

  @Test
  void maskThatIsNoPrefixIsRefused() {
    Match match =
        OF.buildMatch()
            .setMasked(
                MatchField.IPV4_SRC, IPv4Address.of("10.0.0.1"), IPv4Address.of("255.0.0.255"))
            .build();
    assertThatExceptionOfType(UntranslatableException.class)
        .isThrownBy(() -> MatchTranslation.toSelector(match))
        .withMessageContaining("255.0.0.255");
  }

  @Test
  void prefixOfLengthZeroSaysNothing() throws UntranslatableException {
    assertThat(MatchTranslation.toSelector(MatchTranslation.toMatch(selector("0.0.0.0/0"), OF)))
        .isEqualTo(DefaultTrafficSelector.builder().matchEthType((short) 0x800).build());
  }

  @Test
  void reservedPortsKeepTheirMeaning() {
    assertThat(PortNumbers.toWire(PortNumber.CONTROLLER)).isEqualTo(0xfffffffd);
    assertThat(PortNumbers.toWire(PortNumber.FLOOD)).isEqualTo(0xfffffffb);
    for (PortNumber port :
        List.of(
            PortNumber.IN_PORT,
            PortNumber.TABLE,
            PortNumber.NORMAL,
            PortNumber.FLOOD,
            PortNumber.ALL,
            PortNumber.CONTROLLER,
            PortNumber.LOCAL,
            PortNumber.ANY)) {
      assertThat(PortNumbers.fromWire(PortNumbers.toWire(port))).isSameAs(port);
    }
    assertThat(PortNumbers.fromWire(5)).isSameAs(PortNumbers.fromWire(5));
    assertThat(PortNumbers.fromWire(0xffffff00)).isEqualTo(PortNumber.portNumber(0xffffff00L));
  }

  @Test
  void packetInIsReadLikeOpenflowjReadsIt() {
    ByteBuf frame = packetIn("0001000c8000000400000003" + "00000000");
    PacketIn read = read(frame);
    assertThat(read.bufferId()).isEqualTo(PacketIn.NO_BUFFER);
    assertThat(read.inPort()).isSameAs(PortNumbers.fromWire(3));
    assertThat(read.reason()).isEqualTo(PacketIn.Reason.ACTION);
    assertThat(read.tableId()).isEqualTo(1);
    assertThat(read.cookie()).isEqualTo(7);
    assertThat(read.totalLength()).isEqualTo(4);
    assertThat(read.data()).containsExactly(0xde, 0xad, 0xbe, 0xef);
  }

  @Test
  void packetInWithVendorFieldsIsRead() {
    // A Nicira register in front of in_port: openflowj would not know it.
    ByteBuf frame = packetIn("00010014" + "0001000400000009" + "8000000400000003" + "00000000");
    PacketIn read = read(frame);
    assertThat(read.inPort()).isEqualTo(PortNumber.portNumber(3));
  }

  @Test
  void packetInWithoutInPortOrWithALyingMatchIsRefused() {
    for (String match :
        List.of(
            "0001000400000000", // no field
            "0001000c8000000400000003" + "00000000".repeat(0), // padding missing: data too short
            "0001ffff8000000400000003",
            "00000000" + "00000000",
            "000100058000000400000003")) {
      ByteBuf frame = packetIn(match);
      frame.writerIndex(frame.writerIndex() - 6);
      assertThatExceptionOfType(RuntimeException.class)
          .as(match)
          .isThrownBy(() -> PacketInReader.read(OFVersion.OF_13, 10, frame));
    }
  }

  private static PacketIn read(ByteBuf frame) {
    return (PacketIn) Objects.requireNonNull(PacketInReader.read(OFVersion.OF_13, 10, frame));
  }

  private static ByteBuf packetIn(String matchHex) {
    return Unpooled.wrappedBuffer(
            ByteBufUtil.decodeHexDump(
                "040a002e0000000a"
                    + "ffffffff"
                    + "0004"
                    + "01"
                    + "01"
                    + "0000000000000007"
                    + matchHex
                    + "0000"
                    + "deadbeef"))
        .copy();
  }
}
