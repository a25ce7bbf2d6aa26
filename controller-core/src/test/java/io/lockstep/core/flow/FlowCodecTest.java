package io.lockstep.core.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.link.SwitchPort;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.CodecException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.onlab.packet.EthType;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.IpAddress;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.MacAddress;
import org.onlab.packet.TpPort;
import org.onlab.packet.VlanId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.core.GroupId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;

class FlowCodecTest {
  private static final MacAddress MAC = MacAddress.valueOf("02:00:00:00:00:fe");
  private final IntentTable table = new IntentTable();

  static FlowRule rule(TrafficSelector selector, TrafficTreatment treatment) {
    return DefaultFlowRule.builder()
        .forDevice(SwitchPort.device(0xff00_0000_0000_0001L))
        .withSelector(selector)
        .withTreatment(treatment)
        .withPriority(40_000)
        .fromApp(new DefaultApplicationId(300, "org.example"))
        .makePermanent()
        .build();
  }

  private FlowRule roundTrip(FlowRule rule) {
    return table.decodeValue(table.encodeValue(new Intent(rule, false))).rule();
  }

  private static FlowRule everything() {
    TrafficSelector selector =
        DefaultTrafficSelector.builder()
            .matchInPort(PortNumber.portNumber(7))
            .matchEthDst(MAC)
            .matchEthSrc(MAC)
            .matchEthDstMasked(MAC, MacAddress.EXACT_MASK)
            .matchEthSrcMasked(MAC, MacAddress.IPV4_MULTICAST_MASK)
            .matchEthType((short) 0x88cc)
            .matchVlanId(VlanId.vlanId((short) 4_000))
            .matchVlanPcp((byte) 7)
            .matchIPProtocol((byte) 6)
            .matchIPDscp((byte) 63)
            .matchIPEcn((byte) 3)
            .matchIPSrc(IpPrefix.valueOf("10.1.0.0/16"))
            .matchIPDst(IpPrefix.valueOf("255.255.255.255/32"))
            .matchIPv6Src(IpPrefix.valueOf("2001:db8::/33"))
            .matchIPv6Dst(IpPrefix.valueOf("fe80::1/128"))
            .matchTcpSrc(TpPort.tpPort(65_535))
            .matchTcpDst(TpPort.tpPort(1))
            .matchUdpSrc(TpPort.tpPort(2))
            .matchUdpDst(TpPort.tpPort(3))
            .matchSctpSrc(TpPort.tpPort(4))
            .matchSctpDst(TpPort.tpPort(5))
            .matchIcmpType((byte) 8)
            .matchIcmpCode((byte) 1)
            .matchArpOp(2)
            .matchArpSpa(Ip4Address.valueOf("255.0.0.1"))
            .matchArpTpa(Ip4Address.valueOf("1.2.3.4"))
            .matchArpSha(MAC)
            .matchArpTha(MAC)
            .matchMetadata(-1L)
            .build();
    TrafficTreatment treatment =
        DefaultTrafficTreatment.builder()
            .setEthSrc(MAC)
            .setEthDst(MAC)
            .setVlanId(VlanId.vlanId((short) 5))
            .setVlanPcp((byte) 3)
            .pushVlan(EthType.EtherType.VLAN.ethType())
            .popVlan()
            .setIpSrc(IpAddress.valueOf("10.0.0.1"))
            .setIpDst(IpAddress.valueOf("10.0.0.2"))
            .decNwTtl()
            .setIpDscp((byte) 9)
            .setTcpSrc(TpPort.tpPort(10))
            .setTcpDst(TpPort.tpPort(11))
            .setUdpSrc(TpPort.tpPort(12))
            .setUdpDst(TpPort.tpPort(13))
            .group(new GroupId(77))
            .setOutput(PortNumber.CONTROLLER)
            .deferred()
            .setOutput(PortNumber.portNumber(3))
            .wipeDeferred()
            .transition(4)
            .build();
    return rule(selector, treatment);
  }

