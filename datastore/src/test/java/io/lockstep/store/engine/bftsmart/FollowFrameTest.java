package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The frames with which a client follows tables and a replica gives hints. */
class FollowFrameTest {
  private static final FollowFrame TWO = FollowFrame.of(List.of("b.c", "a"));

  private static byte[] bytes(FollowFrame frame) {
    ByteBuf out = Unpooled.buffer();
    frame.encode(out);
    return ByteBufUtil.getBytes(out);
  }

  private static FollowFrame decode(byte[] bytes, int end) {
    return FollowFrame.decode(Unpooled.wrappedBuffer(bytes, 4, end - 4));
  }

  @Test
  void versionOneLooksLikeThisAndComesBackAsItWas() {
    byte[] frame = bytes(TWO);
    assertThat(HexFormat.of().formatHex(frame))
        .isEqualTo("0000000c" + "ffffffff" + "01" + "02" + "0161" + "03622e63");
    assertThat(decode(frame, frame.length)).isEqualTo(TWO);
  }

  @Test
  void largestFitsItsBoundAndOneMoreIsRefused() {
    List<String> names =
        IntStream.range(0, FollowFrame.MAX_TABLES + 1)
            .mapToObj(i -> "t".repeat(FollowFrame.MAX_NAME_BYTES - 2) + (10 + i))
            .toList();
    FollowFrame most = FollowFrame.of(names.subList(1, names.size()));
    assertThat(bytes(most)).hasSize(4 + FollowFrame.MAX_BYTES);
    assertThat(decode(bytes(most), 4 + FollowFrame.MAX_BYTES)).isEqualTo(most);
    assertThatThrownBy(() -> FollowFrame.of(names)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> FollowFrame.of(List.of("Ä")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void everyCutAndEveryOtherVersionIsRefused() {
    byte[] frame = bytes(TWO);
    for (int end = 4; end < frame.length; end++) {
      int cut = end;
      assertThatThrownBy(() -> decode(frame, cut))
          .as("cut to %s", cut)
          .isInstanceOf(CorruptedFrameException.class);
    }
    byte[] longer = bytes(FollowFrame.of(List.of("a", "b")));
    longer[9] = 1;
    assertThatThrownBy(() -> decode(longer, longer.length))
        .isInstanceOf(CorruptedFrameException.class);
    frame[8] = 2;
    assertThatThrownBy(() -> decode(frame, frame.length))
        .isInstanceOf(CorruptedFrameException.class);
  }

  @Test
  void hintLooksLikeThisAndOtherFramesAreNone() {
    ByteBuf out = Unpooled.buffer();
    new HintFrame(258).encode(out);
    byte[] frame = ByteBufUtil.getBytes(out);
    assertThat(HexFormat.of().formatHex(frame))
        .isEqualTo("0000000d" + "ffffffff" + "01" + "0000000000000102");
    assertThat(HintFrame.decode(Unpooled.wrappedBuffer(frame, 4, 13)))
        .isEqualTo(new HintFrame(258));
    for (int length = 0; length < 13; length++) {
      assertThat(HintFrame.decode(Unpooled.wrappedBuffer(frame, 4, length))).isNull();
    }
    frame[8] = 2;
    assertThat(HintFrame.decode(Unpooled.wrappedBuffer(frame, 4, 13))).isNull();
  }
}
