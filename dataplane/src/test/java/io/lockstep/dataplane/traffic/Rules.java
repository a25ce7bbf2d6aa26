package io.lockstep.dataplane.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.flowtable.Action.Output;
import io.lockstep.dataplane.flowtable.FlowMatch;
import io.lockstep.dataplane.flowtable.FlowMod;
import io.lockstep.dataplane.flowtable.Instructions;
import io.lockstep.dataplane.packet.OxmField;

/** Rules for traffic between the two servers. */
final class Rules {
  private Rules() {}

  /** A rule from one server to the other that the 2920's hardware can hold, or not. */
  static void add(Testbed one, int fromPort, boolean hardware) {
    FlowMatch.Builder match = FlowMatch.builder().exact(OxmField.IN_PORT, fromPort);
    if (!hardware) {
      match.masked(OxmField.ETH_SRC, 0x0200_0000_0000L, 0xff00_0000_0000L);
    }
    add(one, match.build(), 3 - fromPort);
  }

  static void add(Testbed one, FlowMatch match, int out) {
    FlowMod mod = FlowMod.add(match, 10, Instructions.applying(Output.to(out)));
    assertThat(one.apply(mod)).isEmpty();
  }
}
