package io.lockstep.core.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.flow.oracle.Frame;
import io.lockstep.core.flow.oracle.TableSwitch;
import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.core.flow.placed.RuleReport;
import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.PacketIn;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;

/** What takes room at a placed switch, what does not, and what is said where there is none. */
class PlacedRoomTest {
  private static final Set<FlowEntryState> DECIDED =
      Set.of(FlowEntryState.ADDED, FlowEntryState.FAILED);

  private static final FlowRule HIDING = PlacedBench.rule(90, PlacedBench.net("10.64.0.0/10"), 3);

  private final List<FlowRule> hidden = new ArrayList<>();
  private final PlacedBench bench = new PlacedBench(PlacedBench.twoTables(8, 8), new Random(29));

  PlacedRoomTest() {
    bench.begin();
  }

  @AfterEach
  void close() {
    bench.close();
    assertThat(bench.device.wrong()).isEmpty();
  }

  private static FlowRule narrow(int number, int priority) {
    return PlacedBench.rule(priority, PlacedBench.net("10." + number + ".0.0/16"), 2);
  }

  private static FlowMod ofProbe(int number) {
    return new FlowMod(
        FlowMod.Operation.ADD,
        0,
        5,
        Cookies.PROBE + number,
        0,
        0,
        0,
        false,
        PacketIn.NO_BUFFER,
        PlacedBench.net("192.168." + number + ".0/24"),
        DefaultTrafficTreatment.builder().drop().build());
  }

  @Test
  void theNodesOwnRuleIsPinnedWithTheTrafficThatItHas() {
    try (PlacedBench small = new PlacedBench(PlacedBench.twoTables(1, 0), new Random(31))) {
      small.master();
      small.ready();
      small.settled();
      assertThat(small.report().software())
          .singleElement()
          .satisfies(
              own -> {
                assertThat(own.pinned()).isTrue();
                assertThat(own.bytesPerSecond()).isZero();
                assertThat(small.explain(Long.parseUnsignedLong(own.id(), 16)))
                    .as("by the id that the report shows")
                    .extracting(RuleReport::rule)
                    .isEqualTo(own.rule());
              });
      assertThat(small.report().layers()).allMatch(layer -> layer.bytesPerSecond() == 0);
    }
    bench.rules.applyFlowRules(narrow(1, 11));
    bench.awaitState(narrow(1, 11), FlowEntryState.ADDED);
    assertThat(Objects.requireNonNull(bench.explain(narrow(1, 11))).pinned()).isFalse();
  }

  @Test
  void probesEntriesDoNotCountAndMoveNoRule() {
    bench.rules.applyFlowRules(narrow(1, 11), narrow(2, 12));
    bench.awaitState(narrow(1, 11), FlowEntryState.ADDED);
    bench.awaitState(narrow(2, 12), FlowEntryState.ADDED);
    bench.settled();
    List<PlacementReport.Layer> before = bench.report().layers();
    int flowMods = bench.device.<Integer>with(tables -> tables.flowMods);
    for (int i = 0; i < 3; i++) {
      FlowMod probing = ofProbe(i);
      bench.device.with(tables -> tables.apply(probing));
    }
    for (int i = 0; i < 5; i++) {
      bench.clockMillis.addAndGet(5_000);
      bench.readBack();
      bench.settled();
    }
    assertThat(bench.report().layers()).isEqualTo(before);
    assertThat(bench.device.<Integer>with(tables -> tables.flowMods)).isEqualTo(flowMods + 3);
  }

  /** One rule hides eight, and others leave no room for all of these. */
  private void fillBehind(FlowRule hiding) {
    List<FlowRule> others = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      hidden.add(PlacedBench.rule(80 - i, PlacedBench.net("10." + (64 + 8 * i) + ".0.0/13"), 4));
    }
    for (int i = 0; i < 12; i++) {
      others.add(narrow(i, 100 + i));
    }
    bench.rules.applyFlowRules(hiding);
    bench.awaitState(hiding, FlowEntryState.ADDED);
    hidden.forEach(bench.rules::applyFlowRules);
    hidden.forEach(rule -> bench.awaitState(rule, FlowEntryState.ADDED));
    others.forEach(bench.rules::applyFlowRules);
    others.forEach(rule -> PlacedBench.await("it", () -> DECIDED.contains(bench.stateOf(rule))));
    assertThat(others).anyMatch(rule -> bench.stateOf(rule) == FlowEntryState.FAILED);
  }

  @Test
  void ruleThatWasHiddenAndFindsNoRoomIsToldBeforeAPacketCanSeeIt() {
    fillBehind(HIDING);
    bench.device.check =
        (frame, action) ->
            action.equals(TableSwitch.CONTROLLER) && isCalledInstalled(frame, hidden)
                ? "a rule for it is called installed"
                : null;
    bench.rules.removeFlowRules(HIDING);
    bench.awaitState(HIDING, FlowEntryState.REMOVED);
    bench.settled();
    List<FlowRule> lost =
        hidden.stream().filter(rule -> bench.stateOf(rule) == FlowEntryState.FAILED).toList();
    assertThat(lost).isNotEmpty();
    assertThat(bench.rules.error(lost.get(0)))
        .contains("of:0000000000000001", "(table ", "priority " + lost.get(0).priority())
        .contains("capacity", "used");
  }

  @Test
  void hiddenRuleThatIsChangedMeanwhileIsToldBeforeItLosesItsPackets() {
    fillBehind(HIDING);
    bench.device.check =
        (frame, action) ->
            action.equals(TableSwitch.CONTROLLER)
                    && hidden.stream()
                        .anyMatch(
                            rule -> frame.matches(rule.selector()) && !bench.storedAsRefused(rule))
                ? "nobody could know that a rule for it is not there"
                : null;
    List<FlowRule> changed = new CopyOnWriteArrayList<>();
    bench.beforeWrite =
        writes -> {
          for (FlowRule rule : hidden) {
            if (changed.isEmpty() && writes.stream().anyMatch(write -> refuses(write, rule))) {
              changed.add(PlacedBench.rule(rule.priority(), rule.selector(), 5));
              bench.askElsewhere(changed.get(0));
            }
          }
        };
    bench.rules.removeFlowRules(HIDING);
    bench.awaitState(HIDING, FlowEntryState.REMOVED);
    assertThat(changed).hasSize(1);
    PlacedBench.await("decided", () -> DECIDED.contains(bench.stateOf(changed.get(0))));
    bench.settled();
  }

  private static boolean refuses(Write write, FlowRule rule) {
    return write instanceof Write.Put put
        && put.table().equals(RuleStateTable.NAME)
        && put.key().equals(IntentKey.of(rule).encode())
        && !new RuleStateTable().decodeValue(put.value()).installed();
  }

  private boolean isCalledInstalled(Frame frame, List<FlowRule> rules) {
    for (FlowRule rule : rules) {
      if (frame.matches(rule.selector()) && bench.storedAsInstalled(rule)) {
        return true;
      }
    }
    return false;
  }
}
