package io.lockstep.dataplane.packet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class NumberedDatagramTest {
  private static NumberedDatagram decoded(byte[] frame) {
    return Objects.requireNonNull(NumberedDatagram.decode(new Packet(frame, 1)));
  }

  @Test
  void datagramsAreReadBack() {
    for (long number : new long[] {0, 1, -1, Long.MIN_VALUE, 0x0123_4567_89ab_cdefL}) {
      NumberedDatagram sent = new NumberedDatagram(SampleFrames.A_TO_B, 65535, number);
      assertThat(decoded(sent.encode())).isEqualTo(sent);
    }
  }

  @Test
  void switchesSeeAUdpPacket() {
    Packet packet = new Packet(new NumberedDatagram(SampleFrames.A_TO_B, 5000, 7).encode(), 1);
    assertThat(packet.get(OxmField.UDP_SRC)).isEqualTo(5000);
    assertThat(packet.get(OxmField.UDP_DST)).isEqualTo(5000);
    assertThat(packet.get(OxmField.IP_PROTO)).isEqualTo(EtherTypes.PROTO_UDP);
  }

  @Test
  void whatIsChangedOrCutIsNotRead() {
    byte[] frame = new NumberedDatagram(SampleFrames.A_TO_B, 5000, 7).encode();
    for (int at = IpFrame.TRANSPORT_AT; at < IpFrame.TRANSPORT_AT + 16; at++) {
      byte[] changed = frame.clone();
      changed[at] ^= 0x40;
      assertThat(NumberedDatagram.decode(new Packet(changed, 1))).as("octet %d", at).isNull();
    }
    for (int length = 0; length < IpFrame.TRANSPORT_AT + 16; length++) {
      byte[] cut = Arrays.copyOf(frame, length);
      assertThat(NumberedDatagram.decode(new Packet(cut, 1))).as("%d octets", length).isNull();
    }
    assertThat(NumberedDatagram.decode(new Packet(SampleFrames.echo(), 1))).isNull();
  }
}
