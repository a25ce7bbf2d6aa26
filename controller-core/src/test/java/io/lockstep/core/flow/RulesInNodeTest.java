package io.lockstep.core.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.FlowRule;

class RulesInNodeTest {
  private final RulesInNode rules = new RulesInNode(10);

  private static IntentKey id(FlowRule rule) {
    return IntentKey.of(rule);
  }

  private void missed(FlowRule rule) {
    rules.decided(id(rule), rule, true);
  }

  /** A UDP datagram to an address, without a VLAN tag. */
  private static byte[] datagram(int destination, int port) {
    ByteBuffer frame = ByteBuffer.allocate(60);
    frame.position(12);
    frame.putShort((short) 0x800).put((byte) 0x45);
    frame.position(23);
    frame.put((byte) 17);
    frame.position(26);
    frame.putInt(0x0a00_0001).putInt(destination).putShort((short) 9).putShort((short) port);
    return frame.array();
  }

  @Test
  void theHighestRuleThatMatchesCounts() {
    FlowRule wide = PlacedBench.rule(10, PlacedBench.net("10.0.0.0/8"), 2);
    FlowRule narrow = PlacedBench.rule(20, PlacedBench.net("10.1.0.0/16"), 3);
    missed(wide);
    missed(narrow);
    assertThat(rules.treatment(1, datagram(0x0a01_0001, 80))).isEqualTo(narrow.treatment());
    assertThat(rules.treatment(1, datagram(0x0a02_0001, 80))).isEqualTo(wide.treatment());
    assertThat(rules.treatment(1, datagram(0x0b02_0001, 80))).isNull();
    rules.decided(id(narrow), narrow, false);
    assertThat(rules.treatment(1, datagram(0x0a01_0001, 80)))
        .as("the switch has the narrow one")
        .isEqualTo(wide.treatment());
    rules.changed(id(wide));
    assertThat(rules.isEmpty()).isTrue();
  }

  @Test
  void theIngressPortAndTheFieldsBehindATagAreRead() {
    FlowRule tagged =
        PlacedBench.rule(
            20,
            DefaultTrafficSelector.builder()
                .matchInPort(PortNumber.portNumber(7))
                .matchVlanId(org.onlab.packet.VlanId.vlanId((short) 5))
                .matchEthType((short) 0x800)
                .matchIPDst(org.onlab.packet.IpPrefix.valueOf("10.1.0.0/16"))
                .build(),
            3);
    missed(tagged);
    byte[] plain = datagram(0x0a01_0001, 80);
    ByteBuffer frame = ByteBuffer.allocate(64);
    frame.put(plain, 0, 12).putShort((short) 0x8100).putShort((short) 0x2005).put(plain, 12, 48);
    assertThat(rules.treatment(7, frame.array())).isEqualTo(tagged.treatment());
    assertThat(rules.treatment(8, frame.array())).as("another port").isNull();
    assertThat(rules.treatment(7, plain)).as("without a tag").isNull();
  }

  @Test
  void whatSwitchesReadDifferentlyIsLeftToOthers() {
    missed(PlacedBench.rule(10, DefaultTrafficSelector.emptySelector(), 2));
    byte[] frame = datagram(0x0a01_0001, 80);
    assertThat(rules.treatment(1, frame)).isNotNull();
    byte[] fragment = frame.clone();
    fragment[20] = 0x20;
    assertThat(rules.treatment(1, fragment)).as("a fragment").isNull();
    byte[] tags = frame.clone();
    tags[12] = (byte) 0x88;
    tags[13] = (byte) 0xa8;
    assertThat(rules.treatment(1, tags)).as("a service tag").isNull();
    byte[] length = frame.clone();
    length[12] = 0;
    assertThat(rules.treatment(1, length)).as("a length for a type").isNull();
    for (int bytes = 0; bytes < 38; bytes++) {
      assertThat(rules.treatment(1, java.util.Arrays.copyOf(frame, bytes)))
          .as("cut to %d", bytes)
          .isNull();
    }
  }

  /** Those of the highest priority are compared with packets; when some go, others take over. */
  @Test
  void ofTooManyRulesTheHighestCount() {
    FlowRule low = PlacedBench.rule(5, PlacedBench.net("10.0.0.0/8"), 2);
    missed(low);
    FlowRule[] high = new FlowRule[RulesInNode.MAX_RULES];
    for (int i = 0; i < high.length; i++) {
      high[i] = PlacedBench.rule(10, PlacedBench.net("11.0." + i + ".0/24"), 3);
      missed(high[i]);
    }
    byte[] toLow = datagram(0x0a01_0001, 80);
    assertThat(rules.treatment(1, toLow)).as("too many are above it").isNull();
    assertThat(rules.treatment(1, datagram(0x0b00_ff01, 80))).isEqualTo(high[255].treatment());
    rules.changed(id(high[7]));
    assertThat(rules.treatment(1, datagram(0x0b00_0701, 80))).isNull();
    assertThat(rules.treatment(1, toLow)).as("there is room for it").isEqualTo(low.treatment());
    missed(high[7]);
    assertThat(rules.treatment(1, toLow)).isNull();
  }
}
