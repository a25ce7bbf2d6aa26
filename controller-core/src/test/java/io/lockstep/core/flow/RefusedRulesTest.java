package io.lockstep.core.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.placer.profile.BuiltInProfiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;

/** Rules that a switch refuses although it takes everything by its profile. */
class RefusedRulesTest {
  private final PlacedBench bench = new PlacedBench(BuiltInProfiles.get("ideal"), new Random(3));

  /** Priorities of the flow-mods that were refused. */
  private final List<Integer> refused = new CopyOnWriteArrayList<>();

  RefusedRulesTest() {
    bench.device.refuses =
        mod -> {
          refused.add(mod.priority());
          return "FLOW_MOD_FAILED/TABLE_FULL";
        };
    bench.master();
    bench.ready();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static FlowRule rule(int number) {
    return PlacedBench.rule(number, PlacedBench.net("10." + number + ".0.0/16"), 2);
  }

  @Test
  void refusedRuleIsSentAgainBehindAReadBackAndInstalledWhenThereIsRoom() {
    bench.rules.applyFlowRules(rule(5));
    bench.awaitState(rule(5), FlowEntryState.FAILED);
    assertThat(bench.rules.error(rule(5))).contains("of:0000000000000001", "TABLE_FULL", "used");
    bench.readBack();
    PlacedBench.await("it is sent again", () -> refused.size() == 2);
    assertThat(bench.stateOf(rule(5))).isEqualTo(FlowEntryState.FAILED);
    bench.device.refuses = mod -> null;
    bench.readBack();
    bench.awaitState(rule(5), FlowEntryState.ADDED);
    assertThat(refused).hasSize(2);
  }

  @Test
  void refusedRulesOfManyAreSentAgainInTurns() {
    List<FlowRule> all = new ArrayList<>();
    for (int number = 1; number <= 150; number++) {
      all.add(rule(number));
    }
    all.forEach(bench.rules::applyFlowRules);
    all.forEach(rule -> bench.awaitState(rule, FlowEntryState.FAILED));
    refused.clear();
    for (int turn = 1; turn <= 3; turn++) {
      int expected = 64 * turn;
      bench.readBack();
      PlacedBench.await("a turn of them", () -> refused.size() >= expected);
    }
    assertThat(refused).hasSize(3 * 64);
    assertThat(refused.subList(0, all.size())).doesNotHaveDuplicates();
  }
}
