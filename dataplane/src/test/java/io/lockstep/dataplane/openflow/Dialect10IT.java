package io.lockstep.dataplane.openflow;

import static io.lockstep.dataplane.openflow.AgentFixture.QUICK;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.model.Protocol;
import io.lockstep.dataplane.network.Await;
import io.lockstep.dataplane.openflow.ScriptedController.Session;
import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.packet.Packet;
import io.lockstep.dataplane.packet.SampleFrames;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFBadActionCode;
import org.projectfloodlight.openflow.protocol.OFConfigFlags;
import org.projectfloodlight.openflow.protocol.OFDescStatsReply;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFeaturesReply;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowModFailedCode;
import org.projectfloodlight.openflow.protocol.OFFlowModFlags;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFFlowStatsReply;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPacketIn;
import org.projectfloodlight.openflow.protocol.OFPacketInReason;
import org.projectfloodlight.openflow.protocol.OFPortConfig;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFPortStatus;
import org.projectfloodlight.openflow.protocol.OFTableStatsReply;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.errormsg.OFBadActionErrorMsg;
import org.projectfloodlight.openflow.protocol.errormsg.OFFlowModFailedErrorMsg;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.IpDscp;
import org.projectfloodlight.openflow.types.IpProtocol;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.OFVlanVidMatch;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.TransportPort;
import org.projectfloodlight.openflow.types.U64;
import org.projectfloodlight.openflow.types.VlanVid;

/** The emulated switch as a switch of OpenFlow 1.0: sections of that specification. */
class Dialect10IT {
  private static final OFFactory OF = OFFactories.getFactory(OFVersion.OF_10);

  private final ScriptedController controller = new ScriptedController(OFVersion.OF_10);
  private final AgentFixture fixture =
      new AgentFixture(Protocol.OPENFLOW_10, QUICK, controller.address());
  private final Session session = controller.nextSession();

  @BeforeEach
  void portsAreUp() {
    fixture.only().inspect(model -> 0).join();
    session.barrier();
  }

  @AfterEach
  void close() {
    fixture.close();
    controller.close();
  }

  private static OFFlowMod.Builder fill(
      OFFlowMod.Builder mod, int priority, Match match, OFAction... actions) {
    return mod.setPriority(priority)
        .setCookie(U64.of(priority))
        .setBufferId(OFBufferId.NO_BUFFER)
        .setOutPort(OFPort.ANY)
        .setMatch(match)
        .setActions(List.of(actions));
  }

  private static OFFlowMod add(int priority, Match match, OFAction... actions) {
    return fill(OF.buildFlowAdd(), priority, match, actions).setXid(1).build();
  }

  private static OFAction output(int port) {
    return OF.actions().output(OFPort.of(port), 0xffff);
  }

  private static Match any() {
    return OF.matchWildcardAll();
  }

  private static Match from(int port) {
    return OF.buildMatch().setExact(MatchField.IN_PORT, OFPort.of(port)).build();
  }

  private List<OFFlowStatsEntry> flows() {
    return session
        .ask(
            OF.buildFlowStatsRequest()
                .setMatch(any())
                .setOutPort(OFPort.ANY)
                .setTableId(TableId.ALL),
            OFFlowStatsReply.class)
        .getEntries();
  }

  /** Section 5.3.1: the ports are among the features, and there is one table. */
  @Test
  void handshakeTellsWhatTheSwitchIs() {
    OFFeaturesReply features = session.ask(OF.buildFeaturesRequest(), OFFeaturesReply.class);
    assertThat(features.getDatapathId().getLong()).isEqualTo(1);
    assertThat(features.getNTables()).isEqualTo((short) 1);
    assertThat(features.getPorts())
        .extracting(port -> port.getPortNo().getPortNumber())
        .containsExactly(1, 2);
    OFDescStatsReply description = session.ask(OF.buildDescStatsRequest(), OFDescStatsReply.class);
    assertThat(description.getMfrDesc()).isEqualTo("Lockstep");
  }

  /** Section 3.4: without an entry the packet goes to the controller, miss_send_len of it. */
  @Test
  void packetThatMatchesNothingComesUpAsFarAsConfigured() {
    byte[] frame = SampleFrames.tcp(1000, 80);
    fixture.host(1).sendFrame(frame);
    OFPacketIn whole = packetIn(frame);
    assertThat(whole.getReason()).isEqualTo(OFPacketInReason.NO_MATCH);
    assertThat(whole.getInPort()).isEqualTo(OFPort.of(1));
    session.send(
        OF.buildSetConfig()
            .setXid(1)
            .setFlags(Set.of(OFConfigFlags.FRAG_NORMAL))
            .setMissSendLen(20)
            .build());
    session.barrier();
    fixture.host(1).sendFrame(frame);
    OFPacketIn cut = packetIn(frame);
    assertThat(cut.getData()).hasSize(20);
    assertThat(cut.getBufferId()).isNotEqualTo(OFBufferId.NO_BUFFER);
    long before = fixture.host(2).framesIn();
    session.send(
        OF.buildPacketOut()
            .setXid(2)
            .setBufferId(cut.getBufferId())
            .setInPort(OFPort.of(1))
            .setActions(List.of(output(2)))
            .build());
    session.barrier();
    Await.until("the host has the packet", () -> fixture.host(2).framesIn() == before + 1);
  }

