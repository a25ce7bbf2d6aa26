package io.lockstep.bench.overload;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.bench.overload.OverloadRow.Protocol;
import io.lockstep.openflow.codec.MessageDecoder;
import io.lockstep.openflow.codec.MessageEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.projectfloodlight.openflow.protocol.OFBarrierReply;
import org.projectfloodlight.openflow.protocol.OFDescStatsReply;
import org.projectfloodlight.openflow.protocol.OFEchoReply;
import org.projectfloodlight.openflow.protocol.OFErrorMsg;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFeaturesReply;
import org.projectfloodlight.openflow.protocol.OFFlowStatsReply;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPacketIn;
import org.projectfloodlight.openflow.protocol.OFPortDescStatsReply;
import org.projectfloodlight.openflow.protocol.OFRoleReply;
import org.projectfloodlight.openflow.protocol.OFTableStatsReply;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/** What a loud switch says, read by openflowj. */
class LoudPersonaTest {
  private static final long DPID = 0x1005;

  private static OFVersion version(Protocol protocol) {
    return protocol == Protocol.V10 ? OFVersion.OF_10 : OFVersion.OF_13;
  }

  private static OFFactory factory(Protocol protocol) {
    return OFFactories.getFactory(version(protocol));
  }

  private static byte[] bytes(OFMessage message) {
    ByteBuf out = Unpooled.buffer();
    MessageEncoder.encode(message, out);
    return ByteBufUtil.getBytes(out);
  }

  private static Object read(Protocol protocol, byte[] message) {
    MessageDecoder decoder = new MessageDecoder();
    EmbeddedChannel channel = new EmbeddedChannel(decoder);
    decoder.negotiated(version(protocol));
    channel.writeInbound(Unpooled.wrappedBuffer(message));
    return channel.readInbound();
  }

  private static <T> T answer(
      Protocol protocol, LoudPersona persona, OFMessage question, Class<T> type) {
    Object answer = read(protocol, persona.answer(bytes(question)));
    assertThat(answer).isInstanceOf(type);
    assertThat(((OFMessage) answer).getXid()).isEqualTo(question.getXid());
    return type.cast(answer);
  }

  @ParameterizedTest
  @EnumSource
  void handshakeIsAnsweredAsANodeNeedsIt(Protocol protocol) {
    OFFactory of = factory(protocol);
    LoudPersona persona = new LoudPersona(protocol, DPID);
    OFFeaturesReply features =
        answer(
            protocol, persona, of.buildFeaturesRequest().setXid(3).build(), OFFeaturesReply.class);
    assertThat(features.getDatapathId().getLong()).isEqualTo(DPID);
    int ports =
        protocol == Protocol.V10
            ? features.getPorts().size()
            : answer(
                    protocol,
                    persona,
                    of.buildPortDescStatsRequest().setXid(4).build(),
                    OFPortDescStatsReply.class)
                .getEntries()
                .size();
    assertThat(ports).isEqualTo(LoudPackets.PORTS);
    answer(protocol, persona, of.buildDescStatsRequest().setXid(5).build(), OFDescStatsReply.class);
    answer(protocol, persona, of.buildBarrierRequest().setXid(6).build(), OFBarrierReply.class);
    answer(
        protocol, persona, of.buildTableStatsRequest().setXid(7).build(), OFTableStatsReply.class);
    OFEchoReply echo =
        answer(
            protocol,
            persona,
            of.buildEchoRequest().setXid(8).setData(new byte[] {1, 2}).build(),
            OFEchoReply.class);
    assertThat(echo.getData()).containsExactly(1, 2);
  }

  @Test
  void rolesAreGrantedAndTablesNotDescribed() {
    OFFactory of = factory(Protocol.V13);
    LoudPersona persona = new LoudPersona(Protocol.V13, DPID);
    assertThat(persona.isMastered()).isFalse();
    OFRoleReply role =
        answer(
            Protocol.V13,
            persona,
            of.buildRoleRequest()
                .setXid(1)
                .setRole(org.projectfloodlight.openflow.protocol.OFControllerRole.ROLE_MASTER)
                .setGenerationId(U64.of(9))
                .build(),
            OFRoleReply.class);
    assertThat(role.getGenerationId()).isEqualTo(U64.of(9));
    assertThat(persona.isMastered()).isTrue();
    answer(
        Protocol.V13,
        persona,
        of.buildTableFeaturesStatsRequest().setXid(2).setEntries(List.of()).build(),
        OFErrorMsg.class);
  }

  @ParameterizedTest
  @EnumSource
  void permanentEntriesAreReadBackAndOthersForgotten(Protocol protocol) {
    OFFactory of = factory(protocol);
    LoudPersona persona = new LoudPersona(protocol, DPID);
    var lasting =
        of.buildFlowAdd()
            .setPriority(7)
            .setCookie(U64.of(0xa000))
            .setMatch(of.buildMatch().setExact(MatchField.IN_PORT, OFPort.of(2)).build())
            .setOutPort(OFPort.ANY);
    persona.answer(bytes(lasting.build()));
    persona.answer(bytes(lasting.build()));
    persona.answer(bytes(lasting.setPriority(8).setIdleTimeout(10).build()));
    var request = of.buildFlowStatsRequest().setXid(4).setOutPort(OFPort.ANY);
    request.setTableId(TableId.ALL).setMatch(of.matchWildcardAll());
    OFFlowStatsReply reply = answer(protocol, persona, request.build(), OFFlowStatsReply.class);
    assertThat(reply.getEntries()).hasSize(1);
    assertThat(reply.getEntries().get(0).getPriority()).isEqualTo(7);
    assertThat(reply.getEntries().get(0).getCookie()).isEqualTo(U64.of(0xa000));
    assertThat(reply.getEntries().get(0).getMatch().get(MatchField.IN_PORT))
        .isEqualTo(OFPort.of(2));
  }

  @ParameterizedTest
  @EnumSource
  void packetInsAreWellFormedAndAnswersToThemAreTold(Protocol protocol) {
    LoudPackets packets = new LoudPackets(protocol, DPID, true);
    ByteBuffer out = ByteBuffer.allocate(packets.bytes());
    packets.put(out, 20);
    OFPacketIn packetIn = (OFPacketIn) read(protocol, out.array());
    assertThat(packetIn.getBufferId()).isEqualTo(OFBufferId.of(20));
    assertThat(packetIn.getData()).hasSize(60);
    OFFactory of = factory(protocol);
    byte[] packetOut =
        bytes(
            of.buildPacketOut()
                .setBufferId(OFBufferId.of(20))
                .setInPort(OFPort.of(2))
                .setActions(List.of())
                .build());
    byte[] flowMod =
        bytes(
            of.buildFlowAdd()
                .setBufferId(OFBufferId.of(21))
                .setMatch(of.matchWildcardAll())
                .build());
    byte[] probe =
        bytes(
            of.buildPacketOut()
                .setBufferId(OFBufferId.NO_BUFFER)
                .setInPort(OFPort.CONTROLLER)
                .setActions(List.of())
                .build());
    assertThat(answered(packets, packetOut)).isEqualTo(20);
    assertThat(answered(packets, flowMod)).isEqualTo(21);
    assertThat(answered(packets, probe)).isEqualTo(LoudPackets.NO_BUFFER);
    assertThat(answered(packets, bytes(of.buildBarrierRequest().build())))
        .isEqualTo(LoudPackets.NO_BUFFER);
  }

  private static int answered(LoudPackets packets, byte[] message) {
    return packets.answered(ByteBuffer.wrap(message), 0, message.length);
  }
}
