package io.lockstep.core.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.placed.RuleReport;
import io.lockstep.core.southbound.FlowMod;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpPrefix;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleOperationsContext;
import org.onosproject.net.flow.TrafficSelector;

/** A rule that the switch does not lose: whoever waits for that can read why. */
class RefusedRemovalTest {
  private static final String EPERM = "FLOW_MOD_FAILED/EPERM";
  private static final String FULL = "FLOW_MOD_FAILED/TABLE_FULL";
  private static final FlowRule RULE = PlacedBench.rule(100, PlacedBench.net("10.1.0.0/16"), 1);

  private final PlacedBench bench = new PlacedBench(PlacedBench.twoTables(8, 0), new Random(61));

  @BeforeEach
  void begin() {
    bench.begin();
  }

  @AfterEach
  void close() {
    bench.close();
    assertThat(bench.device.wrong()).isEmpty();
  }

  private void add(FlowRule rule) {
    bench.rules.applyFlowRules(rule);
    bench.awaitState(rule, FlowEntryState.ADDED);
  }

  private static boolean deletes(FlowMod mod, int priority) {
    return mod.operation() == FlowMod.Operation.DELETE_STRICT && mod.priority() == priority;
  }

  private void awaitReason(FlowRule rule, String part) {
    PlacedBench.await(
        "the reason, not '" + bench.rules.error(rule) + "'",
        () -> bench.rules.error(rule).contains(part));
    assertThat(bench.stateOf(rule)).isEqualTo(FlowEntryState.PENDING_REMOVE);
  }

  /** Reads the switch now and then, so that the node retries. */
  private void awaitRemoved(FlowRule rule) {
    PlacedBench.await(
        "the rule is removed",
        () -> {
          bench.clockMillis.addAndGet(20_000);
          bench.readBack();
          return bench.stateOf(rule) == FlowEntryState.REMOVED;
        });
    assertThat(bench.rules.error(rule)).isEmpty();
  }

  @Test
  void aRefusedDeletionSaysWhyUntilItSucceeds() {
    add(RULE);
    bench.device.refuses = mod -> deletes(mod, RULE.priority()) ? EPERM : null;
    bench.rules.removeFlowRules(RULE);
    awaitReason(RULE, EPERM);
    assertThat(bench.rules.error(RULE)).contains("the DELETE");
    RuleReport report = Objects.requireNonNull(bench.explain(RULE));
    assertThat(report.why().get(0)).startsWith("its removal is refused: ").contains(EPERM);
    bench.device.refuses = mod -> null;
    awaitRemoved(RULE);
    assertThat(bench.report().refusedCount()).isZero();
  }

  @Test
  void theNextMasterStillSaysWhy() {
    add(RULE);
    bench.device.refuses = mod -> deletes(mod, RULE.priority()) ? EPERM : null;
    bench.rules.removeFlowRules(RULE);
    awaitReason(RULE, EPERM);
    bench.kill();
    bench.master();
    bench.ready();
    PlacedBench.await("it is refused again", () -> bench.report().refusedCount() == 1);
    awaitReason(RULE, EPERM);
    bench.device.refuses = mod -> null;
    awaitRemoved(RULE);
  }

  @Test
  void aRuleThatIsRequestedAgainHasNoReasonOfItsRemoval() {
    add(RULE);
    bench.device.refuses = mod -> deletes(mod, RULE.priority()) ? EPERM : null;
    bench.rules.removeFlowRules(RULE);
    awaitReason(RULE, EPERM);
    add(RULE);
    assertThat(bench.rules.error(RULE)).isEmpty();
    assertThat(bench.rules.wasRefusedBefore(RULE)).as("the switch had it all the time").isFalse();
  }

  @Test
  void anOperationEndsInErrorWhereTheSwitchRefusesTheRemoval() {
    add(RULE);
    bench.device.refuses = mod -> deletes(mod, RULE.priority()) ? EPERM : null;
    AtomicInteger errors = new AtomicInteger();
    AtomicInteger successes = new AtomicInteger();
    bench.rules.apply(
        FlowRuleOperations.builder()
            .remove(RULE)
            .build(
                new FlowRuleOperationsContext() {
                  @Override
                  public void onError(FlowRuleOperations operations) {
                    errors.incrementAndGet();
                  }

                  @Override
                  public void onSuccess(FlowRuleOperations operations) {
                    successes.incrementAndGet();
                  }
                }));
    awaitReason(RULE, EPERM);
    PlacedBench.await("the operation ends", () -> errors.get() == 1);
    bench.device.refuses = mod -> null;
    awaitRemoved(RULE);
    assertThat(successes).hasValue(0);
  }

