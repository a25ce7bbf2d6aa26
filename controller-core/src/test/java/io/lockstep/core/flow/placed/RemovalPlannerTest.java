package io.lockstep.core.flow.placed;

import static io.lockstep.core.flow.placed.PlacementFixture.lead;
import static io.lockstep.core.flow.placed.PlacementFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.placer.Plan;
import io.lockstep.placer.Refusal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RemovalPlannerTest {
  private static final LogicalRule HIGH = rule(60, "10.200.0.0/16", 1);
  private static final LogicalRule HIDDEN = rule(50, "10.200.0.0/16", 2);

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
