package io.lockstep.core.flow.placed;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.placed.LogicalRule.Origin;
import io.lockstep.placer.LogicalChange;
import io.lockstep.placer.Rule;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.space.TernaryMatch;
import io.lockstep.store.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlacementLedgerTest {
  private static final RuleKey KEY = new RuleKey(7, TernaryMatch.any());
  private static final PlacedRow ROW =
      new PlacedRow(KEY, Bytes.utf8("out 3"), true, 12.5, 1_234, Origin.SOFT, 99, 10, 20);

  private final PlacementLedger ledger = new PlacementLedger(1, 4, "5130", List.of(), null);

  private void store() {
    ledger.takeRows(10);
    ledger.takePlan();
    assertThat(ledger.written()).isTrue();
  }

  @Test
  void putBringsTheRowToTheBooksAndToTheStore() {
    PendingChange put = new PendingChange.Put(ROW);
    ledger.done(put);
    assertThat(ledger.row(KEY)).isEqualTo(ROW);
    assertThat(put.row()).isEqualTo(ROW);
    assertThat(put.logical())
        .isEqualTo(new LogicalChange.Put(new Rule(KEY, ROW.treatment()), 12.5, true));
    assertThat(ledger.takeRows(10)).containsOnlyKeys(KEY);
  }

  @Test
  void dropTakesTheRowOutOfTheBooksAndTheStore() {
    ledger.done(new PendingChange.Put(ROW));
    store();
    PendingChange drop = new PendingChange.Drop(KEY);
    ledger.done(drop);
    assertThat(ledger.rows()).isEmpty();
    assertThat(drop.row()).isNull();
    assertThat(drop.logical()).isEqualTo(new LogicalChange.Drop(KEY));
    assertThat(ledger.takeRows(10)).containsOnlyKeys(KEY);
  }

  @Test
  void liveChangesTheRowOnlyWhereItSaysSomethingElse() {
    ledger.done(new PendingChange.Put(ROW));
    store();
    ledger.done(new PendingChange.Live(KEY, true));
    ledger.done(new PendingChange.Live(new RuleKey(8, TernaryMatch.any()), false));
    assertThat(ledger.written()).isTrue();
    PendingChange live = new PendingChange.Live(KEY, false);
    ledger.done(live);
    assertThat(ledger.row(KEY)).isEqualTo(ROW.withLive(false));
    assertThat(live.row()).isNull();
    assertThat(live.logical()).isEqualTo(new LogicalChange.Live(KEY, false));
    assertThat(ledger.written()).isFalse();
  }

  @Test
  void resizeChangesTheCapacityOfItsLayerInTheStoredPlan() {
    ledger.capacities(List.of(100L, 200L));
    store();
    PendingChange resize = new PendingChange.Resize(1, 150);
    ledger.done(resize);
    assertThat(ledger.capacities()).containsExactly(100L, 150L);
    assertThat(resize.row()).isNull();
    assertThat(resize.logical()).isEqualTo(new LogicalChange.Resize(1, 150));
    assertThat(ledger.takePlan()).isNotNull();
  }
}