  /** The next packet-in of a frame, or of its beginning: hosts announce themselves by others. */
  private OFPacketIn packetIn(byte[] frame) {
    return session.await(
        OFPacketIn.class,
        packet -> Arrays.equals(packet.getData(), Arrays.copyOf(frame, packet.getData().length)));
  }

  /** Section 4.6: a modify that finds nothing adds, one that finds changes the actions. */
  @Test
  void modifyAddsWhereNothingMatches() {
    session.send(fill(OF.buildFlowModifyStrict(), 5, from(1), output(2)).setXid(1).build());
    assertThat(flows()).hasSize(1);
    session.send(fill(OF.buildFlowModify(), 7, any(), output(1)).setXid(1).build());
    assertThat(flows())
        .singleElement()
        .satisfies(
            flow -> {
              assertThat(flow.getPriority()).isEqualTo(5);
              assertThat(flow.getActions()).containsExactly(output(1));
            });
  }

  /** Section 3.4: an entry that leaves nothing open wins over every priority. */
  @Test
  void exactEntryWinsOverAllPriorities() {
    session.send(add(0xffff, any(), output(2)));
    Match exact =
        OF.buildMatchV1()
            .setWildcards(0)
            .setInPort(OFPort.of(1))
            .setEthSrc(MacAddress.of(SampleFrames.MAC_A.value()))
            .setEthDst(MacAddress.BROADCAST)
            .setVlanVid(OFVlanVidMatch.UNTAGGED)
            .setEthType(EthType.ARP)
            .setIpProto(IpProtocol.of((short) 1))
            .setIpv4Src(IPv4Address.of(SampleFrames.IP_A.value()))
            .setIpv4Dst(IPv4Address.of(SampleFrames.IP_B.value()))
            .build();
    session.send(add(1, exact, OF.actions().output(OFPort.CONTROLLER, 0xffff)));
    assertThat(flows().get(1).getPriority()).isEqualTo(1);
    fixture.host(1).sendFrame(SampleFrames.arp());
    OFPacketIn packet =
        session.await(OFPacketIn.class, each -> Arrays.equals(each.getData(), SampleFrames.arp()));
    assertThat(packet.getReason()).isEqualTo(OFPacketInReason.ACTION);
  }

  @Test
  void matchesAndActionsComeBackAsTheyWereSent() {
    Match match =
        OF.buildMatch()
            .setExact(MatchField.ETH_TYPE, EthType.IPv4)
            .setExact(MatchField.IP_DSCP, IpDscp.of((byte) 46))
            .build();
    Match tagged = OF.buildMatch().setExact(MatchField.VLAN_VID, OFVlanVidMatch.ofVlan(9)).build();
    OFAction[] edits = {
      OF.actions().setVlanVid(VlanVid.ofVlan(3)), OF.actions().stripVlan(), output(2)
    };
    session.send(add(1, match, output(2)));
    session.send(add(2, tagged, edits));
    List<OFFlowStatsEntry> flows = flows();
    assertThat(flows.get(0).getMatch()).isEqualTo(match);
    assertThat(flows.get(1).getMatch()).isEqualTo(tagged);
    assertThat(flows.get(1).getActions()).containsExactly(edits);
  }

  /** Section 5.4.4. */
  @Test
  void errorsHaveTheNumbersOf10() {
    for (int i = 1; i <= 3; i++) {
      session.send(add(i, from(i), output(2)));
    }
    OFFlowModFailedErrorMsg full =
        session.ask(fill(OF.buildFlowAdd(), 4, from(4), output(2)), OFFlowModFailedErrorMsg.class);
    assertThat(full.getCode()).isEqualTo(OFFlowModFailedCode.ALL_TABLES_FULL);
    OFFlowModFailedErrorMsg overlap =
        session.ask(
            fill(OF.buildFlowAdd(), 1, any(), output(2))
                .setFlags(EnumSet.of(OFFlowModFlags.CHECK_OVERLAP)),
            OFFlowModFailedErrorMsg.class);
    assertThat(overlap.getCode()).isEqualTo(OFFlowModFailedCode.OVERLAP);
    OFBadActionErrorMsg port =
        session.ask(fill(OF.buildFlowAdd(), 1, from(1), output(77)), OFBadActionErrorMsg.class);
    assertThat(port.getCode()).isEqualTo(OFBadActionCode.BAD_OUT_PORT);
  }

  @Test
  void tableStatisticsShowTheCapacity() {
    session.send(add(1, any(), output(2)));
    assertThat(session.ask(OF.buildTableStatsRequest(), OFTableStatsReply.class).getEntries())
        .singleElement()
        .satisfies(
            table -> {
              assertThat(table.getMaxEntries()).isEqualTo(3);
              assertThat(table.getActiveCount()).isEqualTo(1);
            });
  }