  @Test
  void anotherRequestForTheEntryEndsARemovalThatTheSwitchRefused() {
    add(RULE);
    bench.device.refuses = mod -> deletes(mod, RULE.priority()) ? EPERM : null;
    bench.rules.removeFlowRules(RULE);
    awaitReason(RULE, EPERM);
    FlowRule other =
        PlacedBench.builder(RULE.priority(), RULE.selector(), 1)
            .fromApp(new DefaultApplicationId(8, "org.example.other"))
            .makePermanent()
            .build();
    assertThat(other.id()).isNotEqualTo(RULE.id());
    add(other);
    bench.awaitState(RULE, FlowEntryState.REMOVED);
    bench.device.refuses = mod -> null;
    bench.rules.removeFlowRules(other);
    bench.awaitState(other, FlowEntryState.REMOVED);
  }

  @Test
  void aRemovalWithoutAWaySaysWhyUntilThereIsOne() {
    FlowRule leaving = PlacedBench.rule(300, both(1, "10.0.0.0/24"), 1);
    FlowRule below = PlacedBench.rule(200, PlacedBench.net("10.0.0.0/24"), 3);
    hideBehind(leaving, below);
    bench.device.refuses =
        mod ->
            mod.operation() == FlowMod.Operation.ADD
                ? FULL
                : deletes(mod, below.priority()) ? EPERM : null;
    bench.rules.removeFlowRules(leaving);
    awaitReason(leaving, "capacity");
    bench.device.refuses = mod -> null;
    awaitRemoved(leaving);
    bench.awaitState(below, FlowEntryState.ADDED);
  }

  /** What it denies would be served while it is out of the switch. */
  @Test
  void aDenyStaysWhereItsLeavingWouldMakeRoomForARemoval() {
    FlowRule leaving = PlacedBench.rule(300, both(1, "10.0.0.0/24"), 1);
    FlowRule deny =
        PlacedBench.builder(200, PlacedBench.net("10.0.0.0/24"), 3)
            .withTreatment(DefaultTrafficTreatment.builder().drop().build())
            .makePermanent()
            .build();
    hideBehind(leaving, deny);
    AtomicInteger additions = new AtomicInteger();
    AtomicInteger deletions = new AtomicInteger();
    bench.device.refuses =
        mod -> {
          deletions.addAndGet(deletes(mod, deny.priority()) ? 1 : 0);
          boolean adds = mod.operation() == FlowMod.Operation.ADD;
          return adds && additions.incrementAndGet() > 0 ? FULL : null;
        };
    bench.rules.removeFlowRules(leaving);
    awaitReason(leaving, "capacity");
    PlacedBench.await("the third attempt", () -> additions.get() > 4);
    assertThat(deletions).hasValue(0);
    assertThat(bench.stateOf(deny)).isEqualTo(FlowEntryState.ADDED);
    bench.device.refuses = mod -> null;
    awaitRemoved(leaving);
    bench.awaitState(deny, FlowEntryState.ADDED);
  }

  /**
   * Brings two rules into the first table, and one between them that is in the second: where the
   * upper one has left, the lower one would serve packets of it, unless it gets a cover.
   */
  private void hideBehind(FlowRule upper, FlowRule lower) {
    FlowRule[] fillers = new FlowRule[6];
    for (int i = 0; i < fillers.length; i++) {
      fillers[i] = PlacedBench.rule(500 + i, PlacedBench.net("172.16." + i + ".0/24"), 1);
      add(fillers[i]);
    }
    FlowRule between = PlacedBench.rule(250, port(1), 2);
    add(between);
    for (FlowRule filler : fillers) {
      bench.rules.removeFlowRules(filler);
      bench.awaitState(filler, FlowEntryState.REMOVED);
    }
    add(upper);
    add(lower);
    bench.settled();
    assertThat(layerOf(between)).isEqualTo("second");
    assertThat(layerOf(upper)).isEqualTo("first");
    assertThat(layerOf(lower)).isEqualTo("first");
  }

  private String layerOf(FlowRule rule) {
    return Objects.requireNonNull(bench.explain(rule)).layer();
  }

  private static TrafficSelector port(long inPort) {
    return DefaultTrafficSelector.builder().matchInPort(PortNumber.portNumber(inPort)).build();
  }

  private static TrafficSelector both(long inPort, String destination) {
    return DefaultTrafficSelector.builder()
        .matchInPort(PortNumber.portNumber(inPort))
        .matchEthType((short) 0x800)
        .matchIPDst(IpPrefix.valueOf(destination))
        .build();
  }
}
