package io.lockstep.dataplane.flowtable;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.flowtable.Action.Output;
import io.lockstep.dataplane.packet.EtherTypes;
import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.packet.SampleFrames;
import org.junit.jupiter.api.Test;

/** OpenFlow 1.3.5 sections 5.3, 5.4 and 7.2.3. */
class MatchingTest {
  private static final FlowMatch IPV4 =
      FlowMatch.builder().exact(OxmField.ETH_TYPE, EtherTypes.IPV4).build();

  private final PipelineHarness harness = new PipelineHarness();

  private void rule(FlowMatch match, int priority, int port) {
    harness.accept(FlowMod.add(match, priority, Instructions.applying(Output.to(port))));
  }

  private static FlowMatch.Builder ip() {
    return FlowMatch.builder().exact(OxmField.ETH_TYPE, EtherTypes.IPV4);
  }

  /** Section 5.3: the entry of highest priority is selected, whatever its masks. */
  @Test
  void highestPriorityWins() {
    rule(ip().masked(OxmField.IPV4_DST, 0x0a000000, 0xff000000L).build(), 10, 1);
    rule(ip().exact(OxmField.IPV4_DST, 0x0a000002).build(), 5, 2);
    rule(FlowMatch.ANY, 1, 3);
    assertThat(harness.send(SampleFrames.echo(), 1)).isEqualTo("1");
    assertThat(harness.send(SampleFrames.arp(), 1)).isEqualTo("3");
  }

  /** Section 5.4: without a table-miss entry unmatched packets are dropped. */
  @Test
  void missWithoutTableMissEntryDrops() {
    rule(ip().exact(OxmField.IPV4_DST, 0x0a000009).build(), 10, 1);
    assertThat(harness.send(SampleFrames.echo(), 1)).isEqualTo("miss 0");
  }

  /** Section 5.4: the table-miss entry wildcards everything and has priority 0. */
  @Test
  void onlyPriorityZeroWithAllWildcardsIsTheTableMissEntry() {
    rule(FlowMatch.ANY, 0, PortNumbers.CONTROLLER);
    assertThat(harness.send(SampleFrames.arp(), 1)).isEqualTo("controller-miss");
    rule(FlowMatch.builder().exact(OxmField.IN_PORT, 2).build(), 0, PortNumbers.CONTROLLER);
    assertThat(harness.send(SampleFrames.arp(), 2)).isEqualTo("controller");
    rule(FlowMatch.ANY, 1, PortNumbers.CONTROLLER);
    assertThat(harness.send(SampleFrames.arp(), 1)).isEqualTo("controller");
  }

  @Test
  void addressOfTwoWordsIsExactOnlyInBoth() {
    FlowMatch whole = FlowMatch.builder().masked128(OxmField.IPV6_DST, 1, 2, -1, -1).build();
    assertThat(whole.isExact(OxmField.IPV6_DST)).isTrue();
    for (long[] masks : new long[][] {{-1, 0}, {0, -1}, {-1, -2}}) {
      FlowMatch part =
          FlowMatch.builder().masked128(OxmField.IPV6_DST, 1, 2, masks[0], masks[1]).build();
      assertThat(part.isExact(OxmField.IPV6_DST)).isFalse();
      assertThat(part).isNotEqualTo(whole);
    }
  }

  @Test
  void inPortAndMasksSelect() {
    rule(FlowMatch.builder().exact(OxmField.IN_PORT, 3).build(), 9, 1);
    rule(
        FlowMatch.builder().masked(OxmField.ETH_DST, 0x0200_0000_0000L, 0xff00_0000_0000L).build(),
        5,
        2);
    assertThat(harness.send(SampleFrames.echo(), 3)).isEqualTo("1");
    assertThat(harness.send(SampleFrames.echo(), 4)).isEqualTo("2");
    assertThat(harness.send(SampleFrames.arp(), 4)).isEqualTo("miss 0"); // broadcast
  }