  @Test
  void removedEntriesAreTold() {
    session.send(
        fill(OF.buildFlowAdd(), 6, from(1), output(2))
            .setFlags(EnumSet.of(OFFlowModFlags.SEND_FLOW_REM))
            .setXid(1)
            .build());
    session.send(fill(OF.buildFlowDelete(), 0, any()).setXid(1).build());
    OFFlowRemoved removed = session.await(OFFlowRemoved.class);
    assertThat(removed.getPriority()).isEqualTo(6);
    assertThat(removed.getMatch()).isEqualTo(from(1));
  }

  /**
   * Section 3.3, table 5: setting a VLAN adds a tag where there is none; stripping none is fine.
   */
  @Test
  void packetOutTagsAndStrips() {
    session.send(add(1, any(), OF.actions().output(OFPort.CONTROLLER, 0xffff)));
    session.barrier();
    byte[] untagged = SampleFrames.tcp(1000, 80);
    byte[] tagged = SampleFrames.tagged(untagged, 3, 0);
    OFAction set = OF.actions().setVlanVid(VlanVid.ofVlan(3));
    OFAction strip = OF.actions().stripVlan();
    OFAction port = OF.actions().setTpDst(TransportPort.of(81));
    assertThat(sentBack(untagged, set)).isEqualTo(tagged);
    assertThat(sentBack(SampleFrames.tagged(untagged, 9, 5), set))
        .isEqualTo(SampleFrames.tagged(untagged, 3, 5));
    assertThat(sentBack(tagged, strip)).isEqualTo(untagged);
    assertThat(sentBack(untagged, strip)).isEqualTo(untagged);
    assertThat(sentBack(untagged, port)).isEqualTo(SampleFrames.tcp(1000, 81));
  }

  /** What a packet-out makes of a frame: its last action sends it up to the controller. */
  private byte[] sentBack(byte[] frame, OFAction action) {
    session.send(
        OF.buildPacketOut()
            .setXid(3)
            .setBufferId(OFBufferId.NO_BUFFER)
            .setInPort(OFPort.of(2))
            .setActions(List.of(action, OF.actions().output(OFPort.CONTROLLER, 0xffff)))
            .setData(frame)
            .build());
    return session
        .await(OFPacketIn.class, packet -> packet.getInPort().equals(OFPort.of(2)) && isTcp(packet))
        .getData();
  }

  private static boolean isTcp(OFPacketIn packet) {
    return packet.getData().length >= SampleFrames.tcp(1000, 80).length
        && new Packet(packet.getData(), 1).has(OxmField.TCP_SRC);
  }

  /** Section 5.2.1: a port that is left out of floods says so. */
  @Test
  void portsAreLeftOutOfFloods() {
    OFPortDesc port =
        session.ask(OF.buildFeaturesRequest(), OFFeaturesReply.class).getPorts().get(1);
    session.send(
        OF.buildPortMod()
            .setXid(1)
            .setPortNo(port.getPortNo())
            .setHwAddr(port.getHwAddr())
            .setConfig(EnumSet.of(OFPortConfig.NO_FLOOD))
            .setMask(EnumSet.of(OFPortConfig.NO_FLOOD))
            .build());
    session.await(
        OFPortStatus.class, each -> each.getDesc().getConfig().contains(OFPortConfig.NO_FLOOD));
    long before = fixture.host(2).framesIn();
    session.send(flood(OFPort.FLOOD));
    session.barrier();
    session.send(flood(OFPort.ALL));
    session.barrier();
    Await.until("the host has the second", () -> fixture.host(2).framesIn() > before);
    assertThat(fixture.host(2).framesIn()).isEqualTo(before + 1);
  }

  private static OFMessage flood(OFPort to) {
    return OF.buildPacketOut()
        .setXid(4)
        .setBufferId(OFBufferId.NO_BUFFER)
        .setInPort(OFPort.of(1))
        .setActions(List.of(OF.actions().output(to, 0xffff)))
        .setData(SampleFrames.tcp(1000, 80))
        .build();
  }

  @Test
  void portsAreConfiguredAndTellIt() {
    OFPortDesc port =
        session.ask(OF.buildFeaturesRequest(), OFFeaturesReply.class).getPorts().get(0);
    session.send(
        OF.buildPortMod()
            .setXid(1)
            .setPortNo(port.getPortNo())
            .setHwAddr(port.getHwAddr())
            .setConfig(EnumSet.of(OFPortConfig.NO_PACKET_IN))
            .setMask(EnumSet.of(OFPortConfig.NO_PACKET_IN))
            .build());
    OFPortStatus status =
        session.await(
            OFPortStatus.class,
            each -> each.getDesc().getConfig().contains(OFPortConfig.NO_PACKET_IN));
    assertThat(status.getDesc().getPortNo()).isEqualTo(OFPort.of(1));
  }
}
