package io.lockstep.bench.openflow;

import static io.lockstep.bench.openflow.SwitchPersona.FACTORY;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPacketIn;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFPort;

/** The short cut must see the same as openflowj, and leave alone what it does not know. */
class AnswerReaderTest {
  private static final LoadPlan PLAN = new LoadPlan(2, 4, 16, 7);
  private final AnswerReader reader = new AnswerReader();

  private static ByteBuf bytes(OFMessage message) {
    ByteBuf bytes = Unpooled.buffer();
    message.writeTo(bytes);
    return bytes;
  }

  private @Nullable Object read(OFMessage message) {
    ByteBuf bytes = bytes(message);
    return reader.decode(OFVersion.OF_13, bytes.getUnsignedByte(1), bytes);
  }

  private Answer answer(OFMessage message) {
    return (Answer) Objects.requireNonNull(read(message));
  }

  private static byte[] frame() throws Exception {
    ByteBuf packetIn = Unpooled.buffer();
    PacketIns.flow(packetIn, PLAN, 1, 2, 5, 99);
    return ((OFPacketIn) FACTORY.getReader().readFrom(packetIn)).getData();
  }

  private static List<OFAction> output(OFPort... ports) {
    return List.of(ports).stream()
        .<OFAction>map(port -> FACTORY.actions().output(port, 0xffff))
        .toList();
  }

  private static OFMessage packetOut(byte[] data, OFPort... ports) {
    return FACTORY
        .buildPacketOut()
        .setBufferId(OFBufferId.NO_BUFFER)
        .setInPort(OFPort.of(3))
        .setActions(output(ports))
        .setData(data)
        .build();
  }

  private static OFFlowMod.Builder flowAdd(Match match) {
    return FACTORY
        .buildFlowAdd()
        .setBufferId(OFBufferId.NO_BUFFER)
        .setIdleTimeout(10)
        .setMatch(match)
        .setInstructions(List.of(FACTORY.instructions().applyActions(output(OFPort.of(2)))));
  }

  private static Match addresses() {
    return FACTORY
        .buildMatch()
        .setExact(MatchField.IN_PORT, OFPort.of(3))
        .setExact(MatchField.ETH_SRC, MacAddress.of(PLAN.mac(1, 2)))
        .setExact(MatchField.ETH_DST, MacAddress.of(PLAN.mac(1, 5)))
        .build();
  }

  @Test
  void aPacketOutIsKnownByItsFrame() throws Exception {
    assertThat(read(packetOut(frame(), OFPort.of(2))))
        .isEqualTo(new Answer(Answer.Kind.PACKET_OUT, PLAN.mac(1, 2), PLAN.mac(1, 5), 2, 1));
  }

  @Test
  void aFloodHasNoPortOfItsOwn() throws Exception {
    Answer everywhere = answer(packetOut(frame(), OFPort.of(1), OFPort.of(2)));
    assertThat(everywhere.outputs()).isEqualTo(2);
    assertThat(everywhere.leadsTo(2)).isFalse();
    assertThat(answer(packetOut(frame(), OFPort.FLOOD)).leadsTo(2)).isFalse();
    assertThat(answer(packetOut(frame(), OFPort.TABLE)).leadsTo(2)).isTrue();
  }

  @Test
  void aFlowModIsKnownByItsMatch() {
    assertThat(read(flowAdd(addresses()).build()))
        .isEqualTo(new Answer(Answer.Kind.FLOW_MOD, PLAN.mac(1, 2), PLAN.mac(1, 5), 2, 1));
  }

  /** A guard of the load balancer comes with each connection, and is soon read. */
  @Test
  void aFlowModForManyFlowsAnswersNone() {
    Match onlyDestination =
        FACTORY.buildMatch().setExact(MatchField.ETH_DST, MacAddress.of(PLAN.mac(1, 5))).build();
    Answer guard = answer(flowAdd(onlyDestination).build());
    assertThat(guard.destination()).isEqualTo(PLAN.mac(1, 5));
    assertThat(PLAN.host(1, guard.source())).isEqualTo(-1);
    assertThat(new FlowExchange(PLAN).answered(1, guard)).isNull();
  }

  @Test
  void whatAnswersNoParticularPacketIsLeftToTheLibrary() {
    assertThat(read(flowAdd(addresses()).setIdleTimeout(0).build())).isNull();
    assertThat(read(FACTORY.buildFlowDelete().setMatch(addresses()).setIdleTimeout(9).build()))
        .isNull();
    assertThat(read(packetOut(new byte[0], OFPort.of(2)))).isNull();
    assertThat(read(FACTORY.buildBarrierRequest().build())).isNull();
  }

