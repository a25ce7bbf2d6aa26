package io.lockstep.core.flow.placed;

import static io.lockstep.core.flow.placed.PlacementFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.placed.RemovalPlanner.Removal;
import io.lockstep.placer.Change;
import io.lockstep.placer.Plan;
import io.lockstep.placer.Refusal;
import org.junit.jupiter.api.Test;

class RemovalPlannerTest {
  private static final LogicalRule HIGH = rule(60, "10.200.0.0/16", 1);
  private static final LogicalRule HIDDEN = rule(50, "10.200.0.0/16", 2);

  private final PlacementFixture fixture = new PlacementFixture(4, 4);
  private final SwitchPlacement placement = fixture.placement;
  private final RemovalPlanner planner = new RemovalPlanner(placement);

  /** No layer takes one more entry, not even in its reserve. */
  private void fill() {
    for (int layer = 0; layer < 2; layer++) {
      Change shrink = new Change.Resize(layer, placement.placer().usedIn(layer));
      placement.placer().confirm((Plan) placement.placer().plan(shrink), PlacementFixture.NOW);
    }
  }

  @Test
  void aRuleThatHidesNoneIsRemovedByAPlan() {
    fixture.install(HIGH);
    assertThat(planner.plan(HIGH.key())).isInstanceOf(Removal.CarryOut.class);
  }

  @Test
  void aHiddenRuleThatFindsNoRoomIsRemovedBeforeTheOneThatHidIt() {
    fixture.install(HIGH);
    fixture.install(HIDDEN);
    fill();
    Removal removal = planner.plan(HIGH.key());
    assertThat(removal).isInstanceOf(Removal.Evict.class);
    Removal.Evict evict = (Removal.Evict) removal;
    assertThat(evict.victim()).isEqualTo(HIDDEN.key());
    assertThat(evict.reason().rule()).isEqualTo(HIDDEN.key());
    assertThat(evict.reason().message()).contains("the rule that hid it is removed");
    assertThat(planner.planOf(HIDDEN.key())).isNotNull();
  }

  @Test
  void aRuleThatThePlacerDoesNotKnowIsRemovedLater() {
    Removal removal = planner.plan(HIGH.key());
    assertThat(removal).isInstanceOf(Removal.Later.class);
    assertThat(((Removal.Later) removal).refusal().reason()).isEqualTo(Refusal.Reason.UNKNOWN_RULE);
  }
}