  /** Section 7.2.3.8, table 13: no tag, any tag, one tag. */
  @Test
  void vlanMatchesTellUntaggedFromTagged() {
    byte[] five = SampleFrames.tagged(SampleFrames.echo(), 5, 3);
    byte[] six = SampleFrames.tagged(SampleFrames.echo(), 6, 0);
    rule(FlowMatch.builder().exact(OxmField.VLAN_VID, 0).build(), 1, 1);
    rule(FlowMatch.builder().masked(OxmField.VLAN_VID, 0x1000, 0x1000).build(), 2, 2);
    rule(FlowMatch.builder().exact(OxmField.VLAN_VID, 0x1005).build(), 3, 3);
    assertThat(harness.send(SampleFrames.echo(), 1)).isEqualTo("1");
    assertThat(harness.send(six, 1)).isEqualTo("2");
    assertThat(harness.send(five, 1)).isEqualTo("3");
    rule(
        FlowMatch.builder().exact(OxmField.VLAN_VID, 0x1005).exact(OxmField.VLAN_PCP, 3).build(),
        4,
        4);
    assertThat(harness.send(five, 1)).isEqualTo("4");
  }

  /** Section 7.2.3.8: a mask may leave the presence of a tag open, or bits of the id. */
  @Test
  void vlanMasksCompareBits() {
    byte[] five = SampleFrames.tagged(SampleFrames.echo(), 5, 0);
    byte[] six = SampleFrames.tagged(SampleFrames.echo(), 6, 0);
    byte[] zero = SampleFrames.tagged(SampleFrames.echo(), 0, 0);
    rule(FlowMatch.builder().masked(OxmField.VLAN_VID, 0x0001, 0x0001).build(), 3, 1);
    rule(FlowMatch.builder().masked(OxmField.VLAN_VID, 0x1004, 0x1004).build(), 2, 2);
    rule(FlowMatch.builder().masked(OxmField.VLAN_VID, 0, 0x0fff).build(), 1, 3);
    assertThat(harness.send(five, 1)).isEqualTo("1");
    assertThat(harness.send(six, 1)).isEqualTo("2");
    assertThat(harness.send(zero, 1)).isEqualTo("3");
    assertThat(harness.send(SampleFrames.echo(), 1)).isEqualTo("3");
    FlowMatch odd =
        FlowMatch.builder()
            .masked(OxmField.VLAN_VID, 0x0001, 0x0001)
            .exact(OxmField.VLAN_PCP, 2)
            .build();
    rule(odd, 4, 4);
    assertThat(harness.send(SampleFrames.tagged(SampleFrames.echo(), 7, 2), 1)).isEqualTo("4");
  }

  @Test
  void labelsPortsOfSctpAndNeighboursSelect() {
    rule(
        FlowMatch.builder()
            .exact(OxmField.ETH_TYPE, EtherTypes.MPLS)
            .exact(OxmField.MPLS_LABEL, 100)
            .exact(OxmField.MPLS_BOS, 0)
            .build(),
        5,
        1);
    rule(ip().exact(OxmField.IP_PROTO, 132).exact(OxmField.SCTP_DST, 2905).build(), 5, 2);
    FlowMatch.Builder neighbour =
        FlowMatch.builder()
            .exact(OxmField.ETH_TYPE, EtherTypes.IPV6)
            .exact(OxmField.IP_PROTO, 58)
            .exact(OxmField.ICMPV6_TYPE, 135)
            .masked(OxmField.IPV6_FLABEL, 0xab000, 0xff000)
            .masked128(OxmField.IPV6_ND_TARGET, 0xfd00_0000_0000_0000L, 7, -1L, -1L)
            .exact(OxmField.IPV6_ND_SLL, SampleFrames.MAC_A.value());
    rule(neighbour.build(), 5, 3);
    rule(FlowMatch.ANY, 0, 4);
    assertThat(harness.send(SampleFrames.mpls(), 1)).isEqualTo("1");
    assertThat(harness.send(SampleFrames.sctp(1, 2905), 1)).isEqualTo("2");
    assertThat(harness.send(SampleFrames.sctp(1, 2906), 1)).isEqualTo("4");
    assertThat(harness.send(SampleFrames.neighbour(135), 1)).isEqualTo("3");
    assertThat(harness.send(SampleFrames.neighbour(136), 1)).isEqualTo("4");
  }

