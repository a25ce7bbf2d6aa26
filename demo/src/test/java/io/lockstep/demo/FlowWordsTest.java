package io.lockstep.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.flowtable.Action;
import io.lockstep.dataplane.flowtable.FlowMatch;
import io.lockstep.dataplane.flowtable.Instructions;
import io.lockstep.dataplane.flowtable.PortNumbers;
import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.topology.Topologies;
import org.junit.jupiter.api.Test;

class FlowWordsTest {
  private final FlowWords words = new FlowWords(Topologies.twoDomains(4, 1).hosts());

  @Test
  void hostsStandThereByName() {
    FlowMatch match =
        FlowMatch.builder()
            .exact(OxmField.IN_PORT, 2)
            .exact(OxmField.ETH_DST, 0x0200_0000_0003L)
            .exact(OxmField.ETH_SRC, 0x0200_0000_00ffL)
            .build();
    assertThat(words.match(match)).isEqualTo("in_port=2 eth_dst=h3 eth_src=02:00:00:00:00:ff");
  }

  @Test
  void otherFieldsStandThereInHexadecimal() {
    FlowMatch match =
        FlowMatch.builder()
            .exact(OxmField.ETH_TYPE, 0x88cc)
            .masked(OxmField.IPV4_DST, 0x0a000000, 0xff000000L)
            .build();
    assertThat(words.match(match)).isEqualTo("eth_type=0x88cc ipv4_dst=0xa000000/0xff000000");
    assertThat(words.match(FlowMatch.ANY)).isEqualTo("any");
  }

  @Test
  void actionsNamePortsAndTables() {
    assertThat(words.actions(Instructions.NONE)).isEqualTo("drop");
    assertThat(words.actions(Instructions.applying(Action.Output.to(3)))).isEqualTo("port 3");
    assertThat(
            words.actions(
                Instructions.applying(
                        new Action.PopVlan(), Action.Output.to(PortNumbers.CONTROLLER))
                    .thenTable(1)))
        .isEqualTo("popvlan, controller, table 1");
  }
}
