package io.lockstep.core.flow.entry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.MacAddress;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;

/** Which reported entries are what was sent. */
class EntryComparisonTest {
  private static final PortNumber ONE = PortNumber.portNumber(1);
  private static final PortNumber TWO = PortNumber.portNumber(2);
  private static final MacAddress MAC = MacAddress.valueOf(5);

  private static TrafficTreatment.Builder build() {
    return DefaultTrafficTreatment.builder();
  }

  private static boolean same(TrafficTreatment.Builder sent, TrafficTreatment.Builder reported) {
    return EntryComparison.sameActions(1, sent.build(), reported.build());
  }

  @Test
  void orderOfImmediateActionsCountsAndOfDeferredOnesDoesNot() {
    assertThat(same(build().setOutput(ONE).setEthDst(MAC), build().setOutput(ONE).setEthDst(MAC)))
        .isTrue();
    assertThat(same(build().setOutput(ONE).setEthDst(MAC), build().setEthDst(MAC).setOutput(ONE)))
        .isFalse();
    assertThat(
            same(
                build().deferred().setOutput(ONE).setEthDst(MAC),
                build().deferred().setEthDst(MAC).setOutput(ONE)))
        .isTrue();
    assertThat(same(build().deferred().setOutput(ONE), build().deferred().setOutput(TWO)))
        .isFalse();
  }

  @Test
  void whenAndWhereAnActionHappensCounts() {
    assertThat(same(build().setOutput(ONE), build().deferred().setOutput(ONE))).isFalse();
    assertThat(same(build().setOutput(ONE), build().setOutput(ONE).transition(2))).isFalse();
    assertThat(same(build().transition(2), build().transition(3))).isFalse();
    assertThat(same(build().setOutput(ONE), build().setOutput(ONE).writeMetadata(1, 1))).isFalse();
  }

  @Test
  void clearingCountsWhereSomethingCanBeDeferred() {
    TrafficTreatment clears = build().setOutput(ONE).wipeDeferred().build();
    TrafficTreatment keeps = build().setOutput(ONE).build();
    assertThat(EntryComparison.sameActions(0, clears, keeps)).isTrue();
    assertThat(EntryComparison.sameActions(1, clears, keeps)).isFalse();
  }

  @Test
  void toDropIsToDoNothing() {
    assertThat(same(build().drop(), build())).isTrue();
    assertThat(
            EntryComparison.sameActions(
                0, build().drop().build(), DefaultTrafficTreatment.emptyTreatment()))
        .isTrue();
    assertThat(same(build().drop(), build().setOutput(ONE))).isFalse();
  }

  @Test
  void matchesAreComparedByWhatTheySay() {
    TrafficSelector exact = DefaultTrafficSelector.builder().matchEthDst(MAC).build();
    TrafficSelector masked =
        DefaultTrafficSelector.builder().matchEthDstMasked(MAC, MacAddress.BROADCAST).build();
    assertThat(EntryComparison.sameMatch(exact, masked)).isTrue();
    TrafficSelector all =
        DefaultTrafficSelector.builder()
            .matchEthType((short) 0x800)
            .matchIPDst(IpPrefix.valueOf("0.0.0.0/0"))
            .build();
    TrafficSelector ip = DefaultTrafficSelector.builder().matchEthType((short) 0x800).build();
    assertThat(EntryComparison.sameMatch(all, ip)).isTrue();
    assertThat(EntryComparison.sameMatch(exact, ip)).isFalse();
    TrafficSelector odd = DefaultTrafficSelector.builder().matchMetadata(3).build();
    assertThat(EntryComparison.sameMatch(odd, odd)).isTrue();
    assertThat(EntryComparison.sameMatch(odd, ip)).isFalse();
  }
}
