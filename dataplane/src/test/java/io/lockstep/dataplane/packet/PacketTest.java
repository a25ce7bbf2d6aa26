package io.lockstep.dataplane.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PacketTest {
  private static final List<byte[]> SAMPLES =
      List.of(
          SampleFrames.echo(),
          SampleFrames.tcp(1000, 80),
          SampleFrames.udp(1000, 53),
          SampleFrames.arp(),
          SampleFrames.icmp6(),
          SampleFrames.tagged(SampleFrames.tcp(1, 2), 5, 3));

  @Test
  void readsTheHeadersOfATcpSegment() {
    Packet packet = new Packet(SampleFrames.tcp(1000, 80), 7);
    assertThat(packet.get(OxmField.IN_PORT)).isEqualTo(7);
    assertThat(packet.get(OxmField.ETH_SRC)).isEqualTo(SampleFrames.MAC_A.value());
    assertThat(packet.get(OxmField.ETH_DST)).isEqualTo(SampleFrames.MAC_B.value());
    assertThat(packet.get(OxmField.ETH_TYPE)).isEqualTo(0x0800);
    assertThat(packet.get(OxmField.VLAN_VID)).isZero();
    assertThat(packet.get(OxmField.IP_PROTO)).isEqualTo(6);
    assertThat(packet.get(OxmField.IPV4_SRC)).isEqualTo(0x0a000001);
    assertThat(packet.get(OxmField.IPV4_DST)).isEqualTo(0x0a000002);
    assertThat(packet.get(OxmField.TCP_SRC)).isEqualTo(1000);
    assertThat(packet.get(OxmField.TCP_DST)).isEqualTo(80);
    assertThat(packet.has(OxmField.UDP_SRC)).isFalse();
    assertThat(packet.ttl()).isEqualTo(64);
  }

  @Test
  void readsTheHeadersOfArpIcmpAndIpv6() {
    Packet arp = new Packet(SampleFrames.arp(), 1);
    assertThat(arp.get(OxmField.ARP_OP)).isEqualTo(1);
    assertThat(arp.get(OxmField.ARP_SPA)).isEqualTo(0x0a000001);
    assertThat(arp.get(OxmField.ARP_TPA)).isEqualTo(0x0a000002);
    assertThat(arp.get(OxmField.ARP_SHA)).isEqualTo(SampleFrames.MAC_A.value());
    Packet icmp = new Packet(SampleFrames.echo(), 1);
    assertThat(icmp.get(OxmField.ICMPV4_TYPE)).isEqualTo(8);
    assertThat(icmp.has(OxmField.ICMPV4_CODE)).isTrue();
    Packet icmp6 = new Packet(SampleFrames.icmp6(), 1);
    assertThat(icmp6.get(OxmField.ICMPV6_TYPE)).isEqualTo(128);
    assertThat(icmp6.slot(OxmField.IPV6_SRC.slot())).isEqualTo(0xfd00_0000_0000_0000L);
    assertThat(icmp6.slot(OxmField.IPV6_SRC.slot() + 1)).isEqualTo(1);
  }

  @Test
  void etherTypeIsWhatFollowsAllTags() {
    byte[] once = SampleFrames.tagged(SampleFrames.echo(), 5, 3);
    byte[] twice = SampleFrames.tagged(once, 9, 1);
    Packet packet = new Packet(twice, 1);
    assertThat(packet.get(OxmField.VLAN_VID)).isEqualTo(0x1009);
    assertThat(packet.get(OxmField.VLAN_PCP)).isEqualTo(1);
    assertThat(packet.get(OxmField.ETH_TYPE)).isEqualTo(0x0800);
    assertThat(packet.get(OxmField.IPV4_SRC)).isEqualTo(0x0a000001);
  }

  @Test
  void laterFragmentsHaveNoPorts() {
    byte[] frame = SampleFrames.udp(1000, 53);
    Octets.put(frame, 20, 2, 100); // fragment offset
    Packet packet = new Packet(frame, 1);
    assertThat(packet.has(OxmField.IP_PROTO)).isTrue();
    assertThat(packet.has(OxmField.UDP_DST)).isFalse();
  }

  /** OpenFlow 1.0 section 3.1, table 3: 0x05ff is for all 802.3 frames without a SNAP header. */
  @Test
  void frameWithALengthInsteadOfATypeMatchesAsNone() {
    for (byte[] frame :
        List.of(
            SampleFrames.ieee8023(),
            SampleFrames.ieee8023(0x42, 0x42, 3), // spanning tree
            SampleFrames.ieee8023(0xaa, 0xaa, 3, 0, 0, 0, 0x05, 0xff),
            SampleFrames.snap(SampleFrames.echo(), 0x00000c))) {
      Packet packet = new Packet(frame, 1);
      assertThat(packet.get(OxmField.ETH_TYPE)).isEqualTo(0x05ff);
      assertThat(packet.has(OxmField.IPV4_SRC)).isFalse();
    }
  }

  /** The same: a SNAP header of organisation 0 has the type, and its packet follows. */
  @Test
  void typeInASnapHeaderIsAType() {
    byte[] frame = SampleFrames.snap(SampleFrames.udp(1000, 53), 0);
    Packet packet = new Packet(frame, 1);
    assertThat(packet.get(OxmField.ETH_TYPE)).isEqualTo(0x0800);
    assertThat(packet.get(OxmField.UDP_DST)).isEqualTo(53);
    assertThat(packet.set(OxmField.UDP_DST, 54, 0)).isTrue();
    assertThat(packet.bytes())
        .isEqualTo(SampleFrames.snap(edited(SampleFrames.udp(1000, 53), OxmField.UDP_DST, 54), 0));
    Packet tagged = new Packet(SampleFrames.tagged(frame, 7, 2), 1);
    assertThat(tagged.get(OxmField.VLAN_VID)).isEqualTo(0x1007);
    assertThat(tagged.get(OxmField.ETH_TYPE)).isEqualTo(0x0800);
    assertThat(tagged.get(OxmField.UDP_SRC)).isEqualTo(1000);
  }

  private static byte[] edited(byte[] frame, OxmField field, long value) {
    Packet packet = new Packet(frame, 1);
    assertThat(packet.set(field, value, 0)).isTrue();
    return packet.bytes();
  }

  @Test
  void theOutermostLabelIsReadAndSet() {
    Packet packet = new Packet(SampleFrames.mpls(), 1);
    assertThat(packet.get(OxmField.ETH_TYPE)).isEqualTo(0x8847);
    assertThat(packet.get(OxmField.MPLS_LABEL)).isEqualTo(100);
    assertThat(packet.get(OxmField.MPLS_TC)).isEqualTo(5);
    assertThat(packet.has(OxmField.MPLS_BOS)).isTrue();
    assertThat(packet.get(OxmField.MPLS_BOS)).isZero();
    assertThat(packet.has(OxmField.IPV4_SRC)).isFalse();
    packet.set(OxmField.MPLS_LABEL, 0xfffff, 0);
    packet.set(OxmField.MPLS_TC, 2, 0);
    packet.set(OxmField.MPLS_BOS, 1, 0);
    byte[] expected = SampleFrames.mpls();
    Octets.put(expected, 14, 4, 0xffff_f540L); // the time to live of 64 stays
    assertThat(packet.bytes()).isEqualTo(expected);
  }

  @Test
  void sctpPortsAreReadAndSetWithTheChecksum() {
    byte[] frame = SampleFrames.sctp(1000, 2905);
    Packet packet = new Packet(frame, 1);
    assertThat(packet.get(OxmField.SCTP_SRC)).isEqualTo(1000);
    assertThat(packet.get(OxmField.SCTP_DST)).isEqualTo(2905);
    assertThat(packet.has(OxmField.TCP_SRC)).isFalse();
    packet.set(OxmField.SCTP_SRC, 77, 0);
    packet.set(OxmField.SCTP_DST, 78, 0);
    assertThat(packet.bytes()).isEqualTo(SampleFrames.sctp(77, 78));
    frame[42] ^= 1; // a wrong checksum stays wrong
    byte[] wrong = edited(frame, OxmField.SCTP_SRC, 77);
    assertThat(Octets.u32(wrong, 42)).isNotEqualTo(SampleFrames.sumOfSctp(wrong));
  }

  @Test
  void flowLabelAndNeighbourFieldsAreReadAndSet() {
    for (int type : new int[] {135, 136}) {
      OxmField here = type == 135 ? OxmField.IPV6_ND_SLL : OxmField.IPV6_ND_TLL;
      OxmField other = type == 135 ? OxmField.IPV6_ND_TLL : OxmField.IPV6_ND_SLL;
      Packet packet = new Packet(SampleFrames.neighbour(type), 1);
      assertThat(packet.get(OxmField.IPV6_FLABEL)).isEqualTo(0xabcde);
      assertThat(packet.slot(OxmField.IPV6_ND_TARGET.slot() + 1)).isEqualTo(7);
      assertThat(packet.get(here)).isEqualTo(SampleFrames.MAC_A.value());
      assertThat(packet.has(other)).isFalse();
      assertThat(packet.set(here, 0x0200_0000_0099L, 0)).isTrue();
      assertThat(packet.set(OxmField.IPV6_ND_TARGET, 0xfd00_0000_0000_0001L, 9)).isTrue();
      assertThat(packet.set(OxmField.IPV6_FLABEL, 5, 0)).isTrue();
      assertThat(packet.get(here)).isEqualTo(0x0200_0000_0099L);
      assertThat(packet.slot(OxmField.IPV6_ND_TARGET.slot() + 1)).isEqualTo(9);
      byte[] frame = packet.bytes();
      assertThat(Octets.u16(frame, 56)).isEqualTo(SampleFrames.sumOfNeighbour(frame));
      assertThat(Octets.u32(frame, 14)).isEqualTo(0x6000_0005L);
    }
  }

  @Test
  void framesCutAtEveryOctetAreReadWithoutFailure() {
    for (byte[] sample : SAMPLES) {
      for (int length = 0; length < sample.length; length++) {
        touchEverything(new Packet(Arrays.copyOf(sample, length), 1));
      }
    }
  }

  @Test
  void randomFramesAreReadAndEditedWithoutFailure() {
    Random random = new Random(42);
    for (int i = 0; i < 20_000; i++) {
      byte[] frame = SAMPLES.get(random.nextInt(SAMPLES.size())).clone();
      for (int change = random.nextInt(4); change >= 0; change--) {
        frame[random.nextInt(frame.length)] = (byte) random.nextInt();
      }
      touchEverything(new Packet(Arrays.copyOf(frame, random.nextInt(frame.length + 1)), 1));
    }
  }

  private static void touchEverything(Packet packet) {
    for (OxmField field : OxmField.values()) {
      packet.get(field);
      packet.set(field, field.fullMask(), 1);
    }
    packet.popVlan();
    packet.pushVlan(EtherTypes.VLAN);
    if (packet.ttl() > 1) {
      packet.setTtl(packet.ttl() - 1);
    }
    assertThat(packet.bytes()).isNotNull();
  }

  @Test
  void editingLeavesTheOriginalBytesAlone() {
    byte[] frame = SampleFrames.tcp(1000, 80);
    byte[] before = frame.clone();
    Packet packet = new Packet(frame, 1);
    assertThat(packet.set(OxmField.TCP_DST, 8080, 0)).isTrue();
    byte[] first = packet.bytes();
    packet.set(OxmField.TCP_DST, 9090, 0);
    assertThat(frame).isEqualTo(before);
    assertThat(new Packet(first, 1).get(OxmField.TCP_DST)).isEqualTo(8080);
    assertThat(packet.get(OxmField.TCP_DST)).isEqualTo(9090);
  }

  @Test
  void editedTcpSegmentsKeepTheirChecksums() {
    Packet packet = new Packet(SampleFrames.tcp(1000, 80), 1);
    packet.set(OxmField.IPV4_DST, Ipv4.parse("192.168.255.254").unsigned(), 0);
    packet.set(OxmField.IPV4_SRC, Ipv4.parse("172.16.0.9").unsigned(), 0);
    packet.set(OxmField.TCP_SRC, 65535, 0);
    packet.set(OxmField.TCP_DST, 0, 0);
    packet.set(OxmField.IP_DSCP, 46, 0);
    packet.setTtl(3);
    byte[] frame = packet.bytes();
    assertThat(Octets.checksum(Octets.sum(frame, 14, 34, 0))).isZero();
    // decode returns null when the TCP checksum is wrong
    TcpSegment segment = Objects.requireNonNull(TcpSegment.decode(new Packet(frame, 1)));
    assertThat(segment.sourcePort()).isEqualTo(65535);
    assertThat(segment.ends().target()).isEqualTo(Ipv4.parse("192.168.255.254"));
  }

  @Test
  void editedUdpKeepsItsChecksumAndItsAbsence() {
    Packet packet = new Packet(SampleFrames.udp(1000, 53), 1);
    packet.set(OxmField.IPV4_SRC, Ipv4.parse("172.16.0.9").unsigned(), 0);
    packet.set(OxmField.UDP_DST, 5353, 0);
    byte[] frame = packet.bytes();
    long sum = IpFrame.pseudoHeader(frame, EtherTypes.PROTO_UDP, 12);
    assertThat(Octets.checksum(Octets.sum(frame, 34, 46, sum))).isZero();
    byte[] without = SampleFrames.udp(1000, 53);
    Octets.put(without, 40, 2, 0);
    Packet unsummed = new Packet(without, 1);
    unsummed.set(OxmField.UDP_DST, 5353, 0);
    assertThat(Octets.u16(unsummed.bytes(), 40)).isZero();
  }

  @Test
  void editedIcmpv6KeepsItsChecksum() {
    Packet packet = new Packet(SampleFrames.icmp6(), 1);
    packet.set(OxmField.IPV6_DST, 0x2001_0db8_0000_0000L, 0xffff_ffff_ffff_0001L);
    packet.set(OxmField.ICMPV6_TYPE, 129, 0);
    byte[] frame = packet.bytes();
    assertThat(Octets.u16(frame, 56)).isEqualTo(SampleFrames.sumOfIcmp6(frame));
    assertThat(packet.slot(OxmField.IPV6_DST.slot() + 1)).isEqualTo(0xffff_ffff_ffff_0001L);
  }

  @Test
  void pushedTagCopiesThePresentOne() {
    Packet packet = new Packet(SampleFrames.tagged(SampleFrames.echo(), 5, 3), 1);
    packet.pushVlan(EtherTypes.SERVICE_VLAN);
    assertThat(packet.get(OxmField.VLAN_VID)).isEqualTo(0x1005);
    assertThat(packet.get(OxmField.VLAN_PCP)).isEqualTo(3);
    assertThat(Octets.u16(packet.bytes(), 12)).isEqualTo(0x88a8);
    assertThat(packet.popVlan()).isTrue();
    assertThat(packet.popVlan()).isTrue();
    assertThat(packet.bytes()).isEqualTo(SampleFrames.echo());
    assertThat(packet.popVlan()).isFalse();
  }

  @Test
  void absentFieldsCannotBeSet() {
    Packet packet = new Packet(SampleFrames.arp(), 1);
    assertThat(packet.set(OxmField.TCP_DST, 80, 0)).isFalse();
    assertThat(packet.set(OxmField.VLAN_VID, 0x1001, 0)).isFalse();
    assertThat(packet.bytes()).isEqualTo(SampleFrames.arp());
  }

  @Test
  void messagesOfHostsSurviveEncoding() {
    TcpSegment segment =
        new TcpSegment(SampleFrames.A_TO_B, 1, 2, 0xffff_fff0L, 77, TcpSegment.ACK, new byte[] {9});
    assertThat(TcpSegment.decode(new Packet(segment.encode(), 1))).isEqualTo(segment);
    IcmpEcho echo = new IcmpEcho(SampleFrames.A_TO_B, false, 65535, 3);
    assertThat(IcmpEcho.decode(new Packet(echo.encode(), 1))).isEqualTo(echo);
    ArpMessage arp = ArpMessage.announcement(SampleFrames.MAC_A, SampleFrames.IP_A);
    assertThat(ArpMessage.decode(new Packet(arp.encode(), 1))).isEqualTo(arp);
  }

  @Test
  void messagesWithAWrongChecksumAreNotRead() {
    byte[] frame = SampleFrames.tcp(1, 2);
    frame[frame.length - 1] ^= 1; // padding does not count
    assertThat(TcpSegment.decode(new Packet(frame, 1))).isNotNull();
    frame[IpFrame.TRANSPORT_AT + 20] ^= 1;
    assertThat(TcpSegment.decode(new Packet(frame, 1))).isNull();
  }

  @Test
  void addressesAreReadStrictly() {
    assertThat(Mac.parse("02:00:00:00:AA:0b")).hasToString("02:00:00:00:aa:0b");
    assertThat(Ipv4.parse("255.0.10.1")).hasToString("255.0.10.1");
    for (String wrong : List.of("", "1.2.3", "1.2.3.256", "1.2.3.4.5", "a.b.c.d")) {
      assertThatThrownBy(() -> Ipv4.parse(wrong)).isInstanceOf(IllegalArgumentException.class);
    }
    for (String wrong : List.of("", "02:00:00:00:00", "02-00-00-00-00-01", "zz:00:00:00:00:01")) {
      assertThatThrownBy(() -> Mac.parse(wrong)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
