package io.lockstep.core.flow.placed;

import static io.lockstep.core.flow.placed.PlacementFixture.NOW;
import static io.lockstep.core.flow.placed.PlacementFixture.rule;
import static io.lockstep.core.flow.placed.PlacementFixture.separate;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.placed.ChangeSelection.Selected;
import io.lockstep.core.flow.placed.ChangeSelection.Work;
import io.lockstep.placer.Refusal;
import org.junit.jupiter.api.Test;

class ChangeSelectionTest {
  private final PlacementFixture fixture = new PlacementFixture(64, 64);
  private final SwitchPlacement placement = fixture.placement;
  private final ChangeQueue queue = fixture.queue;
  private final ChangeSelection selection =
      new ChangeSelection(queue, placement, new RuleTraffic());

  private void request(LogicalRule rule) {
    placement.request(rule);
    queue.put(rule.key());
  }

  private static int batchSize(Selected selected) {
    return ((Work.AddBatch) selected.work()).batch().size();
  }

  @Test
  void anEmptyQueueNeedsNothing() {
    assertThat(selection.select(NOW).work()).isEqualTo(new Work.Nothing());
  }

  @Test
  void newRulesThatShareNoPacketComeTogether() {
    request(separate(1));
    request(separate(2));
    request(separate(3));
    assertThat(batchSize(selection.select(NOW))).isEqualTo(3);
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void aNewRuleThatSharesPacketsWithTheBatchWaits() {
    request(separate(1));
    request(rule(5, "10.0.0.0/8", 1));
    assertThat(batchSize(selection.select(NOW))).isEqualTo(1);
    assertThat(queue.next().key()).isEqualTo(rule(5, "10.0.0.0/8", 1).key());
  }

  @Test
  void aRemovalComesBeforeNewRules() {
    fixture.install(separate(1));
    request(separate(2));
    placement.withdraw(separate(1).key());
    queue.remove(separate(1).key());
    assertThat(selection.select(NOW).work()).isEqualTo(new Work.Remove(separate(1).key()));
    assertThat(queue.size()).isEqualTo(1);
  }

  @Test
  void aRuleThatNoOneRequestsAndTheSwitchLacksIsAbsent() {
    queue.remove(separate(1).key());
    Selected selected = selection.select(NOW);
    assertThat(selected.absent()).containsExactly(separate(1).key());
    assertThat(selected.work()).isEqualTo(new Work.Nothing());
  }

  @Test
  void aRuleThatIsReplacedIsRemovedFirstAndThenAdded() {
    fixture.install(separate(1));
    queue.replace(separate(1).key());
    assertThat(selection.select(NOW).work()).isEqualTo(new Work.Remove(separate(1).key()));
    placement.request(separate(2));
    queue.replace(separate(2).key());
    assertThat(batchSize(selection.select(NOW))).isEqualTo(1);
  }

  @Test
  void aRuleAsRequestedNeedsNoWorkAndGetsItsNewOwner() {
    fixture.install(separate(1));
    request(separate(1).withOwner(77));
    Selected selected = selection.select(NOW);
    assertThat(selected.asRequested()).containsExactly(separate(1).key());
    assertThat(selected.work()).isEqualTo(new Work.Nothing());
    assertThat(placement.ledger().row(separate(1).key()))
        .isNotNull()
        .extracting(PlacedRow::owner)
        .isEqualTo(77L);
  }

  @Test
  void anotherTreatmentIsAPlanOfItsOwnBehindTheBatch() {
    LogicalRule changed = rule(11, "10.1.0.0/16", 9);
    fixture.install(separate(1));
    request(changed);
    request(separate(2));
    assertThat(batchSize(selection.select(NOW))).isEqualTo(1);
    Selected second = selection.select(NOW);
    assertThat(second.work()).isInstanceOf(Work.CarryOut.class);
    assertThat(((Work.CarryOut) second.work()).key()).isEqualTo(changed.key());
  }

  @Test
  void aRefusedRuleDoesNotHoldTheNextOne() {
    fixture.install(rule(90, "10.0.0.0/8", 1));
    request(rule(90, "10.7.0.0/16", 2));
    request(rule(80, "192.168.0.0/16", 2));
    Selected selected = selection.select(NOW);
    assertThat(selected.refused()).containsOnlyKeys(rule(90, "10.7.0.0/16", 2).key());
    assertThat(selected.refused().values())
        .extracting(Refusal::reason)
        .containsExactly(Refusal.Reason.CONFLICT);
    assertThat(batchSize(selected)).isEqualTo(1);
  }

  @Test
  void afterARejectionRulesGoSinglyAndBatchesGrowAgain() {
    for (int i = 1; i < 8; i++) {
      request(separate(i));
    }
    selection.batchEnded(false);
    assertThat(batchSize(selection.select(NOW))).isEqualTo(1);
    selection.batchEnded(true);
    assertThat(batchSize(selection.select(NOW))).isEqualTo(2);
    selection.batchEnded(true);
    assertThat(batchSize(selection.select(NOW))).isEqualTo(4);
    selection.retry(java.util.List.of(separate(1).key(), separate(2).key()));
    queue.next();
    assertThat(queue.size()).isEqualTo(1);
  }

  @Test
  void oneCallLooksAtABoundedNumberOfRules() {
    for (int i = 0; i < ChangeSelection.MAX_LOOKS + 10; i++) {
      queue.remove(rule(i + 1, "10.0.0.0/8", 1).key());
    }
    assertThat(selection.select(NOW).absent()).hasSize(ChangeSelection.MAX_LOOKS);
    assertThat(queue.size()).isEqualTo(10);
  }

  @Test
  void afterAReadingWhatDiffersFromTheRequestsIsQueued() {
    fixture.install(separate(1));
    fixture.install(separate(2));
    placement.withdraw(separate(1).key());
    selection.queueAll();
    assertThat(queue.next()).isEqualTo(new ChangeQueue.Entry(separate(1).key(), false));
    assertThat(queue.next()).isEqualTo(new ChangeQueue.Entry(separate(2).key(), false));
    assertThat(queue.isEmpty()).isTrue();
  }
}