  @Test
  void noTruncationIsTakenForAnAnswer() throws Exception {
    for (OFMessage whole :
        List.of(packetOut(frame(), OFPort.of(2)), flowAdd(addresses()).build())) {
      ByteBuf bytes = bytes(whole);
      int actionsEnd = whole instanceof OFFlowMod ? bytes.readableBytes() : 24 + 16 + 14;
      for (int length = 8; length < actionsEnd; length++) {
        ByteBuf cut = bytes.copy(0, length);
        @Nullable Object read;
        try {
          read = reader.decode(OFVersion.OF_13, cut.getUnsignedByte(1), cut);
        } catch (IndexOutOfBoundsException malformed) {
          continue;
        }
        // A flow-mod may end behind its match: it has no instructions then, and leads nowhere.
        assertThat(read == null || ((Answer) read).outputs() == 0)
            .as("%d bytes of %s", length, whole.getType())
            .isTrue();
      }
    }
  }

  @Test
  void openflowjReadsOurPacketIns() throws Exception {
    ByteBuf bytes = Unpooled.buffer();
    PacketIns.flow(bytes, PLAN, 1, 2, 5, 99);
    OFPacketIn flow = (OFPacketIn) FACTORY.getReader().readFrom(bytes);
    assertThat(bytes.isReadable()).isFalse();
    assertThat(flow.getXid()).isEqualTo(99);
    assertThat(flow.getBufferId()).isEqualTo(OFBufferId.NO_BUFFER);
    assertThat(flow.getMatch().get(MatchField.IN_PORT)).isEqualTo(OFPort.of(3));
    assertThat(flow.getTotalLen()).isEqualTo(flow.getData().length).isEqualTo(60);

    PacketIns.announcement(bytes, PLAN, 1, 2, 100);
    OFPacketIn announcement = (OFPacketIn) FACTORY.getReader().readFrom(bytes);
    assertThat(bytes.isReadable()).isFalse();
    assertThat(announcement.getData()).hasSize(60).startsWith(-1, -1, -1, -1, -1, -1);
  }

  @Test
  void theIpChecksumIsRight() throws Exception {
    byte[] frame = frame();
    int sum = 0;
    for (int at = 14; at < 34; at += 2) {
      sum += ((frame[at] & 0xff) << 8) | (frame[at + 1] & 0xff);
    }
    assertThat((sum & 0xffff) + (sum >>> 16)).isEqualTo(0xffff);
  }

  @Test
  void aLinkProbeIsReadWithItsFrame() throws Exception {
    byte[] probe = frame();
    probe[12] = (byte) 0x88;
    probe[13] = (byte) 0xcc;
    Probe read = (Probe) Objects.requireNonNull(read(packetOut(probe, OFPort.of(2))));
    assertThat(read.frame()).isEqualTo(probe);
    assertThat(read.answer().leadsTo(2)).isTrue();
  }

  /** What the packet-in holds is an answer to this request, as the controller must see it. */
  @Test
  void anArpRequestForOneHostIsReadWithItsFrame() throws Exception {
    byte[] request = arp(PLAN.mac(1, 5), PLAN.ip(1, 5));
    Probe read = (Probe) Objects.requireNonNull(read(packetOut(request, OFPort.of(2))));
    assertThat(read.asksForLink()).isFalse();
    assertThat(read.asksFor(PLAN.ip(1, 5))).isTrue();
    assertThat(read.asksFor(PLAN.ip(1, 6))).isFalse();
    assertThat(PLAN.host(1, read.answer().destination())).isEqualTo(5);

    ByteBuf bytes = Unpooled.buffer();
    PacketIns.arpReply(bytes, PLAN, 1, 5, read.answer().source(), 3);
    OFPacketIn reply = (OFPacketIn) FACTORY.getReader().readFrom(bytes);
    assertThat(bytes.isReadable()).isFalse();
    assertThat(reply.getMatch().get(MatchField.IN_PORT)).isEqualTo(OFPort.of(2));
    ByteBuffer arp = ByteBuffer.wrap(reply.getData());
    assertThat(arp.getShort(20)).as("reply").isEqualTo((short) 2);
    assertThat(arp.getInt(28)).as("sender").isEqualTo(PLAN.ip(1, 5));
  }

  @Test
  void anAnnouncementIsNoQuestionForOneHost() throws Exception {
    byte[] request = arp(0xffff_ffff_ffffL, PLAN.ip(1, 5));
    assertThat(read(packetOut(request, OFPort.of(2)))).isInstanceOf(Answer.class);
  }

  /** As a node asks whether a host is still there. */
  private static byte[] arp(long destination, int ip) {
    ByteBuffer out = ByteBuffer.allocate(60);
    out.putShort((short) (destination >>> 32)).putInt((int) destination);
    out.putShort((short) 0x024c).putInt(0x5350_0001).putShort((short) 0x0806);
    out.putShort((short) 1).putShort((short) 0x0800).put((byte) 6).put((byte) 4);
    out.putShort((short) 1).putShort((short) 0x024c).putInt(0x5350_0001).putInt(0);
    out.putShort((short) 0).putInt(0).putInt(ip);
    return out.array();
  }
}
