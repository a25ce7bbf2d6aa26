package io.lockstep.dataplane.openflow;

import static io.lockstep.dataplane.openflow.AgentFixture.OF;
import static io.lockstep.dataplane.openflow.AgentFixture.QUICK;
import static io.lockstep.dataplane.openflow.AgentFixture.add;
import static io.lockstep.dataplane.openflow.AgentFixture.any;
import static io.lockstep.dataplane.openflow.AgentFixture.error;
import static io.lockstep.dataplane.openflow.AgentFixture.output;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.network.Await;
import io.lockstep.dataplane.openflow.ScriptedController.Session;
import io.lockstep.dataplane.packet.SampleFrames;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFAggregateStatsReply;
import org.projectfloodlight.openflow.protocol.OFConfigFlags;
import org.projectfloodlight.openflow.protocol.OFDescStatsReply;
import org.projectfloodlight.openflow.protocol.OFEchoReply;
import org.projectfloodlight.openflow.protocol.OFErrorMsg;
import org.projectfloodlight.openflow.protocol.OFFeaturesReply;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFFlowModFlags;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFFlowRemovedReason;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFFlowStatsReply;
import org.projectfloodlight.openflow.protocol.OFGetConfigReply;
import org.projectfloodlight.openflow.protocol.OFGroupType;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPacketIn;
import org.projectfloodlight.openflow.protocol.OFPacketInReason;
import org.projectfloodlight.openflow.protocol.OFPortConfig;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFPortDescStatsReply;
import org.projectfloodlight.openflow.protocol.OFPortReason;
import org.projectfloodlight.openflow.protocol.OFPortState;
import org.projectfloodlight.openflow.protocol.OFPortStatsReply;
import org.projectfloodlight.openflow.protocol.OFPortStatus;
import org.projectfloodlight.openflow.protocol.OFTableFeaturesStatsReply;
import org.projectfloodlight.openflow.protocol.OFTableStatsReply;
import org.projectfloodlight.openflow.protocol.OFType;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.IpProtocol;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.OFVlanVidMatch;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.TransportPort;
import org.projectfloodlight.openflow.types.U64;

class SwitchAgentIT {
  private final ScriptedController controller = new ScriptedController();
  private final AgentFixture fixture = new AgentFixture(QUICK, controller.address());
  private final Session session = controller.nextSession();

  @BeforeEach
  void portsAreUp() {
    // Links come up when the network starts; the notices may reach this session or precede it.
    fixture.only().inspect(model -> 0).join();
    ProfiledSwitchSteps.awaitAnnouncements(fixture.network);
    session.barrier();
  }

  @AfterEach
  void close() {
    fixture.close();
    controller.close();
  }

  @Test
  void handshakeTellsWhatTheSwitchIs() {
    OFFeaturesReply features = session.ask(OF.buildFeaturesRequest(), OFFeaturesReply.class);
    assertThat(features.getDatapathId().getLong()).isEqualTo(1);
    assertThat(features.getNTables()).isEqualTo((short) 4);
    assertThat(features.getNBuffers()).isEqualTo(256);
    OFDescStatsReply description = session.ask(OF.buildDescStatsRequest(), OFDescStatsReply.class);
    assertThat(description.getMfrDesc()).isEqualTo("Lockstep");
    List<OFPortDesc> ports =
        session.ask(OF.buildPortDescStatsRequest(), OFPortDescStatsReply.class).getEntries();
    assertThat(ports).extracting(port -> port.getPortNo().getPortNumber()).containsExactly(1, 2);
    assertThat(ports).allMatch(port -> port.getState().contains(OFPortState.LIVE));
    assertThat(ports.get(0).getName()).isEqualTo("s1-1");
  }

  @Test
  void configurationIsKept() {
    session.send(
        OF.buildSetConfig()
            .setXid(1)
            .setFlags(Set.of(OFConfigFlags.FRAG_NORMAL))
            .setMissSendLen(99)
            .build());
    OFGetConfigReply config = session.ask(OF.buildGetConfigRequest(), OFGetConfigReply.class);
    assertThat(config.getMissSendLen()).isEqualTo(99);
    assertThat(
            error(
                session.ask(
                    OF.buildSetConfig()
                        .setFlags(Set.of(OFConfigFlags.FRAG_DROP))
                        .setMissSendLen(1))))
        .isEqualTo("SWITCH_CONFIG_FAILED 0");
  }

  @Test
  void echoGoesBothWays() {
    byte[] data = {1, 2, 3};
    assertThat(session.ask(OF.buildEchoRequest().setData(data), OFEchoReply.class).getData())
        .isEqualTo(data);
  }

