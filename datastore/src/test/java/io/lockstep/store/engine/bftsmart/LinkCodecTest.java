package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bftsmart.communication.SystemMessage;
import bftsmart.consensus.messages.MessageFactory;
import bftsmart.tom.core.messages.ForwardedMessage;
import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.core.messages.TOMMessageType;
import bftsmart.tom.leaderchange.LCMessage;
import bftsmart.tom.util.TOMUtil;
import io.lockstep.store.engine.Rules;
import io.lockstep.store.engine.bftsmart.PeerNote.Beat;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.Progress;
import io.lockstep.store.log.Start;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(IsolatedLibrary.class)
class LinkCodecTest {
  private static final LibraryNumbers.Era FAR = new LibraryNumbers.Era(1000, 1L << 40);

  static List<SystemMessage> samples() {
    TOMMessage request =
        new TOMMessage(5, 6, 7, 7, new byte[] {1, 2}, 0, TOMMessageType.ORDERED_REQUEST);
    request.serializedMessage = TOMMessage.messageToBytes(request);
    byte[] chain = new byte[32];
    chain[31] = 1;
    MessageFactory messages = new MessageFactory(2);
    return List.of(
        InstanceMessage.of(messages.createPropose(11, 0, new byte[] {1, 2, 3}), FAR),
        InstanceMessage.of(messages.createAccept(11, 4, new byte[16]), FAR),
        new LCMessage(2, TOMUtil.STOP, 9, new byte[] {4, 5}),
        new LCMessage(2, TOMUtil.SYNC, 9, new byte[] {4, 5}),
        new ForwardedMessage(2, request),
        new PeerMessage(
            2,
            new PeerNote.Beat(3, true, -1, true, true, 4, -1, 20, 2, chain, Willingness.WILLING)),
        new PeerMessage(2, new PeerNote.ReportedHistory(3, 20, 2, chain, chain)),
        new PeerMessage(2, new PeerNote.FetchTail(19, chain)),
        new PeerMessage(2, new PeerNote.FetchSnapshot(19, 1L << 40)),
        new PeerMessage(
            2,
            new PeerNote.Tail(
                List.of(
                    new Decision(20, 3, chain, new byte[] {1}),
                    new Decision(21, 3, chain, new byte[0])))),
        new PeerMessage(
            2, new PeerNote.SnapshotOffer(new Decision(20, 3, chain, new byte[] {1}), 1L << 40)),
        new PeerMessage(2, new PeerNote.SnapshotPiece(19, 1L << 40, new byte[] {1, 2})),
        new PeerMessage(2, new PeerNote.OtherHistory(20, 3)),
        new PeerMessage(
            2,
            new PeerNote.Starts(
                new Start(6, 5),
                List.of(
                    PeerNote.Known.NOTHING,
                    new PeerNote.Known(
                        new Start(7, -3), new Start(6, 5), new Progress(4, 1, 1L << 40))))),
        new PeerMessage(2, new PeerNote.Compare(List.of(new PeerNote.Point(20, chain)))),
        new PeerMessage(2, new PeerNote.Offer(new Rules(2, 96))),
        new PeerMessage(2, new PeerNote.Common(PeerNote.Common.NONE)),
        new PeerMessage(2, new PeerNote.Incarnations(List.of(0, 7, 0))));
  }

  static byte[] encoded(SystemMessage message) {
    ByteBuf out = Unpooled.buffer();
    LinkCodec.encode(message, out);
    return ByteBufUtil.getBytes(out);
  }

  @Test
  void whatIsDecodedEncodesToTheSameBytesAndComesFromTheLinksPeer() {
    for (SystemMessage message : samples()) {
      byte[] bytes = encoded(message);
      SystemMessage copy = LinkCodec.decode(2, Unpooled.wrappedBuffer(bytes));
      assertThat(copy).hasSameClassAs(message);
      assertThat(copy.getSender()).isEqualTo(2);
      assertThat(encoded(copy)).isEqualTo(bytes);
    }
  }

  @Test
  void senderIsThePeerWhateverTheMessageSaid() {
    InstanceMessage forged = new InstanceMessage(0, MessageFactory.ACCEPT, 1, 0, new byte[1]);
    assertThat(LinkCodec.decode(2, Unpooled.wrappedBuffer(encoded(forged))).getSender())
        .isEqualTo(2);
  }

  @Test
  void truncationAtEveryByteIsRefused() {
    for (SystemMessage message : samples()) {
      byte[] bytes = encoded(message);
      for (int length = 0; length < bytes.length; length++) {
        ByteBuf cut = Unpooled.wrappedBuffer(bytes, 0, length);
        assertThatThrownBy(() -> LinkCodec.decode(2, cut)).as("%s", message).isNotNull();
      }
    }
  }

  @Test
  void excessByteIsRefused() {
    for (SystemMessage message : samples()) {
      byte[] bytes = java.util.Arrays.copyOf(encoded(message), encoded(message).length + 1);
      assertThatThrownBy(() -> LinkCodec.decode(2, Unpooled.wrappedBuffer(bytes)))
          .as("%s", message)
          .isNotNull();
    }
  }

  @Test
  void lengthBeyondTheFrameIsRefusedBeforeAllocation() {
    ByteBuf huge = Unpooled.buffer().writeByte(3).writeInt(Integer.MAX_VALUE);
    assertThatThrownBy(() -> LinkCodec.decode(2, huge)).hasMessageContaining("length");
  }

  /** Its byte is 5; a release that knows no willingness reads any byte but 0 as "joined". */
  @Test
  void beatOfALeavingReplicaDiffersInOneByteThatOlderReleasesReadAsJoined() {
    for (Willingness willingness : Willingness.values()) {
      byte[] chain = new byte[32];
      Beat beat = new Beat(3, true, -1, true, true, 4, -1, 20, 2, chain, willingness);
      byte[] bytes = encoded(new PeerMessage(2, beat));
      assertThat(bytes[11]).isEqualTo((byte) (1 + 2 * willingness.number()));
      assertThat(beat(bytes).willingness()).isEqualTo(willingness);
      assertThat(beat(bytes).joined()).isTrue();
      bytes[11] |= 0x40;
      assertThat(beat(bytes).willingness()).as("with an unknown flag").isEqualTo(willingness);
    }
  }

  @Test
  void replicaThatHasNotJoinedSaysNothingOfItsWillingness() {
    byte[] chain = new byte[32];
    Beat beat = new Beat(-1, false, -1, false, false, 4, -1, 20, 2, chain, Willingness.LEAVING);
    byte[] bytes = encoded(new PeerMessage(2, beat));
    assertThat(bytes[11]).isZero();
    assertThat(beat(bytes).willingness()).isEqualTo(Willingness.WILLING);
  }

  @Test
  void unknownWillingnessIsRefused() {
    byte[] bytes = encoded(samples().get(5));
    bytes[11] = 7;
    assertThatThrownBy(() -> beat(bytes)).hasMessageContaining("willingness 3");
  }

  private static Beat beat(byte[] bytes) {
    PeerMessage message = (PeerMessage) LinkCodec.decode(2, Unpooled.wrappedBuffer(bytes));
    return (Beat) message.note();
  }

  @Test
  void goldenBeat() {
    byte[] beat = encoded(samples().get(5));
    assertThat(ByteBufUtil.hexDump(beat))
        .isEqualTo(
            "040000000301ffffffff010100000004ffffffff000000000000001400000002"
                + "00".repeat(31)
                + "01");
  }
}
