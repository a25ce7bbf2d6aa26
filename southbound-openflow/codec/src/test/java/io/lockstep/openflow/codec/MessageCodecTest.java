package io.lockstep.openflow.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.EncoderException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.IpDscp;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFPort;

class MessageCodecTest {

  static EmbeddedChannel negotiatedChannel() {
    MessageDecoder decoder = new MessageDecoder();
    decoder.negotiated(OFVersion.OF_13);
    return new EmbeddedChannel(decoder);
  }

  static ByteBuf encoded(Object message) {
    ByteBuf out = Unpooled.buffer();
    MessageEncoder.encode(message, out);
    return out;
  }

  private static @Nullable Object next(EmbeddedChannel channel) {
    return channel.readInbound();
  }

  private static ByteBuf bytes(String hex) {
    return Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex.replace(" ", "")));
  }

  private static MalformedMessageException refusalOf(EmbeddedChannel channel, ByteBuf bytes) {
    try {
      channel.writeInbound(bytes);
    } catch (MalformedMessageException e) {
      return e;
    }
    throw new AssertionError("taken: " + channel.inboundMessages());
  }

  @Test
  void everySampleComesBackEqual() {
    for (Map.Entry<String, OFMessage> sample : SampleMessages.all().entrySet()) {
      EmbeddedChannel channel = negotiatedChannel();
      channel.writeInbound(encoded(sample.getValue()));
      assertThat(next(channel)).as(sample.getKey()).isEqualTo(sample.getValue());
      assertThat(next(channel)).as(sample.getKey()).isNull();
    }
  }

  @Test
  void streamIsCutAtMessagesHoweverTheBytesArrive() {
    ByteBuf stream = Unpooled.buffer();
    SampleMessages.all().values().forEach(message -> MessageEncoder.encode(message, stream));
    EmbeddedChannel channel = negotiatedChannel();
    while (stream.isReadable()) {
      channel.writeInbound(stream.readBytes(1));
    }
    assertThat(channel.inboundMessages()).containsExactlyElementsOf(SampleMessages.all().values());
  }

  /** A message that is longer than its content is refused, unless the rest is content, too. */
  @Test
  void bytesBehindTheContentAreNotPassedOver() {
    int refused = 0;
    for (Map.Entry<String, OFMessage> sample : SampleMessages.all().entrySet()) {
      for (int more = 1; more <= 24; more++) {
        ByteBuf longer = encoded(sample.getValue()).writeZero(more);
        longer.setShort(2, longer.readableBytes());
        int length = longer.readableBytes();
        EmbeddedChannel channel = negotiatedChannel();
        try {
          channel.writeInbound(longer);
        } catch (MalformedMessageException e) {
          refused++;
          continue;
        }
        Object taken = next(channel);
        if (taken instanceof OFMessage message) {
          assertThat(encoded(message).readableBytes())
              .as("%s and %s bytes more: %s", sample.getKey(), more, message)
              .isEqualTo(length);
        }
      }
    }
    assertThat(refused).isGreaterThan(100);
  }

  /** OpenFlow 1.3.5 section 7.3.9. */
  @Test
  void roleRequestHasTheSpecifiedBytes() {
    assertThat(ByteBufUtil.hexDump(encoded(SampleMessages.role())))
        .isEqualTo("04180018" + "00000008" + "00000002" + "00000000" + "0102030405060708");
  }

  /** OpenFlow 1.3.5 section 7.4.1. */
  @Test
  void packetInHasTheSpecifiedBytes() {
    assertThat(ByteBufUtil.hexDump(encoded(SampleMessages.packetIn())))
        .isEqualTo(
            "040a002e0000000a" // header
                + "ffffffff" // buffer
                + "0004" // length of the frame
                + "00" // reason
                + "01" // table
                + "0000000000000007" // cookie
                + "0001000c8000000400000003" // match: in_port 3
                + "00000000" // padding of the match
                + "0000" // padding
                + "deadbeef");
  }

  /** OpenFlow 1.3.5 section 7.5.1. */
  @Test
  void helloHasTheSpecifiedBytes() {
    Hello hello = Hello.offering(1, EnumSet.of(OFVersion.OF_10, OFVersion.OF_13));
    assertThat(ByteBufUtil.hexDump(encoded(hello)))
        .isEqualTo("0400001000000001" + "0001000800000012");
    EmbeddedChannel channel = new EmbeddedChannel(new MessageDecoder());
    channel.writeInbound(encoded(hello));
    assertThat(next(channel)).isEqualTo(hello);
  }

  @Test
  void helloOfALaterVersionWithUnknownElementIsRead() {
    EmbeddedChannel channel = new EmbeddedChannel(new MessageDecoder());
    channel.writeInbound(bytes("06000018 00000009" + "00070006ffff0000" + "0001000800000052"));
    Hello hello = channel.readInbound();
    assertThat(hello).isEqualTo(new Hello(6, 9, 0x52));
    assertThat(hello.negotiate(OpenFlowVersions.SUPPORTED)).isEqualTo(OFVersion.OF_13);
    assertThat(hello.offered()).isEqualTo("OpenFlow 1.0, OpenFlow 1.3, OpenFlow 1.5");
  }

  @Test
  void withoutBitmapTheSmallerVersionCounts() {
    EnumSet<OFVersion> both = EnumSet.of(OFVersion.OF_10, OFVersion.OF_13);
    assertThat(new Hello(6, 0, 0).negotiate(both)).isEqualTo(OFVersion.OF_13);
    assertThat(new Hello(1, 0, 0).negotiate(both)).isEqualTo(OFVersion.OF_10);
    assertThat(new Hello(1, 0, 0).negotiate(EnumSet.of(OFVersion.OF_13))).isNull();
    assertThat(new Hello(2, 0, 0).negotiate(both)).isNull();
  }

  @Test
  void bitmapWithoutCommonVersionNegotiatesNothing() {
    assertThat(new Hello(5, 0, 1 << 5).negotiate(OpenFlowVersions.SUPPORTED)).isNull();
  }

  @Test
  void helloElementLongerThanTheMessageIsMalformed() {
    MalformedMessageException e =
        refusalOf(new EmbeddedChannel(new MessageDecoder()), bytes("0400000c 00000001 00010010"));
    assertThat(e.offset()).isEqualTo(8);
    assertThat(e.reason()).isEqualTo("HELLO element of 16 bytes where 4 are left");
    assertThat(e.firstBytesHex()).isEqualTo("0400000c0000000100010010");
  }

  @Test
  void helloElementOfLengthZeroIsMalformed() {
    refusalOf(
        new EmbeddedChannel(new MessageDecoder()), bytes("04000010 00000001 0009000000000000"));
  }

  @Test
  void lengthBelowTheHeaderIsMalformed() {
    MalformedMessageException e = refusalOf(negotiatedChannel(), bytes("0402000700000001"));
    assertThat(e.offset()).isEqualTo(2);
    assertThat(e).hasMessageContaining("length 7").hasMessageContaining("0402000700000001");
  }

  @Test
  void messageOfTheLargestLengthBeforeTheVersionIsAgreedIsTaken() {
    Hello hello = Hello.offering(1, EnumSet.of(OFVersion.OF_10, OFVersion.OF_13));
    int length = encoded(hello).readableBytes();
    EmbeddedChannel channel = new EmbeddedChannel(new MessageDecoder(length));
    channel.writeInbound(encoded(hello));
    assertThat(next(channel)).isInstanceOf(Hello.class);
    EmbeddedChannel least = new EmbeddedChannel(new MessageDecoder(8));
    least.writeInbound(bytes("0400000800000001"));
    assertThat(next(least)).isInstanceOf(Hello.class);
    assertThatIllegalArgumentException().isThrownBy(() -> new MessageDecoder(7));
  }

  @Test
  void largeMessageBeforeTheVersionIsAgreedIsMalformedBeforeItsBytesCome() {
    MalformedMessageException e =
        refusalOf(new EmbeddedChannel(new MessageDecoder(64)), bytes("0400004100000001"));
    assertThat(e.reason()).isEqualTo("length 65 exceeds 64 before the version is agreed");
  }

  @Test
  void otherVersionThanAgreedIsMalformed() {
    MalformedMessageException e = refusalOf(negotiatedChannel(), bytes("0102000800000001"));
    assertThat(e.reason()).isEqualTo("OpenFlow 1.0 where OpenFlow 1.3 was agreed");
  }

  @Test
  void webRequestIsMalformed() {
    MalformedMessageException e =
        refusalOf(
            new EmbeddedChannel(new MessageDecoder(Integer.MAX_VALUE)),
            Unpooled.copiedBuffer("GET / HTTP/1.1", java.nio.charset.StandardCharsets.US_ASCII));
    assertThat(e.reason()).isEqualTo("message of OpenFlow wire version 71 where a HELLO is due");
  }

  @Test
  void nothingIsReadBehindAMalformedMessage() {
    EmbeddedChannel channel = negotiatedChannel();
    ByteBuf good = encoded(SampleMessages.role());
    refusalOf(channel, Unpooled.wrappedBuffer(bytes("0402000700000001"), good.copy()));
    channel.writeInbound(good);
    assertThat(channel.inboundMessages()).isEmpty();
  }

  @Test
  void bytesBehindTheContentAreMalformed() {
    MalformedMessageException e =
        refusalOf(negotiatedChannel(), bytes("0415000c 00000007 00000000"));
    assertThat(e.reason()).isEqualTo("Wrong length: Expected=8(8), got=12");
  }

  @Test
  void unknownExperimenterIsHandedOnAsUnsupported() {
    EmbeddedChannel channel = negotiatedChannel();
    channel.writeInbound(
        bytes("04040010 00000042 00dead00 00000001"), encoded(SampleMessages.role()));
    UnsupportedMessage message = channel.readInbound();
    assertThat(message.xid()).isEqualTo(0x42);
    assertThat(message.type()).isEqualTo(4);
    assertThat(message.reason()).matches("\\w+ with experimenter 14593280 is not known");
    assertThat(message.head()).hasSize(16);
    assertThat(next(channel)).isEqualTo(SampleMessages.role());
  }

  @Test
  void errorCodeOfALaterVersionIsHandedOnAsUnsupported() {
    EmbeddedChannel channel = negotiatedChannel();
    channel.writeInbound(bytes("0401000c 00000042 00050063"));
    assertThat(next(channel)).isInstanceOf(UnsupportedMessage.class);
  }

  @Test
  void errorOfAnyVersionIsTakenWhereAHelloIsDue() {
    EmbeddedChannel channel = new EmbeddedChannel(new MessageDecoder());
    channel.writeInbound(bytes("0201000c 00000042 00000000"));
    UnsupportedMessage message = channel.readInbound();
    assertThat(message.wireVersion()).isEqualTo(2);
    assertThat(message.type()).isEqualTo(1);
  }

  @Test
  void shortCutGetsTheFrameAndItsFailureIsMalformed() {
    MessageDecoder decoder =
        new MessageDecoder(
            64,
            (version, type, frame) -> {
              if (type == 10) {
                return "packet-in of " + frame.readableBytes();
              }
              return type == 24 ? frame.getByte(24) : null;
            });
    decoder.negotiated(OFVersion.OF_13);
    EmbeddedChannel channel = new EmbeddedChannel(decoder);
    OFMessage barrier = SampleMessages.barrierReply();
    channel.writeInbound(encoded(SampleMessages.packetIn()), encoded(barrier));
    assertThat(next(channel)).isEqualTo("packet-in of 46");
    assertThat(next(channel)).isEqualTo(barrier);
    refusalOf(channel, encoded(SampleMessages.role()));
  }

  @Test
  void messageBeyondTheLengthFieldIsNotEncoded() {
    ByteBuf out = Unpooled.buffer();
    OFMessage packetOut =
        OFFactories.getFactory(OFVersion.OF_13)
            .buildPacketOut()
            .setBufferId(OFBufferId.NO_BUFFER)
            .setInPort(OFPort.CONTROLLER)
            .setData(new byte[70_000])
            .build();
    assertThatExceptionOfType(EncoderException.class)
        .isThrownBy(() -> MessageEncoder.encode(packetOut, out))
        .withMessageContaining("70024");
    assertThat(out.isReadable()).isFalse();
  }

  @Test
  void factoryOfAnUnsupportedVersionIsRefusedWithItsName() {
    assertThatExceptionOfType(UnsupportedVersionException.class)
        .isThrownBy(() -> OpenFlowVersions.factory(2))
        .withMessage("OpenFlow 1.1 is not supported; supported: OpenFlow 1.0, OpenFlow 1.3");
    assertThat(OpenFlowVersions.name(9)).isEqualTo("OpenFlow wire version 9");
  }

  /** OpenFlow 1.0 section 5.2.3: nw_tos is the type of service with the DSCP in its upper bits. */
  @Test
  void typeOfServiceOfOpenFlow10IsTheDscpShifted() {
    OFFactory of10 = OFFactories.getFactory(OFVersion.OF_10);
    OFMessage add =
        of10.buildFlowAdd()
            .setXid(1)
            .setMatch(match10(of10, 46))
            .setBufferId(OFBufferId.NO_BUFFER)
            .setOutPort(OFPort.ANY)
            .build();
    ByteBuf bytes = encoded(add);
    assertThat(bytes.getUnsignedByte(8 + 24)).isEqualTo((short) 0xb8);
    assertThat(throughTheWire10(bytes)).isEqualTo(add);
  }

  /** Each entry of a reply has its own match, at a distance that the entry before it says. */
  @Test
  void typeOfServiceIsRightInEveryEntryOfFlowStatistics() {
    OFFactory of10 = OFFactories.getFactory(OFVersion.OF_10);
    OFMessage reply =
        of10.buildFlowStatsReply()
            .setXid(1)
            .setEntries(
                List.of(
                    of10.buildFlowStatsEntry()
                        .setMatch(match10(of10, 63))
                        .setActions(List.of(of10.actions().output(OFPort.of(1), 0)))
                        .build(),
                    of10.buildFlowStatsEntry().setMatch(match10(of10, 1)).build()))
            .build();
    ByteBuf bytes = encoded(reply);
    assertThat(bytes.getUnsignedByte(12 + 4 + 24)).isEqualTo((short) 0xfc);
    assertThat(bytes.getUnsignedByte(12 + 96 + 4 + 24)).isEqualTo((short) 4);
    assertThat(throughTheWire10(bytes)).isEqualTo(reply);
  }

  private static Object throughTheWire10(ByteBuf bytes) {
    MessageDecoder decoder = new MessageDecoder();
    decoder.negotiated(OFVersion.OF_10);
    EmbeddedChannel channel = new EmbeddedChannel(decoder);
    channel.writeInbound(bytes);
    Object message = channel.readInbound();
    channel.finish();
    return message;
  }

  private static Match match10(OFFactory of10, int dscp) {
    return of10.buildMatch()
        .setExact(MatchField.ETH_TYPE, EthType.IPv4)
        .setExact(MatchField.IP_DSCP, IpDscp.of((byte) dscp))
        .build();
  }

  @Test
  void boundBelowTheHeaderIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new MessageDecoder(7));
  }
}
