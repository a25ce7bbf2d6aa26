package io.lockstep.core.flow.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.MacAddress;
import org.onlab.packet.TpPort;
import org.onlab.packet.VlanId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.TrafficSelector;

class HeaderSpaceTest {
  private static final MacAddress MAC = MacAddress.valueOf("02:00:00:00:00:fe");

  private static TernaryMatch match(TrafficSelector.Builder selector) throws Exception {
    return HeaderSpace.match(selector.build());
  }

  private static TrafficSelector.Builder selector() {
    return DefaultTrafficSelector.builder();
  }

  private static void refused(TrafficSelector.Builder selector, String... words) {
    assertThatThrownBy(() -> match(selector))
        .isInstanceOf(HeaderSpace.Inexpressible.class)
        .hasMessageContainingAll(words);
  }

  @Test
  void selectorsGoThereAndBack() throws Exception {
    Random random = new Random(5);
    for (int i = 0; i < 20_000; i++) {
      TrafficSelector selector = random(random);
      TernaryMatch match = HeaderSpace.match(selector);
      TrafficSelector back = SelectorFromMatch.of(match);
      assertThat(back.criteria()).as("%s", match).isEqualTo(selector.criteria());
      assertThat(HeaderSpace.match(back)).isEqualTo(match);
    }
  }

  private static TrafficSelector random(Random random) {
    TrafficSelector.Builder selector = selector();
    if (random.nextBoolean()) {
      selector.matchInPort(PortNumber.portNumber(1 + random.nextInt(1 << 30)));
    }
    if (random.nextBoolean()) {
      selector.matchEthDst(MacAddress.valueOf(random.nextLong() & 0xffff_ffff_ffffL));
    }
    if (random.nextBoolean()) {
      long mask = (random.nextLong() & 0xffff_ffff_fffeL) | 2;
      selector.matchEthSrcMasked(
          MacAddress.valueOf(random.nextLong() & mask), MacAddress.valueOf(mask));
    }
    switch (random.nextInt(4)) {
      case 0 -> selector.matchVlanId(VlanId.NONE);
      case 1 -> selector.matchVlanId(VlanId.ANY);
      case 2 ->
          selector
              .matchVlanId(VlanId.vlanId((short) random.nextInt(4095)))
              .matchVlanPcp((byte) random.nextInt(8));
      default -> {}
    }
    switch (random.nextInt(4)) {
      case 0 -> ipv4(selector, random);
      case 1 -> ipv6(selector, random);
      case 2 ->
          selector
              .matchEthType((short) 0x806)
              .matchArpOp(1 + random.nextInt(2))
              .matchArpSpa(Ip4Address.valueOf(random.nextInt()))
              .matchArpTpa(Ip4Address.valueOf(random.nextInt()));
      default -> {}
    }
    return selector.build();
  }

  private static void ipv4(TrafficSelector.Builder selector, Random random) {
    selector
        .matchEthType((short) 0x800)
        .matchIPDst(IpPrefix.valueOf(Ip4Address.valueOf(random.nextInt()), 1 + random.nextInt(32)))
        .matchIPSrc(IpPrefix.valueOf(Ip4Address.valueOf(random.nextInt()), 1 + random.nextInt(32)));
    TpPort port = TpPort.tpPort(random.nextInt(1 << 16));
    switch (random.nextInt(4)) {
      case 0 -> selector.matchIPProtocol((byte) 6).matchTcpDst(port).matchTcpSrc(port);
      case 1 -> selector.matchIPProtocol((byte) 17).matchUdpDst(port).matchIPDscp((byte) 46);
      case 2 -> selector.matchIPProtocol((byte) 1).matchIcmpType((byte) 8).matchIcmpCode((byte) 0);
      default -> selector.matchIPEcn((byte) 3);
    }
  }

  private static void ipv6(TrafficSelector.Builder selector, Random random) {
    byte[] octets = new byte[16];
    random.nextBytes(octets);
    selector
        .matchEthType((short) 0x86dd)
        .matchIPv6Dst(IpPrefix.valueOf(Ip6Address.valueOf(octets), 1 + random.nextInt(128)))
        .matchIPProtocol((byte) 132)
        .matchSctpSrc(TpPort.tpPort(random.nextInt(1 << 16)));
  }

  @Test
  void sameConditionInOtherWordsIsOneMatch() throws Exception {
    assertThat(match(selector().matchEthDstMasked(MAC, MacAddress.EXACT_MASK)))
        .isEqualTo(match(selector().matchEthDst(MAC)));
    assertThat(
            match(selector().matchEthType((short) 0x800).matchIPDst(IpPrefix.valueOf("0.0.0.0/0"))))
        .isEqualTo(match(selector().matchEthType((short) 0x800)));
    assertThat(match(selector())).isEqualTo(TernaryMatch.any());
  }

  @Test
  void untaggedTaggedAndOneVlanAreToldApart() throws Exception {
    TernaryMatch none = match(selector().matchVlanId(VlanId.NONE));
    TernaryMatch any = match(selector().matchVlanId(VlanId.ANY));
    TernaryMatch seven = match(selector().matchVlanId(VlanId.vlanId((short) 7)));
    assertThat(none.overlaps(any)).isFalse();
    assertThat(any.covers(seven)).isTrue();
    assertThat(seven.value(HeaderField.VLAN_VID)).isEqualTo(0x1007);
  }

  @Test
  void whatTheSpaceCannotSayIsRefusedByName() {
    refused(selector().matchMetadata(7), "METADATA");
    refused(selector().matchEthType((short) 0x806).matchArpSha(MAC), "ARP_SHA");
    refused(selector().matchTunnelId(7), "TUNNEL_ID");
    refused(
        selector().matchEthDst(MAC).matchEthDstMasked(MAC, MacAddress.IPV4_MULTICAST_MASK),
        "eth_dst",
        "twice");
  }

  @Test
  void aFieldThatNotEveryPacketHasNeedsTheOneThatSaysSo() {
    refused(selector().matchTcpDst(TpPort.tpPort(80)), "TCP_DST", "ip_proto 6");
    refused(
        selector()
            .matchEthType((short) 0x800)
            .matchIPProtocol((byte) 17)
            .matchTcpDst(TpPort.tpPort(80)),
        "TCP_DST",
        "ip_proto 6");
    refused(selector().matchIPDst(IpPrefix.valueOf("10.0.0.0/8")), "IPV4_DST", "0x800");
    refused(selector().matchIPProtocol((byte) 6), "IP_PROTO", "eth_type");
    refused(selector().matchVlanPcp((byte) 3), "VLAN_PCP", "vlan_vid");
    refused(selector().matchVlanId(VlanId.NONE).matchVlanPcp((byte) 3), "VLAN_PCP", "vlan_vid");
    refused(selector().matchArpOp(1), "ARP_OP", "0x806");
  }

  @Test
  void whatTwoSelectorsHaveInCommonCanBeSaid() throws Exception {
    TernaryMatch one =
        match(selector().matchEthType((short) 0x800).matchIPDst(IpPrefix.valueOf("10.0.0.0/8")));
    TernaryMatch other =
        match(
            selector()
                .matchEthType((short) 0x800)
                .matchIPProtocol((byte) 6)
                .matchTcpDst(TpPort.tpPort(80)));
    TernaryMatch both = one.intersection(other);
    assertThat(both).isNotNull();
    assertThat(HeaderSpace.match(SelectorFromMatch.of(java.util.Objects.requireNonNull(both))))
        .isEqualTo(both);
  }
}
