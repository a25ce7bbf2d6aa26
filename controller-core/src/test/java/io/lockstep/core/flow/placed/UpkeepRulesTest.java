package io.lockstep.core.flow.placed;

import static io.lockstep.core.flow.placed.PlacementFixture.NOW;
import static io.lockstep.core.flow.placed.PlacementFixture.separate;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.placer.Change;
import io.lockstep.placer.Plan;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When work may begin, and what the node does for a switch beside requested changes. */
class UpkeepRulesTest {
  private final PlacementFixture fixture = new PlacementFixture(8, 8);
  private final SwitchPlacement placement = fixture.placement;
  private final MaintenancePlanner maintenance =
      new MaintenancePlanner(placement, new ImprovementPace(placement, () -> 0));

  @Test
  void oneWorkBeginsAtATimeAndNoneBeforeTheSwitchIsReady() {
    WorkGate gate = new WorkGate();
    gate.end();
    assertThat(gate.begin()).isFalse();
    gate.setReady();
    assertThat(gate.begin()).isTrue();
    assertThat(gate.begin()).isFalse();
    gate.end();
    gate.hold();
    assertThat(gate.begin()).isFalse();
    gate.end();
    gate.close();
    assertThat(gate.begin()).isFalse();
  }

  @Test
  void changesPauseWhenTheyOvertookManyReadings() {
    ReadBackHistory history = new ReadBackHistory("of:1", 2);
    for (int i = 1; i < ReadBackHistory.MAX_OVERTAKEN; i++) {
      history.overtaken();
    }
    assertThat(history.needsPause()).isFalse();
    history.overtaken();
    assertThat(history.needsPause()).isTrue();
    history.read(FlowTableSnapshot.of(placement.pipeline(), List.of()));
    assertThat(history.needsPause()).isFalse();
  }

  @Test
  void aMissingEntryIsPutBackCountedAndShownForAWhile() {
    fixture.install(separate(1));
    ReadBackHistory history = new ReadBackHistory("of:1", 2);
    ReadBackRepair repair =
        new ReadBackRepair(
            placement.pipeline(),
            placement.placer().image(),
            FlowTableSnapshot.of(placement.pipeline(), List.of()));
    assertThat(repair.missingRules).containsExactly(separate(1).key());
    assertThat(history.repaired(repair, NOW)).isEmpty();
    assertThat(history.trouble(NOW)).contains("3 entries had been deleted or changed");
    assertThat(history.trouble(NOW + 3_600_000)).isEmpty();
    assertThat(history.entriesPutBack()).isEqualTo(3);
    history.repaired(repair, NOW);
    assertThat(history.repaired(repair, NOW)).containsExactly(separate(1).key());
    assertThat(history.present(java.util.Set.of())).containsExactly(separate(1).key());
  }

  @Test
  void aLayerThatOthersUseIsResizedAndOneThatIsAsBeforeIsNot() {
    maintenance.start(NOW);
    assertThat(maintenance.next(List.of(8L, 8L), NOW)).isNull();
    Plan plan = maintenance.next(List.of(6L, 8L), NOW);
    assertThat(plan).isNotNull().extracting(Plan::change).isEqualTo(new Change.Resize(0, 6));
  }

  @Test
  void rejectedRulesAreRetriedOncePerPeriod() {
    maintenance.start(NOW);
    long due = NOW + MaintenancePlanner.RETRY_MILLIS;
    assertThat(maintenance.retries(true, due - 1)).isFalse();
    assertThat(maintenance.retries(true, due)).isTrue();
    assertThat(maintenance.retries(true, due + 1)).isFalse();
    due += MaintenancePlanner.RETRY_MILLIS;
    assertThat(maintenance.retries(false, due)).isFalse();
    placement.errors().add(0, "FLOW_MOD_FAILED/TABLE_FULL");
    assertThat(maintenance.retries(false, due)).isTrue();
  }
}