  /** A field the packet does not carry matches no value, not even zero. */
  @Test
  void absentFieldsMatchNothing() {
    byte[] frame = SampleFrames.tcp(0, 0);
    frame[20] = 0;
    frame[21] = 50; // a later fragment: no ports
    rule(ip().exact(OxmField.IP_PROTO, 6).exact(OxmField.TCP_DST, 0).build(), 9, 1);
    rule(FlowMatch.ANY, 0, 2);
    assertThat(harness.send(frame, 1)).isEqualTo("2");
    assertThat(harness.send(SampleFrames.tcp(0, 0), 1)).isEqualTo("1");
  }

  @Test
  void transportArpIcmpAndIpv6FieldsSelect() {
    rule(ip().exact(OxmField.IP_PROTO, 6).exact(OxmField.TCP_DST, 80).build(), 5, 1);
    rule(ip().exact(OxmField.IP_PROTO, 17).exact(OxmField.UDP_DST, 53).build(), 5, 2);
    rule(ip().exact(OxmField.IP_PROTO, 1).exact(OxmField.ICMPV4_TYPE, 8).build(), 5, 3);
    rule(
        FlowMatch.builder()
            .exact(OxmField.ETH_TYPE, EtherTypes.ARP)
            .exact(OxmField.ARP_OP, 1)
            .masked(OxmField.ARP_TPA, 0x0a000000, 0xffffff00L)
            .build(),
        5,
        4);
    assertThat(harness.send(SampleFrames.tcp(1, 80), 1)).isEqualTo("1");
    assertThat(harness.send(SampleFrames.udp(1, 53), 1)).isEqualTo("2");
    assertThat(harness.send(SampleFrames.echo(), 1)).isEqualTo("3");
    assertThat(harness.send(SampleFrames.arp(), 1)).isEqualTo("4");
    rule(
        FlowMatch.builder()
            .exact(OxmField.ETH_TYPE, EtherTypes.IPV6)
            .masked128(OxmField.IPV6_DST, 0xfd00_0000_0000_0000L, 2, 0xff00_0000_0000_0000L, -1L)
            .build(),
        5,
        1);
    assertThat(harness.send(SampleFrames.icmp6(), 1)).isEqualTo("1");
  }

  /** Entries of equal priority that both match: the first one installed, every time. */
  @Test
  void amongEqualPrioritiesTheOlderEntryIsUsed() {
    rule(IPV4, 5, 1);
    rule(ip().exact(OxmField.IP_PROTO, 1).build(), 5, 2);
    assertThat(harness.send(SampleFrames.echo(), 1)).isEqualTo("1");
  }

  @Test
  void coversAndOverlapsFollowTheMasks() {
    FlowMatch ten = ip().masked(OxmField.IPV4_DST, 0x0a000000, 0xff000000L).build();
    FlowMatch host = ip().exact(OxmField.IPV4_DST, 0x0a000002).build();
    FlowMatch eleven = ip().exact(OxmField.IPV4_DST, 0x0b000002).build();
    FlowMatch port = FlowMatch.builder().exact(OxmField.IN_PORT, 1).build();
    assertThat(ten.covers(host)).isTrue();
    assertThat(host.covers(ten)).isFalse();
    assertThat(FlowMatch.ANY.covers(ten)).isTrue();
    FlowMatch zero = ip().exact(OxmField.IPV4_DST, 0).build();
    assertThat(zero.covers(ip().build())).as("of which some have other addresses").isFalse();
    assertThat(zero.covers(ip().masked(OxmField.IPV4_DST, 0, 0xff000000L).build())).isFalse();
    assertThat(ip().build().covers(zero)).isTrue();
    assertThat(ten.overlaps(host)).isTrue();
    assertThat(ten.overlaps(eleven)).isFalse();
    assertThat(ten.overlaps(port)).isTrue();
    assertThat(ten).isEqualTo(ip().masked(OxmField.IPV4_DST, 0x0a123456, 0xff000000L).build());
  }
}
