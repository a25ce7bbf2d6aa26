package io.lockstep.core.flow.placed;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.placed.LogicalRule.Origin;
import io.lockstep.core.placer.Logical;
import io.lockstep.core.placer.Rule;
import io.lockstep.core.placer.RuleKey;
import io.lockstep.core.placer.space.TernaryMatch;
import io.lockstep.store.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;

class BooksTest {
  private static final RuleKey KEY = new RuleKey(7, TernaryMatch.any());
  private static final PlacedRow ROW =
      new PlacedRow(KEY, Bytes.utf8("out 3"), true, 12.5, 1_234, Origin.SOFT, 99, 10, 20);

  private final Books books = new Books(1, 4, "5130", List.of(), null);

  private void store() {
    books.takeRows(10);
    books.takePlan();
    assertThat(books.written()).isTrue();
  }

  @Test
  void putBringsTheRowToTheBooksAndToTheStore() {
    Pending put = new Pending.Put(ROW);
    books.done(put);
    assertThat(books.row(KEY)).isEqualTo(ROW);
    assertThat(put.row()).isEqualTo(ROW);
    assertThat(put.logical())
        .isEqualTo(new Logical.Put(new Rule(KEY, ROW.treatment()), 12.5, true));
    assertThat(books.takeRows(10)).containsOnlyKeys(KEY);
  }

  @Test
  void dropTakesTheRowOutOfTheBooksAndTheStore() {
    books.done(new Pending.Put(ROW));
    store();
    Pending drop = new Pending.Drop(KEY);
    books.done(drop);
    assertThat(books.rows()).isEmpty();
    assertThat(drop.row()).isNull();
    assertThat(drop.logical()).isEqualTo(new Logical.Drop(KEY));
    assertThat(books.takeRows(10)).containsOnlyKeys(KEY);
  }

  @Test
  void liveChangesTheRowOnlyWhereItSaysSomethingElse() {
    books.done(new Pending.Put(ROW));
    store();
    books.done(new Pending.Live(KEY, true));
    books.done(new Pending.Live(new RuleKey(8, TernaryMatch.any()), false));
    assertThat(books.written()).isTrue();
    Pending live = new Pending.Live(KEY, false);
    books.done(live);
    assertThat(books.row(KEY)).isEqualTo(ROW.withLive(false));
    assertThat(live.row()).isNull();
    assertThat(live.logical()).isEqualTo(new Logical.Live(KEY, false));
    assertThat(books.written()).isFalse();
  }

  @Test
  void resizeChangesTheCapacityOfItsLayerInTheStoredPlan() {
    books.capacities(List.of(100L, 200L));
    store();
    Pending resize = new Pending.Resize(1, 150);
    books.done(resize);
    assertThat(books.capacities()).containsExactly(100L, 150L);
    assertThat(resize.row()).isNull();
    assertThat(resize.logical()).isEqualTo(new Logical.Resize(1, 150));
    assertThat(books.takePlan()).isNotNull();
  }
}
