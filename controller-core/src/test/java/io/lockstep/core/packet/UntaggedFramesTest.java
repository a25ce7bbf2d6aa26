package io.lockstep.core.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.southbound.PacketIn;
import org.junit.jupiter.api.Test;
import org.onosproject.net.PortNumber;

/** Frames that a switch gave the tag of its own VLAN. */
class UntaggedFramesTest {
  private static PacketIn packet(int... frame) {
    byte[] bytes = new byte[frame.length];
    for (int i = 0; i < frame.length; i++) {
      bytes[i] = (byte) frame[i];
    }
    return new PacketIn(
        9, 60, PortNumber.portNumber(1), PacketIn.Reason.ACTION, 0, bytes, bytes.length + 100);
  }

  private static PacketIn tagged(int vlan) {
    return packet(1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 0x81, 0, 0x20, vlan, 8, 6, 77);
  }

  @Test
  void theTagOfTheSwitchIsTakenAwayAndNoOther() {
    PacketIn freed = UntaggedFrames.of(tagged(5), 5);
    assertThat(freed.data()).isEqualTo(packet(1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 8, 6, 77).data());
    assertThat(freed.totalLength()).isEqualTo(19 + 100 - 4);
    assertThat(freed.bufferId()).as("it holds the tag").isEqualTo(PacketIn.NO_BUFFER);
    PacketIn other = tagged(6);
    assertThat(UntaggedFrames.of(other, 5)).isSameAs(other);
    assertThat(UntaggedFrames.of(other, 0)).isSameAs(other);
    PacketIn plain = packet(1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 8, 6, 77);
    assertThat(UntaggedFrames.of(plain, 5)).isSameAs(plain);
    PacketIn cut = packet(1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 0x81, 0);
    assertThat(UntaggedFrames.of(cut, 5)).isSameAs(cut);
  }
}