  @Test
  void missesComeAsPacketInsAndGoOutByPacketOut() {
    session.ask(OF.buildBarrierRequest());
    session.send(add(0, any(), output(OFPort.CONTROLLER)).setXid(1).build());
    session.barrier();
    fixture.host(1).sendFrame(SampleFrames.arp());
    OFPacketIn packetIn = session.await(OFPacketIn.class);
    assertThat(packetIn.getReason()).isEqualTo(OFPacketInReason.NO_MATCH);
    assertThat(packetIn.getMatch().get(MatchField.IN_PORT)).isEqualTo(OFPort.of(1));
    assertThat(packetIn.getData()).isEqualTo(SampleFrames.arp());
    assertThat(packetIn.getBufferId()).isEqualTo(OFBufferId.NO_BUFFER);
    assertThat(packetIn.getCookie()).isEqualTo(U64.of(0));
    long before = fixture.host(2).framesIn();
    session.send(
        OF.buildPacketOut()
            .setXid(2)
            .setBufferId(OFBufferId.NO_BUFFER)
            .setInPort(OFPort.CONTROLLER)
            .setActions(List.of(output(OFPort.of(2))))
            .setData(packetIn.getData())
            .build());
    session.barrier();
    Await.until("the frame at h2", () -> fixture.host(2).framesIn() > before);
  }

  @Test
  void shortPacketInsNameABufferThatAPacketOutUses() {
    session.send(add(0, any(), OF.actions().output(OFPort.CONTROLLER, 30)).setXid(1).build());
    session.barrier();
    fixture.host(1).sendFrame(SampleFrames.arp());
    OFPacketIn packetIn = session.await(OFPacketIn.class);
    assertThat(packetIn.getData()).hasSize(30);
    assertThat(packetIn.getTotalLen()).isEqualTo(60);
    long before = fixture.host(2).framesIn();
    OFMessage.Builder out =
        OF.buildPacketOut()
            .setBufferId(packetIn.getBufferId())
            .setInPort(OFPort.of(1))
            .setActions(List.of(output(OFPort.of(2))));
    session.send(out.setXid(5).build());
    assertThat(error(session.ask(out))).isEqualTo("BAD_REQUEST 8");
    Await.until("the frame at h2", () -> fixture.host(2).framesIn() > before);
  }

  @Test
  void flowsAreReportedAsTheyWereSent() {
    Match match =
        OF.buildMatch()
            .setExact(MatchField.IN_PORT, OFPort.of(1))
            .setExact(MatchField.ETH_TYPE, EthType.IPv4)
            .setMasked(MatchField.IPV4_SRC, IPv4Address.of("10.0.0.0"), IPv4Address.of("255.0.0.0"))
            .setExact(MatchField.IP_PROTO, IpProtocol.TCP)
            .setExact(MatchField.TCP_DST, TransportPort.of(80))
            .setExact(MatchField.VLAN_VID, OFVlanVidMatch.ofVlan(7))
            .build();
    OFMessage added =
        add(
                9,
                match,
                OF.actions().setField(OF.oxms().ethDst(MacAddress.of(5))),
                OF.actions().popVlan(),
                OF.actions().decNwTtl(),
                output(OFPort.of(2)))
            .setXid(1)
            .setIdleTimeout(30)
            .setHardTimeout(60)
            .setFlags(Set.of(OFFlowModFlags.SEND_FLOW_REM))
            .build();
    session.send(added);
    session.barrier();
    fixture.clock.advance(Duration.ofMillis(2500));
    OFFlowStatsReply reply = session.ask(flowStats(any()), OFFlowStatsReply.class);
    OFFlowStatsEntry entry = reply.getEntries().get(0);
    assertThat(reply.getEntries()).hasSize(1);
    assertThat(entry.getMatch()).isEqualTo(match);
    assertThat(entry.getPriority()).isEqualTo(9);
    assertThat(entry.getIdleTimeout()).isEqualTo(30);
    assertThat(entry.getHardTimeout()).isEqualTo(60);
    assertThat(entry.getDurationSec()).isEqualTo(2);
    assertThat(entry.getDurationNsec()).isEqualTo(500_000_000);
    assertThat(entry.getFlags()).containsExactly(OFFlowModFlags.SEND_FLOW_REM);
    assertThat(entry.getInstructions()).isEqualTo(((OFFlowAdd) added).getInstructions());
  }

