package io.lockstep.core.flow.placed;

import static io.lockstep.core.flow.placed.PlacementFixture.lead;
import static io.lockstep.core.flow.placed.PlacementFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.entry.HeaderSpace.Inexpressible;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.placer.Plan;
import io.lockstep.placer.Refusal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpPrefix;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;

class RemovalPlannerTest {
  private static final LogicalRule HIGH = rule(60, "10.200.0.0/16", 1);
  private static final LogicalRule HIDDEN = rule(50, "10.200.0.0/16", 2);

  private static final TrafficTreatment OUT =
      DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(2)).build();

  private final PlacementFixture fixture = new PlacementFixture(4, 4);
  private final RemovalPlanner planner = new RemovalPlanner(fixture.placement);

  @Test
  void aRuleThatHidesNoneIsRemovedByAPlan() {
    fixture.install(HIGH);
    assertThat(planner.plan(HIGH.key())).isInstanceOf(NextWork.Remove.class);
  }

  @Test
  void aHiddenRuleThatFindsNoRoomIsRemovedBeforeTheOneThatHidIt() {
    fixture.install(HIGH);
    fixture.install(HIDDEN);
    fixture.fill();
    NextWork removal = planner.plan(HIGH.key());
    assertThat(removal).isInstanceOf(NextWork.Evict.class);
    assertThat(((NextWork.Evict) removal).victims())
        .hasEntrySatisfying(
            HIDDEN.key(),
            reason -> {
              assertThat(reason.rule()).isEqualTo(HIDDEN.key());
              assertThat(reason.message()).contains("the rule that hid it is removed");
            });
    assertThat(planner.planOf(HIDDEN.key())).isNotNull();
  }

  @Test
  void aRuleThatThePlacerDoesNotKnowIsRemovedLater() {
    NextWork removal = planner.plan(HIGH.key());
    assertThat(removal).isInstanceOf(NextWork.RetryRemovals.class);
    assertThat(((NextWork.RetryRemovals) removal).refusal().reason())
        .isEqualTo(Refusal.Reason.UNKNOWN_RULE);
  }

  @Test
  void theReasonIsReportedWhenTheSecondAttemptFoundNoWayEither() {
    assertThat(((NextWork.RetryRemovals) planner.plan(HIGH.key())).reported()).isFalse();
    NextWork.RetryRemovals second = (NextWork.RetryRemovals) planner.plan(HIGH.key());
    assertThat(second.reported()).isTrue();
    assertThat(second.key()).isEqualTo(HIGH.key());
  }

  @Test
  void theReasonIsNotReportedOfARuleThatIsRequestedAgain() {
    fixture.placement.request(HIGH);
    planner.plan(HIGH.key());
    assertThat(((NextWork.RetryRemovals) planner.plan(HIGH.key())).reported()).isFalse();
  }

  /**
   * Both tables are full. Without the first rule, the second one would take packets of a third one,
   * which is behind it.
   */
  private LogicalRule leavingAbove(LogicalRule below) {
    List<LogicalRule> fillers =
        List.of(
            rule(501, "172.16.1.0/24", 1),
            rule(502, "172.16.2.0/24", 1),
            rule(503, "172.16.3.0/24", 1));
    fillers.forEach(fixture::install);
    LogicalRule behind = made(250, true, false, OUT);
    fixture.install(behind);
    for (LogicalRule filler : fillers) {
      fixture.placement.withdraw(filler.key());
      Plan plan = ((NextWork.Remove) planner.plan(filler.key())).plan();
      lead(new PlanRun(fixture.placement, null, plan), List.of());
    }
    LogicalRule leaving = made(300, true, true, OUT);
    fixture.install(leaving);
    fixture.install(below);
    assertThat(fixture.placement.placer().layerOf(behind.key())).isEqualTo(1);
    assertThat(fixture.placement.placer().layerOf(below.key())).isZero();
    fixture.fill();
    fixture.placement.withdraw(leaving.key());
    return leaving;
  }

  /** For packets of a port, of a network, or of both. */
  private static LogicalRule made(
      int priority, boolean ofPort, boolean ofNetwork, TrafficTreatment treatment) {
    TrafficSelector.Builder selector = DefaultTrafficSelector.builder();
    if (ofPort) {
      selector.matchInPort(PortNumber.portNumber(1));
    }
    if (ofNetwork) {
      selector.matchEthType((short) 0x800).matchIPDst(IpPrefix.valueOf("10.0.0.0/24"));
    }
    try {
      return LogicalRule.of(priority, selector.build(), treatment, LogicalRule.Origin.INTENDED);
    } catch (Inexpressible e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aRuleInTheWayLeavesAtTheSecondAttempt() {
    LogicalRule below = made(200, false, true, OUT);
    LogicalRule leaving = leavingAbove(below);
    NextWork.RetryRemovals first = (NextWork.RetryRemovals) planner.plan(leaving.key());
    assertThat(first.reported()).isFalse();
    assertThat(first.refusal().reason()).isEqualTo(Refusal.Reason.NO_ROOM);
    assertThat(((NextWork.Evict) planner.plan(leaving.key())).victims().keySet())
        .containsExactly(below.key());
  }

  @Test
  void aDenyInTheWayStaysAndTheReasonIsReported() {
    LogicalRule leaving =
        leavingAbove(made(200, false, true, DefaultTrafficTreatment.builder().drop().build()));
    assertThat(((NextWork.RetryRemovals) planner.plan(leaving.key())).reported()).isFalse();
    NextWork.RetryRemovals second = (NextWork.RetryRemovals) planner.plan(leaving.key());
    assertThat(second.reported()).isTrue();
    assertThat(second.refusal().reason()).isEqualTo(Refusal.Reason.NO_ROOM);
  }

  @Test
  void hiddenRulesGetTheirEntriesFirst() {
    fixture.install(HIGH);
    fixture.install(HIDDEN);
    NextWork first = planner.plan(HIGH.key());
    assertThat(first).isInstanceOf(NextWork.Prepare.class);
    Plan plan = ((NextWork.Prepare) first).plan();
    lead(new PlanRun(fixture.placement, null, plan), List.of());
    assertThat(fixture.placement.placer().layerOf(HIDDEN.key())).isZero();
    assertThat(planner.plan(HIGH.key())).isInstanceOf(NextWork.Remove.class);
  }

  @Test
  void aHiddenRuleThatTheSwitchRejectsIsRemovedBeforeTheOneThatHidIt() {
    fixture.install(HIGH);
    fixture.install(HIDDEN);
    Plan plan = ((NextWork.Prepare) planner.plan(HIGH.key())).plan();
    FlowModOutcome bad = new FlowModOutcome.Refused("BAD_ACTION/BAD_OUT_PORT");
    assertThat(lead(new PlanRun(fixture.placement, null, plan), List.of(bad, bad)).action())
        .isEqualTo(new RunAction.End<>(Optional.empty()));
    assertThat(planner.plan(HIGH.key())).isInstanceOf(NextWork.Evict.class);
  }
}
