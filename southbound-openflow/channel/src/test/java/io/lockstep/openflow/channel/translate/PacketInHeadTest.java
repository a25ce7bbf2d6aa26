package io.lockstep.openflow.channel.translate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.projectfloodlight.openflow.protocol.OFVersion;

/** What is read of a packet-in where it lies, against what {@link PacketInReader} makes of it. */
class PacketInHeadTest {
  private static final String UNICAST = "020000000001" + "020000000002";
  private static final String BROADCAST = "ffffffffffff" + "020000000002";

  /** Bytes of other messages in front, as in the buffer of a connection. */
  private static final int START = 13;

  private static byte[] packetIn(OFVersion version, int port, String frame) {
    String data = frame + "00".repeat(Math.max(0, 60 - frame.length() / 2));
    String fields =
        version == OFVersion.OF_10
            ? String.format("%04x0000", port & 0xffff)
            : String.format("00000000000000000000" + "0001000c80000004%08x00000000" + "0000", port);
    String body = "ffffffff003c" + fields + data;
    return ByteBufUtil.decodeHexDump(
        String.format("%02x0a%04x00000007", version.getWireVersion(), 8 + body.length() / 2)
            + body);
  }

  private static ByteBuf inBuffer(byte[] message) {
    return Unpooled.buffer().writeZero(START).writeBytes(message).writeLong(-1);
  }

  private static long port(OFVersion version, byte[] message) {
    return PacketInHead.port(version, inBuffer(message), START, message.length);
  }

  private static PacketKind kind(OFVersion version, String frame) {
    byte[] message = packetIn(version, 1, frame);
    return PacketInHead.kind(version, inBuffer(message), START, message.length);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 48, 1023, 1024, 0xfe00, 0xfff8, 0xfffd, 0xfffe, 0xffff})
  void portsAreThoseOfTheReader(int port) {
    for (OFVersion version : new OFVersion[] {OFVersion.OF_10, OFVersion.OF_13}) {
      int wire = version == OFVersion.OF_13 && port >= 0xfff8 ? port | 0xffff_0000 : port;
      byte[] message = packetIn(version, wire, UNICAST + "0800");
      PacketIn read =
          (PacketIn)
              Objects.requireNonNull(
                  PacketInReader.read(version, 10, Unpooled.wrappedBuffer(message)));
      assertThat(port(version, message)).isEqualTo(read.inPort().toLong());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"OF_10", "OF_13"})
  void kindsAreToldByTheFirstBytes(OFVersion version) {
    assertThat(kind(version, UNICAST + "0800")).isEqualTo(PacketKind.UNICAST);
    assertThat(kind(version, BROADCAST + "0806")).isEqualTo(PacketKind.GROUP);
    assertThat(kind(version, "01005e000001" + "020000000002" + "0800")).isEqualTo(PacketKind.GROUP);
    assertThat(kind(version, UNICAST + "88cc")).isEqualTo(PacketKind.LINK_PROBE);
    assertThat(kind(version, BROADCAST + "8100000588cc")).isEqualTo(PacketKind.LINK_PROBE);
    assertThat(kind(version, BROADCAST + "88a800058100000688cc")).isEqualTo(PacketKind.LINK_PROBE);
    assertThat(kind(version, BROADCAST + "81000005810000058100000588cc"))
        .as("more tags than the node reads")
        .isEqualTo(PacketKind.GROUP);
  }

  @ParameterizedTest
  @EnumSource(names = {"OF_10", "OF_13"})
  void everyTruncationIsLeftToTheReaderOrReadAlike(OFVersion version) {
    byte[] whole = packetIn(version, 3, BROADCAST + "8100000588cc");
    for (int length = 8; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      cut[2] = (byte) (length >> 8);
      cut[3] = (byte) length;
      long port = port(version, cut);
      Throwable refused =
          catchThrowable(() -> PacketInReader.read(version, 10, Unpooled.wrappedBuffer(cut)));
      assertThat(port)
          .as("cut to %d bytes, the reader says %s", length, refused)
          .isEqualTo(refused == null ? 3 : PacketInHead.UNREADABLE);
      if (refused == null) {
        assertThat(PacketInHead.kind(version, inBuffer(cut), START, length)).isNotNull();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0000000c800000040000000300000000",
    "0001000380000004",
    "0001ffff800000040000000300000000",
    "0001000c000100080000000300000000",
    "00010004000000000000000000000000"
  })
  void lyingMatchesAreLeftToTheReader(String match) {
    byte[] message =
        ByteBufUtil.decodeHexDump(
            "040a005600000007"
                + "ffffffff003c00000000000000000000"
                + match
                + "0000"
                + UNICAST
                + "0800"
                + "00".repeat(30));
    message[3] = (byte) message.length;
    assertThat(port(OFVersion.OF_13, message)).isEqualTo(PacketInHead.UNREADABLE);
  }

  /** Random bytes behind the header never make it read beyond the message. */
  @Test
  void whateverTheBytesAreNothingIsReadBeyondThem() {
    Random random = new Random(4711);
    for (int i = 0; i < 200_000; i++) {
      byte[] message = new byte[8 + random.nextInt(90)];
      random.nextBytes(message);
      if (message.length > 28) {
        message[24] = 0;
        message[25] = 1;
        message[26] = 0;
      }
      OFVersion version = random.nextBoolean() ? OFVersion.OF_10 : OFVersion.OF_13;
      ByteBuf exact = Unpooled.wrappedBuffer(message);
      if (PacketInHead.port(version, exact, 0, message.length) != PacketInHead.UNREADABLE) {
        assertThat(PacketInHead.kind(version, exact, 0, message.length)).isNotNull();
      }
    }
  }
}
