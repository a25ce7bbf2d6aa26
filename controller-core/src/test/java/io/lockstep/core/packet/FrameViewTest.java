package io.lockstep.core.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.testing.FakeSwitch;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.onlab.packet.MacAddress;

class FrameViewTest {
  private final FakeSwitch connection = new FakeSwitch(5, 1);

  private @Nullable FrameView parse(byte[] frame) {
    return FrameView.parse(connection, Frames.whole(1, frame));
  }

  private static byte[] tagged(int... tags) {
    ByteBuffer frame = ByteBuffer.allocate(64).putInt(1).putInt(2).putInt(3);
    for (int i = 0; i < tags.length; i++) {
      frame.putShort((short) (i == 0 ? 0x88a8 : 0x8100)).putShort((short) tags[i]);
    }
    return frame.putShort((short) 0x0800).array();
  }

  @Test
  void readsAddressesAndType() {
    FrameView view =
        Objects.requireNonNull(parse(Frames.ethernet(0xffff_ffff_ffffL, 0x0200_0000_0001L, 0x806)));
    assertThat(view.destination()).isEqualTo(MacAddress.BROADCAST);
    assertThat(view.source()).isEqualTo(MacAddress.valueOf("02:00:00:00:00:01"));
    assertThat(view.sourceNumber()).isEqualTo(0x0200_0000_0001L);
    assertThat(view.etherType()).isEqualTo(0x0806);
    assertThat(view.vlanId()).isEqualTo(-1);
    assertThat(view.dpid()).isEqualTo(5);
  }

  @Test
  void looksBehindTwoTagsAndTellsTheOuterOne() {
    FrameView view = Objects.requireNonNull(parse(tagged(0xf064, 200)));
    assertThat(view.vlanId()).isEqualTo(100);
    assertThat(view.etherType()).isEqualTo(0x0800);
    assertThat(view.payloadOffset()).isEqualTo(22);
  }

  @Test
  void threeTagsAreRefused() {
    assertThat(parse(tagged(1, 2, 3))).isNull();
  }

  @Test
  void headerCutAnywhereIsRefused() {
    byte[] frame = tagged(1, 2);
    for (int length = 0; length < 22; length++) {
      assertThat(parse(Arrays.copyOf(frame, length))).as("length %d", length).isNull();
    }
    assertThat(parse(Arrays.copyOf(frame, 22))).isNotNull();
  }
}
