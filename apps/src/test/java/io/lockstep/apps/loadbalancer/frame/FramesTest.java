package io.lockstep.apps.loadbalancer.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Golden bytes, which another program computed from the RFCs. */
class FramesTest {
  private static final String ARP_HEAD = "0001080006040001";
  private static final String CLIENT = "02000000000a";
  private static final String VIRTUAL = "024c0a000064";
  private static final long VIRTUAL_MAC = 0x024c_0a00_0064L;
  private static final long PROBE_MAC = 0x024c_0000_0001L;
  private static final int VIP = 0x0a00_0064;
  private static final int MEMBER = 0x0a00_0001;

  private static final String ASK =
      "0806" + ARP_HEAD + CLIENT + "0a0000c8" + "000000000000" + "0a000064" + "00".repeat(18);
  private static final String ANSWER =
      "0806" + "0001080006040002" + VIRTUAL + "0a000064" + CLIENT + "0a0000c8";
  private static final String PING =
      VIRTUAL
          + CLIENT
          + "08004500002b00634000400125440a0000c80a0000640800e9fd004d0003"
          + "68656c6c6f206c6f636b7374657021";
  private static final String SYN =
      VIRTUAL
          + CLIENT
          + "08004500002c000540004006259c0a0000c80a000064"
          + "13880050fffffff0000000006002faf074410000020405b4";

  static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  private static String hex(byte @Nullable [] bytes) {
    return HexFormat.of().formatHex(Objects.requireNonNull(bytes));
  }

  private static EthernetHead head(byte[] frame) {
    return Objects.requireNonNull(EthernetHead.of(frame));
  }

  private static Ipv4Packet ip(byte[] frame) {
    return Objects.requireNonNull(Ipv4Packet.of(frame, head(frame)));
  }

  private static String arpReply(String request) {
    byte[] frame = bytes(request);
    ArpPacket arp = Objects.requireNonNull(ArpPacket.of(frame, head(frame)));
    return hex(arp.reply(frame, VIRTUAL_MAC));
  }

  @Test
  void arpIsAnsweredInItsVlan() {
    assertThat(arpReply("ffffffffffff" + CLIENT + ASK)).isEqualTo(CLIENT + VIRTUAL + ANSWER);
    assertThat(arpReply("ffffffffffff" + CLIENT + "81000007" + ASK))
        .isEqualTo(CLIENT + VIRTUAL + "81000007" + ANSWER);
  }

  @Test
  void anEchoIsAnsweredWithItsData() {
    byte[] frame = bytes(PING);
    String reply =
        CLIENT
            + VIRTUAL
            + "08004500002b00004000400125a70a0000640a0000c80000f1fd004d0003"
            + "68656c6c6f206c6f636b7374657021";
    assertThat(hex(IcmpEcho.reply(frame, ip(frame)))).isEqualTo(reply);
    byte[] answer = bytes(reply);
    assertThat(IcmpEcho.repliedTo(answer, ip(answer))).isEqualTo(77L << 16 | 3);
    assertThat(IcmpEcho.repliedTo(frame, ip(frame))).isEqualTo(-1);
  }

  @Test
  void anEchoThatIsDamagedCutOrAFragmentIsNotAnswered() {
    byte[] damaged = bytes(PING);
    damaged[damaged.length - 1]++;
    assertThat(IcmpEcho.reply(damaged, ip(damaged))).isNull();
    byte[] cut = Arrays.copyOf(bytes(PING), 50);
    assertThat(IcmpEcho.reply(cut, ip(cut))).isNull();
    byte[] fragment = bytes(PING);
    fragment[21] = 1;
    fragment[25]--; // the checksum of the head
    assertThat(IcmpEcho.reply(fragment, ip(fragment))).isNull();
  }

  private static String reset(String segment) {
    byte[] frame = bytes(segment);
    return hex(Objects.requireNonNull(TcpHead.of(frame, ip(frame))).reset(frame, ip(frame)));
  }