  private static OFMessage.Builder flowStats(Match match) {
    return OF.buildFlowStatsRequest()
        .setTableId(TableId.ALL)
        .setOutPort(OFPort.ANY)
        .setOutGroup(OFGroup.ANY)
        .setCookie(U64.ZERO)
        .setCookieMask(U64.ZERO)
        .setMatch(match);
  }

  @Test
  void countersAreReportedPerFlowTableAndPort() {
    session.send(add(1, any(), output(OFPort.of(2))).setXid(1).build());
    session.barrier();
    fixture.host(1).sendFrame(SampleFrames.arp());
    Await.until("the frame in the counters", () -> aggregate().getPacketCount().getValue() >= 1);
    assertThat(aggregate().getFlowCount()).isEqualTo(1);
    assertThat(aggregate().getByteCount().getValue())
        .isEqualTo(60 * aggregate().getPacketCount().getValue());
    OFTableStatsReply tables = session.ask(OF.buildTableStatsRequest(), OFTableStatsReply.class);
    assertThat(tables.getEntries()).hasSize(4);
    assertThat(tables.getEntries().get(0).getActiveCount()).isEqualTo(1);
    assertThat(tables.getEntries().get(0).getMatchedCount().getValue()).isPositive();
    OFPortStatsReply ports =
        session.ask(OF.buildPortStatsRequest().setPortNo(OFPort.of(1)), OFPortStatsReply.class);
    assertThat(ports.getEntries()).hasSize(1);
    assertThat(ports.getEntries().get(0).getRxPackets().getValue()).isPositive();
    assertThat(error(session.ask(OF.buildPortStatsRequest().setPortNo(OFPort.of(9)))))
        .isEqualTo("BAD_REQUEST 11");
  }

  private OFAggregateStatsReply aggregate() {
    return session.ask(
        OF.buildAggregateStatsRequest()
            .setTableId(TableId.ALL)
            .setOutPort(OFPort.ANY)
            .setOutGroup(OFGroup.ANY)
            .setCookie(U64.ZERO)
            .setCookieMask(U64.ZERO)
            .setMatch(any()),
        OFAggregateStatsReply.class);
  }

  @Test
  void tableFeaturesAreReadableAndFixed() {
    OFTableFeaturesStatsReply reply =
        session.ask(
            OF.buildTableFeaturesStatsRequest().setEntries(List.of()),
            OFTableFeaturesStatsReply.class);
    assertThat(reply.getEntries()).hasSize(1);
    assertThat(reply.getEntries().get(0).getName()).isEqualTo("table0");
    assertThat(reply.getEntries().get(0).getMaxEntries()).isEqualTo(3);
    assertThat(reply.getEntries().get(0).getProperties()).hasSize(8);
    assertThat(reply.getFlags()).isNotEmpty(); // the other tables follow
  }

  @Test
  void expiredFlowIsAnnounced() {
    session.send(
        add(4, any(), output(OFPort.of(2)))
            .setXid(1)
            .setIdleTimeout(5)
            .setFlags(Set.of(OFFlowModFlags.SEND_FLOW_REM))
            .build());
    session.barrier();
    fixture.clock.advance(Duration.ofSeconds(6));
    OFFlowRemoved removed = session.await(OFFlowRemoved.class);
    assertThat(removed.getReason()).isEqualTo(OFFlowRemovedReason.IDLE_TIMEOUT);
    assertThat(removed.getPriority()).isEqualTo(4);
    assertThat(removed.getCookie()).isEqualTo(U64.of(4));
    assertThat(removed.getMatch()).isEqualTo(any());
  }

  @Test
  void linkChangesAndPortModsAreAnnounced() {
    fixture.network.moveHost("h2", "s1", 7);
    OFPortStatus down =
        session.await(
            OFPortStatus.class, status -> status.getDesc().getPortNo().equals(OFPort.of(2)));
    assertThat(down.getDesc().getState()).contains(OFPortState.LINK_DOWN);
    OFPortStatus added =
        session.await(
            OFPortStatus.class, status -> status.getDesc().getPortNo().equals(OFPort.of(7)));
    assertThat(added.getReason()).isEqualTo(OFPortReason.ADD);
    OFPortStatus up = session.await(OFPortStatus.class);
    assertThat(up.getReason()).isEqualTo(OFPortReason.MODIFY);
    assertThat(up.getDesc().getState()).contains(OFPortState.LIVE);
    session.send(
        OF.buildPortMod()
            .setXid(3)
            .setPortNo(OFPort.of(1))
            .setHwAddr(MacAddress.of(0x0e00_0001_0001L))
            .setConfig(Set.of(OFPortConfig.PORT_DOWN))
            .setMask(Set.of(OFPortConfig.PORT_DOWN))
            .setAdvertise(0)
            .build());
    OFPortStatus configured =
        session.await(
            OFPortStatus.class, status -> status.getDesc().getPortNo().equals(OFPort.of(1)));
    assertThat(configured.getDesc().getConfig()).containsExactly(OFPortConfig.PORT_DOWN);
  }

