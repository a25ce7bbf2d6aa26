package io.lockstep.core.flow.placed;

import static io.lockstep.core.flow.placed.PlacementFixture.FULL;
import static io.lockstep.core.flow.placed.PlacementFixture.INSTALLED;
import static io.lockstep.core.flow.placed.PlacementFixture.NOW;
import static io.lockstep.core.flow.placed.PlacementFixture.UNKNOWN;
import static io.lockstep.core.flow.placed.PlacementFixture.rule;
import static io.lockstep.core.flow.placed.PlacementFixture.separate;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BatchRunTest {
  private final PlacementFixture fixture = new PlacementFixture(8, 8);
  private final SwitchPlacement placement = fixture.placement;
  private final BatchRun batch = new BatchRun(placement);

  private void add(LogicalRule rule) {
    batch.add(fixture.planFor(rule), PlacedRow.of(rule, true, 0, NOW), NOW);
  }

  private void addThree() {
    add(separate(1));
    add(separate(2));
    add(separate(3));
  }

  @Test
  void theStoreHasAllChangesBeforeTheSwitchGetsAllFlowMods() {
    addThree();
    assertThat(batch.start(NOW)).isEqualTo(new RunAction.Store<>());
    assertThat(placement.ledger().pending()).hasSize(3);
    RunAction<BatchRun.Result> send = batch.stored(NOW);
    assertThat(((RunAction.Send<BatchRun.Result>) send).mods()).hasSize(3);
    assertThat(batch.answered(List.of(INSTALLED, INSTALLED, INSTALLED), NOW))
        .isEqualTo(
            new RunAction.End<>(
                new BatchRun.Result(
                    List.of(separate(1).key(), separate(2).key(), separate(3).key()), List.of())));
    assertThat(placement.ledger().rows()).hasSize(3);
    assertThat(placement.ledger().pending()).isEmpty();
  }

  @Test
  void aRejectedRuleLeavesThePlacerAndTheOthersStay() {
    addThree();
    batch.start(NOW);
    batch.stored(NOW);
    assertThat(batch.answered(List.of(INSTALLED, FULL, INSTALLED), NOW))
        .isEqualTo(
            new RunAction.End<>(
                new BatchRun.Result(
                    List.of(separate(1).key(), separate(3).key()), List.of(separate(2).key()))));
    assertThat(placement.placer().layerOf(separate(2).key())).isEqualTo(-1);
    assertThat(placement.placer().layerOf(separate(3).key())).isZero();
    assertThat(placement.ledger().row(separate(2).key())).isNull();
    assertThat(placement.errors().countIn(0)).isEqualTo(1);
    assertThat(placement.placer().capacityOf(0)).isEqualTo(2);
  }

  @Test
  void anUnknownOutcomeAsksForAReadingAndKeepsThePendingChanges() {
    addThree();
    batch.start(NOW);
    batch.stored(NOW);
    assertThat(batch.answered(List.of(INSTALLED, UNKNOWN, UNKNOWN), NOW))
        .isEqualTo(new RunAction.ReadAnew<>("no barrier reply"));
    assertThat(placement.ledger().pending()).hasSize(3);
  }

  @Test
  void aBatchKnowsWhichRulesSharePacketsWithIt() {
    addThree();
    assertThat(batch.overlaps(separate(4).key())).isFalse();
    assertThat(batch.overlaps(rule(99, "10.0.0.0/8", 1).key())).isTrue();
  }

  @Test
  void onlyAPlanOfOneNewEntryIsAPartOfABatch() {
    assertThat(BatchRun.takes(fixture.planFor(separate(1)))).isTrue();
    fixture.install(rule(60, "10.0.0.0/8", 1));
    assertThat(BatchRun.takes(fixture.planFor(rule(50, "10.0.0.0/8", 2)))).isFalse();
  }
}
