package io.lockstep.core.flow.placed;

import static io.lockstep.core.flow.placed.PlacementFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.placer.Refusal;
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
    NextWork.Evict evict = (NextWork.Evict) removal;
    assertThat(evict.victim()).isEqualTo(HIDDEN.key());
    assertThat(evict.reason().rule()).isEqualTo(HIDDEN.key());
    assertThat(evict.reason().message()).contains("the rule that hid it is removed");
    assertThat(planner.planOf(HIDDEN.key())).isNotNull();
  }

  @Test
  void aRuleThatThePlacerDoesNotKnowIsRemovedLater() {
    NextWork removal = planner.plan(HIGH.key());
    assertThat(removal).isInstanceOf(NextWork.RetryRemovals.class);
    assertThat(((NextWork.RetryRemovals) removal).refusal().reason())
        .isEqualTo(Refusal.Reason.UNKNOWN_RULE);
  }
}
