package io.lockstep.deploy.ovs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.deploy.ovs.CapturedPings.Tally;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is counted in files that are written here, block by block. */
class CapturedPingsTest {
  private static final int SENDER = 0;
  private static final int RECEIVER = 1;
  private static final int CABLE = 2;
  private static final int ECHO_REPLY = 0;
  private static final int ECHO_REQUEST = 8;

  @TempDir private Path directory;

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  private CapturedPings pings() throws IOException {
    Path file = directory.resolve("pings.pcapng");
    Files.write(file, written.toByteArray());
    return new CapturedPings(file, List.of("sender", "receiver", "cable"));
  }

  private void write(int type, byte[] body) {
    byte[] block = new byte[12 + body.length];
    ByteBuffer out = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(type).putInt(block.length).put(body).putInt(block.length);
    written.writeBytes(block);
  }

  private void writeHeader() {
    byte[] body = new byte[16];
    ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN).putInt(0x1a2b3c4d);
    write(0x0a0d0d0a, body);
  }

  private void see(int number, int sequence, long second, boolean tagged, int icmpType) {
    byte[] frame = frame(sequence, second, tagged, icmpType);
    byte[] body = new byte[20 + (frame.length + 3) / 4 * 4];
    ByteBuffer out = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(number).putLong(0).putInt(frame.length).putInt(frame.length).put(frame);
    write(6, body);
  }

  private void see(int number, int sequence) {
    see(number, sequence, 100 + sequence, number == CABLE, ECHO_REQUEST);
  }

  private static byte[] frame(int sequence, long second, boolean tagged, int icmpType) {
    byte[] bytes = new byte[80];
    ByteBuffer frame = ByteBuffer.wrap(bytes);
    frame.position(12);
    if (tagged) {
      frame.putShort((short) 0x8100).putShort((short) 4000);
    }
    frame.putShort((short) 0x0800);
    int ip = frame.position();
    frame.put(ip, (byte) 0x45).put(ip + 9, (byte) 1);
    int icmp = ip + 20;
    frame.put(icmp, (byte) icmpType).putInt(icmp + 4, sequence);
    frame.order(ByteOrder.nativeOrder()).putLong(icmp + 8, second).putLong(icmp + 16, 7);
    return Arrays.copyOf(bytes, icmp + 24);
  }

  @Test
  void countsWhatIsLostAndWhatIsSeenTwiceOnOneLink() throws IOException {
    writeHeader();
    for (int sequence = 1; sequence <= 4; sequence++) {
      see(SENDER, sequence);
    }
    see(CABLE, 1);
    see(RECEIVER, 1);
    see(CABLE, 2);
    see(CABLE, 3);
    see(CABLE, 3);
    see(CABLE, 3);
    see(RECEIVER, 3);
    see(RECEIVER, 4);
    see(RECEIVER, 4);
    Tally tally = pings().tally();
    assertThat(tally.sent()).isEqualTo(4);
    assertThat(tally.lost()).isEqualTo(1);
    assertThat(tally.looped()).isEqualTo(2);
    assertThat(tally.where()).isEqualTo("1 seen on sender cable, sent at [1970-01-01T00:01:42Z]; ");
  }

  @Test
  void aNumberThatIsUsedAgainIsAnotherPing() throws IOException {
    writeHeader();
    see(SENDER, 1, 100, false, ECHO_REQUEST);
    see(RECEIVER, 1, 100, false, ECHO_REQUEST);
    see(SENDER, 1, 231, false, ECHO_REQUEST);
    Tally tally = pings().tally();
    assertThat(tally.sent()).isEqualTo(2);
    assertThat(tally.lost()).isEqualTo(1);
    assertThat(tally.looped()).isZero();
  }

  @Test
  void repliesAndABlockThatIsCutAreLeftOut() throws IOException {
    writeHeader();
    see(SENDER, 1);
    see(SENDER, 1, 101, false, ECHO_REPLY);
    see(SENDER, 2);
    byte[] whole = written.toByteArray();
    written.reset();
    written.write(whole, 0, whole.length - 1);
    assertThat(pings().tally().sent()).isEqualTo(1);
    written.reset();
    written.write(whole, 0, whole.length);
    assertThat(pings().tally().sent()).isEqualTo(2);
  }

  @Test
  void theLastPingMustReachSenderAndReceiver() throws IOException {
    writeHeader();
    see(SENDER, 1);
    see(RECEIVER, 1);
    see(SENDER, 2);
    assertThat(pings().reach(Instant.ofEpochSecond(101))).isTrue();
    assertThat(pings().reach(Instant.ofEpochSecond(102))).isFalse();
    see(RECEIVER, 2);
    assertThat(pings().reach(Instant.ofEpochSecond(102, 7_000))).isTrue();
    assertThat(pings().reach(Instant.ofEpochSecond(102, 8_000))).isFalse();
  }

  @Test
  void anotherFormatIsRefused() throws IOException {
    write(1, new byte[16]);
    assertThatThrownBy(() -> pings().tally())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("not the format");
    written.reset();
    writeHeader();
    written.writeBytes(new byte[] {6, 0, 0, 0, 0, 0, 0, 0});
    assertThatThrownBy(() -> pings().tally())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("a block of 0 bytes");
  }

  @Test
  void talliesOfManyRoundsAreAddedAndTheirWordsBounded() {
    Tally sum = Tally.NONE;
    for (int round = 0; round < 100; round++) {
      sum = sum.plus(new Tally(10, 2, 1, "x".repeat(1_000)));
    }
    assertThat(sum.sent()).isEqualTo(1_000);
    assertThat(sum.lost()).isEqualTo(200);
    assertThat(sum.looped()).isEqualTo(100);
    assertThat(sum.where()).hasSize(20_000);
  }

  @Test
  void aSummaryIsALineOfJson() {
    UnisonSummary summary =
        new UnisonSummary("in unison, with tags", 20, 2, new Tally(16_714, 0, 3, ""), 25);
    assertThat(summary.line("1234abcd"))
        .isEqualTo(
            "{\"mode\": \"in unison, with tags\", \"changes\": 20, \"kills\": 2, \"pings\": 16714,"
                + " \"twiceOnLink\": 3, \"lost\": 0, \"seconds\": 25, \"commit\": \"1234abcd\"}");
  }
}
