package io.lockstep.openflow.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFFlowStatsReply;
import org.projectfloodlight.openflow.protocol.OFStatsReplyFlags;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;

/** Flow statistics replies in which some entries have an action of a vendor. */
class PartlyKnownTest {
  private static final int ENTRIES = 3;
  private static final int LARGEST_FRAME = 0xffff;

  /** OpenFlow 1.0.1 section 5.3.5, 1.3.5 section 7.3.5.2, for entries with one output action. */
  private enum Wire {
    OF_10(12, 96, 88),
    OF_13(16, 80, 64);

    final int head;
    final int entry;
    final int action;

    Wire(int head, int entry, int action) {
      this.head = head;
      this.entry = entry;
      this.action = action;
    }

    OFVersion version() {
      return OFVersion.valueOf(name());
    }

    /** The output action of an entry becomes that of an experimenter. */
    void makeUnknown(ByteBuf reply, int entry) {
      int at = head + entry * this.entry + action;
      reply.setShort(at, 0xffff);
      reply.setInt(at + 4, 0x00dead00);
    }
  }

  private static OFFlowStatsReply reply(Wire wire, int count) {
    OFFactory factory = OFFactories.getFactory(wire.version());
    List<OFFlowStatsEntry> entries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<OFAction> actions =
          List.of(factory.actions().buildOutput().setPort(OFPort.of(7)).setMaxLen(64).build());
      OFFlowStatsEntry.Builder entry =
          factory
              .buildFlowStatsEntry()
              .setTableId(TableId.of(0))
              .setPriority(i)
              .setMatch(factory.buildMatch().build());
      entries.add(
          wire == Wire.OF_10
              ? entry.setActions(actions).build()
              : entry
                  .setInstructions(List.of(factory.instructions().applyActions(actions)))
                  .build());
    }
    return factory
        .buildFlowStatsReply()
        .setXid(0x42)
        .setFlags(Set.of(OFStatsReplyFlags.REPLY_MORE))
        .setEntries(entries)
        .build();
  }

  private static EmbeddedChannel channel(Wire wire) {
    MessageDecoder decoder = new MessageDecoder();
    decoder.negotiated(wire.version());
    return new EmbeddedChannel(decoder);
  }

  @ParameterizedTest
  @EnumSource
  void entryThatIsNotKnownHidesNoOther(Wire wire) {
    OFFlowStatsReply whole = reply(wire, ENTRIES);
    ByteBuf bytes = MessageCodecTest.encoded(whole);
    wire.makeUnknown(bytes, 1);
    EmbeddedChannel channel = channel(wire);
    channel.writeInbound(bytes);
    PartlyKnown read = channel.readInbound();
    assertThat(read.left()).isEqualTo(1);
    assertThat(read.unknown().reason()).contains("experimenter");
    OFFlowStatsReply known = (OFFlowStatsReply) read.known();
    assertThat(known.getXid()).isEqualTo(0x42);
    assertThat(known.getFlags()).containsExactly(OFStatsReplyFlags.REPLY_MORE);
    assertThat(known.getEntries())
        .containsExactly(whole.getEntries().get(0), whole.getEntries().get(2));
  }

  @ParameterizedTest
  @EnumSource
  void largestReplyWithoutAnyKnownEntryIsAnAnswer(Wire wire) {
    int count = (LARGEST_FRAME - wire.head) / wire.entry;
    ByteBuf bytes = MessageCodecTest.encoded(reply(wire, count));
    for (int i = 0; i < count; i++) {
      wire.makeUnknown(bytes, i);
    }
    EmbeddedChannel channel = channel(wire);
    channel.writeInbound(bytes);
    PartlyKnown read = channel.readInbound();
    assertThat(read.left()).isEqualTo(count);
    assertThat(((OFFlowStatsReply) read.known()).getEntries()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void entriesThatDoNotFitTheReplyAreMalformed(Wire wire) {
    for (int length : new int[] {0, 8, wire.entry + 8, LARGEST_FRAME}) {
      ByteBuf bytes = MessageCodecTest.encoded(reply(wire, ENTRIES));
      wire.makeUnknown(bytes, 0);
      bytes.setShort(wire.head + 2 * wire.entry, length);
      EmbeddedChannel channel = channel(wire);
      assertThatExceptionOfType(MalformedMessageException.class)
          .isThrownBy(() -> channel.writeInbound(bytes))
          .withMessageContaining("an entry of");
      assertThat(channel.inboundMessages()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void replyThatEndsInsideAnEntryIsMalformed(Wire wire) {
    ByteBuf bytes = MessageCodecTest.encoded(reply(wire, ENTRIES));
    wire.makeUnknown(bytes, 0);
    int length = wire.head + 2 * wire.entry + 1;
    bytes.setShort(2, length);
    EmbeddedChannel channel = channel(wire);
    assertThatExceptionOfType(MalformedMessageException.class)
        .isThrownBy(() -> channel.writeInbound(Unpooled.copiedBuffer(bytes.slice(0, length))));
  }
}