  @Test
  void aSynIsResetByItsSequence() {
    byte[] frame = bytes(SYN);
    TcpHead tcp = Objects.requireNonNull(TcpHead.of(frame, ip(frame)));
    assertThat(tcp.isSyn()).isTrue();
    assertThat(tcp.isSynAck()).isFalse();
    assertThat(reset(SYN))
        .isEqualTo(
            CLIENT
                + VIRTUAL
                + "08004500002800004000400625a50a0000640a0000c8"
                + "0050138800000000fffffff15014000086db0000");
  }

  @Test
  void dataIsResetByWhatItAcknowledges() {
    assertThat(
            reset(
                VIRTUAL
                    + CLIENT
                    + "08004500002b00004000400625a20a0000c80a000064"
                    + "13880050000003e812345678501801f57cf70000474554"))
        .isEqualTo(
            CLIENT
                + VIRTUAL
                + "08004500002800004000400625a50a0000640a0000c8"
                + "005013881234567800000000500400001e310000");
  }

  @Test
  void dataAndFinTakeSequenceNumbersAndAResetIsNotReset() {
    assertThat(
            reset(
                VIRTUAL
                    + CLIENT
                    + "08004500002b00004000400625a20a0000c80a000064"
                    + "13880050ffffffff00000000500101f5c0850000616263"))
        .endsWith("0050138800000000000000035014000086ca0000");
    byte[] frame =
        bytes(
            VIRTUAL
                + CLIENT
                + "08004500002800004000400625a50a0000c80a000064"
                + "13880050000003e8000000005004000082f50000");
    assertThat(Objects.requireNonNull(TcpHead.of(frame, ip(frame))).reset(frame, ip(frame)))
        .isNull();
  }

  @Test
  void questionsOfOurOwn() {
    long client = 0x0200_0000_000aL;
    assertThat(hex(TcpHead.syn(client, PROBE_MAC, 7, VIP, MEMBER, 999, 8_080, 0xcafe)))
        .isEqualTo(
            "02000000000a024c0000000181000007080045000028000040004006266c0a0000640a000001"
                + "03e71f900000cafe0000000050020400a9080000");
    assertThat(hex(IcmpEcho.request(client, PROBE_MAC, 0, VIP, MEMBER, 1, 2)))
        .isEqualTo(
            "02000000000a024c0000000108004500001c000040004001267d0a0000640a0000010800f7fc00010002");
    assertThat(hex(ArpPacket.request(client, PROBE_MAC, 0, MEMBER, 0)))
        .isEqualTo(
            "02000000000a024c0000000108060001080006040001024c0000000100000000"
                + "0000000000000a000001");
  }

  @Test
  void framesThatEndAnywhereAndAnyBytesAreReadWithoutHarm() {
    Random random = new Random(5);
    for (String frame : new String[] {PING, SYN, "ffffffffffff" + CLIENT + "81000007" + ASK}) {
      byte[] whole = bytes(frame);
      for (int length = 0; length <= whole.length; length++) {
        byte[] cut = Arrays.copyOf(whole, length);
        assertThatCode(() -> readAll(cut)).doesNotThrowAnyException();
      }
      for (int i = 0; i < 20_000; i++) {
        byte[] damaged = whole.clone();
        for (int change = random.nextInt(4); change >= 0; change--) {
          damaged[12 + random.nextInt(damaged.length - 12)] = (byte) random.nextInt();
        }
        assertThatCode(() -> readAll(damaged)).doesNotThrowAnyException();
      }
    }
  }

  private static void readAll(byte[] frame) {
    EthernetHead head = EthernetHead.of(frame);
    ArpPacket arp = head == null ? null : ArpPacket.of(frame, head);
    if (arp != null) {
      arp.reply(frame, VIRTUAL_MAC);
    }
    Ipv4Packet ip = head == null ? null : Ipv4Packet.of(frame, head);
    if (ip != null) {
      IcmpEcho.reply(frame, ip);
      IcmpEcho.repliedTo(frame, ip);
      TcpHead tcp = TcpHead.of(frame, ip);
      if (tcp != null) {
        tcp.reset(frame, ip);
      }
      if (ip.hasPorts(frame)) {
        ip.sourcePort(frame);
        ip.destinationPort(frame);
      }
    }
  }
}