  @Test
  void everySupportedCriterionAndInstructionComesBack() {
    FlowRule rule = everything();
    FlowRule back = roundTrip(rule);
    assertThat(back.selector()).isEqualTo(rule.selector());
    assertThat(back.treatment()).isEqualTo(rule.treatment());
    assertThat(back.exactMatch(rule)).isTrue();
    assertThat(back.id()).isEqualTo(rule.id());
    assertThat(back.appId()).isEqualTo(rule.appId());
    assertThat(back.deviceId()).isEqualTo(rule.deviceId());
    assertThat(back.isPermanent()).isTrue();
  }

  @Test
  void temporaryRuleKeepsItsTimeouts() {
    FlowRule rule =
        DefaultFlowRule.builder()
            .forDevice(SwitchPort.device(2))
            .withCookie(5)
            .withPriority(1)
            .withSelector(DefaultTrafficSelector.emptySelector())
            .withTreatment(DefaultTrafficTreatment.emptyTreatment())
            .withHardTimeout(99)
            .makeTemporary(17)
            .build();
    FlowRule back = roundTrip(rule);
    assertThat(back.isPermanent()).isFalse();
    assertThat(back.timeout()).isEqualTo(17);
    assertThat(back.hardTimeout()).isEqualTo(99);
  }

  @Test
  void removalIsRemembered() {
    assertThat(table.decodeValue(table.encodeValue(new Intent(everything(), true))).remove())
        .isTrue();
  }

  @Test
  void onlyTheMarkMakesAnotherFormat() {
    Bytes plain = table.encodeValue(new Intent(everything(), false));
    Bytes marked = table.encodeValue(new Intent(everything(), false, true));
    assertThat(table.decodeValue(plain).displaceable()).isFalse();
    assertThat(table.decodeValue(marked).displaceable()).isTrue();
    assertThat(marked.toString()).startsWith("02").endsWith(plain.toString().substring(2));
  }

  @Test
  void recordCutAnywhereIsRefused() {
    byte[] whole = table.encodeValue(new Intent(everything(), false)).toArray();
    for (int length = 0; length < whole.length; length++) {
      Bytes cut = Bytes.wrap(Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> table.decodeValue(cut))
          .as("length %d", length)
          .isInstanceOfAny(IllegalArgumentException.class, CodecException.class);
    }
  }

  @Test
  void unsupportedCriterionIsNamed() {
    FlowRule rule =
        rule(
            DefaultTrafficSelector.builder().matchTunnelId(5).build(),
            DefaultTrafficTreatment.emptyTreatment());
    assertThatThrownBy(() -> table.encodeValue(new Intent(rule, false)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("TUNNEL_ID");
  }

  @Test
  void unsupportedInstructionIsNamed() {
    FlowRule rule =
        rule(
            DefaultTrafficSelector.emptySelector(),
            DefaultTrafficTreatment.builder().pushMpls().build());
    assertThatThrownBy(() -> table.encodeValue(new Intent(rule, false)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("MPLS_PUSH");
  }

  @Test
  void formatIsPinned() {
    FlowRule rule =
        DefaultFlowRule.builder()
            .forDevice(SwitchPort.device(2))
            .withCookie(0x0102_0304_0506_0708L)
            .withPriority(5)
            .withSelector(
                DefaultTrafficSelector.builder().matchInPort(PortNumber.portNumber(1)).build())
            .withTreatment(
                DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(9)).build())
            .makePermanent()
            .build();
    assertThat(table.encodeValue(new Intent(rule, false)))
        .hasToString(
            "0100"
                + "0000000000000002"
                + "0102030405060708"
                + "00000000"
                + "00000005"
                + "01"
                + "00000000"
                + "00000000"
                + "01010000000000000001"
                + "00"
                + "01020000000000000009"
                + "00");
  }

  @Test
  void cookiesTellKindsApart() {
    FlowRule rule = everything();
    assertThat(Cookies.isIntended(Cookies.intended(rule))).isTrue();
    assertThat(Cookies.isSoft(Cookies.softEntriesOf("a"))).isTrue();
    assertThat(Cookies.isIntended(Cookies.softEntriesOf("a"))).isFalse();
    assertThat(Cookies.isIntended(Cookies.SYSTEM)).isFalse();
    assertThat(Cookies.softEntriesOf("a") & ~Cookies.OWNER_MASK).isZero();
  }
}
