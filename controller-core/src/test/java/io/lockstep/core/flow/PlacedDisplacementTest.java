package io.lockstep.core.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.core.flow.oracle.Frame;
import io.lockstep.core.flow.oracle.TableSwitch;
import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.core.flow.placed.RuleReport;
import io.lockstep.core.southbound.FlowMod;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficTreatment;

/**
 * A switch without room: an application's entry with more traffic takes the place of lighter ones
 * (ADR 0052). The switch is watched, so that each step is exact.
 */
class PlacedDisplacementTest {
  private static final ApplicationEntries ENTRIES = new ApplicationEntries("pairs", 1_000);
  private static final TrafficTreatment OUT =
      DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(5)).build();

  /** Of entries, beside the number of their network. */
  private static final int PRIORITY = 200;

  /** Beside the entry for what matches nothing and the one for link discovery. */
  private static final int ROOM = 4;

  private final PlacedBench bench = new PlacedBench(OneTable.of(2 + ROOM), new Random(41));

  @BeforeEach
  void begin() {
    bench.begin();
  }

  @AfterEach
  void close() {
    bench.close();
    assertThat(bench.device.wrong()).isEmpty();
  }

  private static FlowMod entry(int net, TrafficTreatment treatment) {
    return ENTRIES.add(PRIORITY + net, PlacedBench.net("10." + net + ".0.0/16"), treatment);
  }

  private static FlowMod removal(int net) {
    return ENTRIES.removal(PlacedBench.net("10." + net + ".0.0/16"));
  }

  /** So many packets come to the node, in a second, which lead to these entries each time. */
  private void packets(int count, FlowMod... entries) {
    for (int i = 0; i < count; i++) {
      bench.clockMillis.addAndGet(1_000 / count);
      assertThat(bench.installer.send(bench.connection(), List.of(entries))).isTrue();
      bench.ask(any -> true);
      bench.settled();
    }
  }

  private void packets(int count, int net) {
    packets(count, entry(net, OUT));
  }

  /** Fills the table with entries of one packet each. */
  private void fill() {
    for (int net = 1; net <= ROOM; net++) {
      packets(1, net);
    }
    assertThat(present()).containsExactly(1, 2, 3, 4);
  }

  /** Traffic of so many packets a second of each entry, for 10 s, and readings. */
  private void traffic(int... packetsPerSecond) {
    for (int reading = 0; reading < 2; reading++) {
      bench.clockMillis.addAndGet(5_000);
      bench.device.with(
          tables -> {
            tables.nowSeconds += 5;
            for (TableSwitch.Entry entry : tables.entries()) {
              int net = entry.priority - PRIORITY;
              if (net > 0 && net <= packetsPerSecond.length) {
                entry.packets += 5L * packetsPerSecond[net - 1];
                entry.bytes += 5_000L * packetsPerSecond[net - 1];
              }
            }
            return null;
          });
      bench.readBack();
      bench.settled();
    }
  }

  private static int address(int net) {
    return 0x0a00_0001 | net << 16;
  }

  /** The entries that forward. */
  private List<Integer> present() {
    return bench.device.with(
        tables -> {
          List<Integer> present = new ArrayList<>();
          for (int net = 1; net < 100; net++) {
            String action = tables.follow(new Frame(1, 0, address(net), 80));
            if (action.equals("port 5")) {
              present.add(net);
            }
          }
          return present;
        });
  }

  private PlacementReport.PassingEntries passing() {
    return Objects.requireNonNull(bench.report().passing());
  }

  @Test
  void aHeavyEntryTakesThePlaceOfTheLightest() {
    fill();
    traffic(5, 1, 5, 5);
    packets(7, 9);
    assertThat(present()).as("7 packets say too little").containsExactly(1, 2, 3, 4);
    packets(20, 9);
    assertThat(present()).as("2 made place for 9").containsExactly(1, 3, 4, 9);
    assertThat(passing().displaced()).isEqualTo(1);
    packets(1, 2);
    PlacementReport.MissingEntry missing = passing().missing().get(0);
    assertThat(missing.rule()).contains("priority 202 ");
    RuleReport why =
        Objects.requireNonNull(bench.explain(Long.parseUnsignedLong(missing.id(), 16)));
    assertThat(why.layer()).isEqualTo("refused");
    assertThat(why.why().get(0)).contains("displaced by priority 209").contains("its own were ");
  }

  @Test
  void lessThanTwiceTheTrafficDisplacesNothing() {
    fill();
    traffic(10, 10, 10, 10);
    for (int second = 0; second < 30; second++) {
      packets(15, 9);
    }
    assertThat(present()).containsExactly(1, 2, 3, 4);
    for (int second = 0; second < 10; second++) {
      packets(40, 9);
    }
    assertThat(present()).contains(9).hasSize(4);
  }

  @Test
  void whatNoReadingTellsOfIsNotDisplaced() {
    fill();
    packets(40, 9);
    assertThat(present()).as("weights are unknown").containsExactly(1, 2, 3, 4);
    traffic(1, 1, 1, 1);
    packets(40, 9);
    assertThat(present()).contains(9);
  }

  @Test
  void everNewAddressesDisplaceNothing() {
    fill();
    traffic(1, 1, 1, 1);
    for (int net = 10; net < 90; net++) {
      packets(5, net);
    }
    assertThat(present()).containsExactly(1, 2, 3, 4);
  }

  @Test
  void guardsDropsAndIntendedRulesStay() {
    FlowRule intended = PlacedBench.rule(30, PlacedBench.net("192.168.0.0/16"), 3);
    bench.rules.applyFlowRules(intended);
    bench.awaitState(intended, FlowEntryState.ADDED);
    packets(1, entry(1, DefaultTrafficTreatment.builder().punt().build()));
    packets(1, entry(2, DefaultTrafficTreatment.builder().drop().build()));
    packets(1, entry(3, DefaultTrafficTreatment.builder().drop().build()));
    traffic();
    packets(100, 9);
    assertThat(present()).isEmpty();
    assertThat(passing().displaced()).isZero();
    assertThat(bench.stateOf(intended)).isEqualTo(FlowEntryState.ADDED);
  }

  @Test
  void aMarkedRuleIsReportedFirstAndComesBackWhenThereIsRoom() {
    FlowRule marked = PlacedBench.rule(PRIORITY + 1, PlacedBench.net("10.1.0.0/16"), 5);
    bench.rules.applyDisplaceable(marked);
    bench.awaitState(marked, FlowEntryState.ADDED);
    for (int net = 2; net <= ROOM; net++) {
      packets(1, net);
    }
    traffic(1, 5, 5, 5);
    List<Boolean> reported = new CopyOnWriteArrayList<>();
    bench.device.refuses =
        mod -> {
          if (mod.operation() != FlowMod.Operation.ADD && mod.priority() == marked.priority()) {
            reported.add(bench.storedAsRefused(marked));
          }
          return null;
        };
    packets(20, 9);
    assertThat(present()).containsExactly(2, 3, 4, 9);
    assertThat(reported).as("refused in the store before it went").containsExactly(true);
    assertThat(bench.stateOf(marked)).isEqualTo(FlowEntryState.FAILED);
    assertThat(bench.rules.error(marked)).contains("displaced by priority 209");
    bench.installer.send(bench.connection(), List.of(removal(3)));
    bench.awaitState(marked, FlowEntryState.ADDED);
    bench.settled();
    assertThat(present()).containsExactly(1, 2, 4, 9);
    traffic(1, 5, 5, 5);
    bench.rules.applyFlowRules(marked);
    bench.settled();
    packets(60, 8);
    assertThat(present()).as("without the mark it stays").contains(1);
  }

  @Test
  void aMarkOnARuleThatDropsIsRefused() {
    FlowRule deny =
        PlacedBench.builder(30, PlacedBench.net("192.168.0.0/16"), 3)
            .withTreatment(DefaultTrafficTreatment.builder().drop().build())
            .makePermanent()
            .build();
    assertThatThrownBy(() -> bench.rules.applyDisplaceable(deny))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("priority 30")
        .hasMessageContaining("never displaced");
    assertThat(bench.rules.getFlowEntry(deny)).isNull();
  }

  @Test
  void entriesOfOneDecisionComeAndLeaveTogether() {
    packets(1, entry(1, OUT), entry(2, OUT));
    packets(1, entry(3, OUT), entry(4, OUT));
    assertThat(present()).containsExactly(1, 2, 3, 4);
    traffic(3, 0, 1, 1);
    packets(40, entry(8, OUT), entry(9, OUT));
    assertThat(present()).as("3 and 4 are lighter together").containsExactly(1, 2, 8, 9);
    assertThat(passing().displaced()).isEqualTo(2);
  }

  @Test
  void displacementsAreBounded() {
    try (PlacedBench large = new PlacedBench(OneTable.of(2 + 20), new Random(43))) {
      large.master();
      large.ready();
      large.settled();
      for (int net = 1; net <= 20; net++) {
        large.installer.send(large.connection(), List.of(entry(net, OUT)));
      }
      large.settled();
      for (int reading = 0; reading < 2; reading++) {
        large.clockMillis.addAndGet(5_000);
        large.device.with(tables -> tables.nowSeconds += 5);
        large.readBack();
        large.settled();
      }
      // The clock stands still, so all of this happens at once.
      for (int net = 30; net < 45; net++) {
        for (int i = 0; i < 10; i++) {
          large.installer.send(large.connection(), List.of(entry(net, OUT)));
        }
        large.settled();
      }
      assertThat(Objects.requireNonNull(large.report().passing()))
          .satisfies(now -> assertThat(now.displaced()).isEqualTo(8))
          .satisfies(now -> assertThat(now.missingCount()).isEqualTo(7));
    }
  }

  @Test
  void aNewMasterKnowsNoWeightsUntilItReads() {
    fill();
    traffic(5, 1, 5, 5);
    bench.kill();
    bench.master();
    bench.ready();
    bench.settled();
    packets(40, 9);
    assertThat(present()).containsExactly(1, 2, 3, 4);
    traffic(5, 1, 5, 5);
    packets(40, 9);
    assertThat(present()).containsExactly(1, 3, 4, 9);
  }
}
