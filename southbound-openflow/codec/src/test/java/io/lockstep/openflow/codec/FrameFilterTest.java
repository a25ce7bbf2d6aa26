package io.lockstep.openflow.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFBarrierReply;
import org.projectfloodlight.openflow.protocol.OFVersion;

/** Messages that are dropped before anything is made of them. */
class FrameFilterTest {
  private static final int PACKET_IN = 10;
  private static final String DROPPED = "040a000c00000001" + "deadbeef";
  private static final String KEPT = "0415000800000002";

  private final MessageDecoder decoder = new MessageDecoder();
  private final EmbeddedChannel channel = new EmbeddedChannel(decoder);
  private final List<String> offered = new ArrayList<>();

  FrameFilterTest() {
    decoder.negotiated(OFVersion.OF_13);
    decoder.filter(
        (version, type, in, start, length) -> {
          offered.add(version + " " + type + " " + ByteBufUtil.hexDump(in, start, length));
          return type == PACKET_IN;
        });
  }

  private void arrives(String hex) {
    channel.writeInbound(Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex)));
  }

  @Test
  void whatIsBetweenDroppedMessagesComesThroughInOrder() {
    arrives(DROPPED + KEPT + DROPPED + DROPPED + KEPT + DROPPED);
    assertThat(channel.inboundMessages()).hasSize(2).allMatch(OFBarrierReply.class::isInstance);
    assertThat(decoder.messages()).as("dropped ones count").isEqualTo(6);
    assertThat(decoder.unfinishedBytes()).isZero();
    assertThat(offered.get(0)).isEqualTo("OF_13 10 " + DROPPED);
    assertThat(offered).hasSize(6);
  }

  @Test
  void messagesAreOfferedOnceAndWholeWhereverTheStreamIsCut() {
    String stream = DROPPED + KEPT + DROPPED;
    for (int cut = 2; cut < stream.length(); cut += 2) {
      offered.clear();
      arrives(stream.substring(0, cut));
      arrives(stream.substring(cut));
      assertThat(offered).as("cut at %d", cut / 2).hasSize(3);
      assertThat(channel.<Object>readInbound()).isInstanceOf(OFBarrierReply.class);
      assertThat(channel.<Object>readInbound()).isNull();
    }
  }

  /** A header that lies is malformed, whatever the filter says of its type. */
  @Test
  void malformedHeadersAreNotOffered() {
    assertThatExceptionOfType(MalformedMessageException.class)
        .isThrownBy(() -> arrives(DROPPED + "040a000700000001"));
    assertThat(offered).hasSize(1);
  }

  @Test
  void nothingIsOfferedBeforeTheVersionIsAgreed() {
    MessageDecoder fresh = new MessageDecoder();
    fresh.filter(
        (version, type, in, start, length) -> {
          throw new AssertionError("offered");
        });
    EmbeddedChannel early = new EmbeddedChannel(fresh);
    ByteBuf hello = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump("0400000800000001"));
    early.writeInbound(hello);
    assertThat(early.<Object>readInbound()).isInstanceOf(Hello.class);
  }
}
