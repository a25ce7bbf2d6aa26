package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.onlab.packet.Ip4Prefix;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;

class FlowTextsTest {
  private final FlowTexts texts = new FlowTexts();

  private static FlowRule rule(int number, int port) {
    return DefaultFlowRule.builder()
        .forDevice(DeviceId.deviceId("of:0000000000000001"))
        .fromApp(new DefaultApplicationId(7, "test"))
        .withPriority(number)
        .makePermanent()
        .withSelector(
            DefaultTrafficSelector.builder()
                .matchEthType((short) 0x800)
                .matchIPDst(Ip4Prefix.valueOf("10.0.0.0/24"))
                .build())
        .withTreatment(
            DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(port)).build())
        .build();
  }

  @Test
  void textsOfARuleAreWrittenOnce() {
    FlowRule rule = rule(1, 2);
    FlowTexts.Texts first = texts.of(rule);
    assertThat(first.match()).contains("ipv4_dst=10.0.0.0/24");
    assertThat(first.actions()).containsExactly("output:2");
    assertThat(texts.of(rule)).isSameAs(first);
  }

  @Test
  void aChangedRuleHasItsOwnTexts() {
    FlowRule before = rule(1, 2);
    FlowRule after = rule(1, 3);
    assertThat(after.id()).isEqualTo(before.id());
    texts.of(before);
    assertThat(texts.of(after).actions()).containsExactly("output:3");
    assertThat(texts.of(before).actions()).containsExactly("output:2");
  }

  @Test
  void onlySoManyAreKept() {
    FlowRule first = rule(1, 2);
    FlowTexts.Texts kept = texts.of(first);
    for (int i = 2; i <= FlowTexts.MAX_RULES + 1; i++) {
      texts.of(rule(i, 2));
    }
    assertThat(texts.of(first)).isNotSameAs(kept).isEqualTo(kept);
  }
}