  /** Each request that cannot be done gets its own error, with its xid, and nothing else breaks. */
  @Test
  void errorsNameTheirReasons() {
    assertThat(error(session.ask(add(1, any(), output(OFPort.of(99)))))).isEqualTo("BAD_ACTION 4");
    assertThat(error(session.ask(add(1, any(), output(OFPort.of(1))).setTableId(TableId.of(77)))))
        .isEqualTo("FLOW_MOD_FAILED 2");
    Match noPrerequisite =
        OF.buildMatch().setExact(MatchField.TCP_DST, TransportPort.of(80)).build();
    assertThat(error(session.ask(add(1, noPrerequisite, output(OFPort.of(1))))))
        .isEqualTo("BAD_MATCH 9");
    Match unknownField = OF.buildMatch().setExact(MatchField.TUNNEL_ID, U64.of(1)).build();
    assertThat(error(session.ask(add(1, unknownField, output(OFPort.of(1))))))
        .isEqualTo("BAD_MATCH 6");
    assertThat(error(session.ask(add(1, any(), OF.actions().group(OFGroup.of(1))))))
        .isEqualTo("BAD_ACTION 0");
    assertThat(
            error(session.ask(add(1, any()).setInstructions(List.of(OF.instructions().meter(1))))))
        .isEqualTo("BAD_INSTRUCTION 1");
    assertThat(
            error(
                session.ask(
                    add(1, any())
                        .setInstructions(List.of(OF.instructions().gotoTable(TableId.of(9)))))))
        .isEqualTo("BAD_INSTRUCTION 2");
    assertThat(
            error(
                session.ask(
                    OF.buildGroupAdd()
                        .setGroup(OFGroup.of(1))
                        .setGroupType(OFGroupType.ALL)
                        .setBuckets(List.of()))))
        .isEqualTo("BAD_REQUEST 1");
    assertThat(error(session.ask(OF.buildGroupDescStatsRequest()))).isEqualTo("BAD_REQUEST 2");
    assertThat(
            error(
                session.ask(
                    OF.buildPortMod()
                        .setPortNo(OFPort.of(1))
                        .setHwAddr(MacAddress.of(1))
                        .setConfig(Set.of())
                        .setMask(Set.of())
                        .setAdvertise(0))))
        .isEqualTo("PORT_MOD_FAILED 1");
    for (int priority = 1; priority <= 3; priority++) {
      session.send(add(priority, any(), output(OFPort.of(1))).setXid(1).build());
    }
    assertThat(error(session.ask(add(4, any(), output(OFPort.of(1))))))
        .isEqualTo("FLOW_MOD_FAILED 1");
    assertThat(fixture.only().counters().errorsSent()).isEqualTo(11);
  }

  /** An unknown message type in good order is answered, and the connection lives on. */
  @Test
  void unknownRequestsAreAnsweredWithAnError() {
    session.send(Unpooled.wrappedBuffer(new byte[] {4, 99, 0, 8, 0, 0, 0, 55}));
    OFErrorMsg error = session.await(OFErrorMsg.class);
    assertThat(error(error)).isEqualTo("BAD_REQUEST 1");
    assertThat(error.getXid()).isEqualTo(55);
    // a multipart type that does not exist
    session.send(
        Unpooled.wrappedBuffer(
            new byte[] {4, 18, 0, 16, 0, 0, 0, 56, 0x55, 0x55, 0, 0, 0, 0, 0, 0}));
    assertThat(error(session.await(OFErrorMsg.class))).isEqualTo("BAD_REQUEST 2");
    session.barrier();
  }

  @Test
  void switchProbesASilentController() {
    // The scripted controller answers echo requests itself; that the session lives on shows it.
    long connections = fixture.only().counters().connections();
    Await.until("an echo request", () -> session.echoes() >= 2);
    session.barrier();
    assertThat(fixture.only().counters().connections()).isEqualTo(connections);
    assertThat(session.ask(OF.buildBarrierRequest()).getType()).isEqualTo(OFType.BARRIER_REPLY);
  }
}
