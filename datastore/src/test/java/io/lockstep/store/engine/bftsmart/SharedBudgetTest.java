package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Who holds much gets no more while little is left. */
class SharedBudgetTest {
  private final SharedBudget budget = new SharedBudget(1000);

  /** Takes 10 bytes as often as it may; gives what it then holds. */
  private long greedy() {
    long held = 0;
    while (budget.take(held, 10)) {
      held += 10;
    }
    return held;
  }

  @Test
  void oneAloneGetsHalf() {
    assertThat(greedy()).isEqualTo(500);
    assertThat(budget.taken()).isEqualTo(500);
  }

  @Test
  void thereIsAlwaysAShareForOneMore() {
    SharedBudget large = new SharedBudget(1_000_000);
    long held = 0;
    for (int others = 0; others < 9; others++) {
      held = 0;
      while (large.take(held, 10)) {
        held += 10;
      }
    }
    assertThat(large.take(0, 1_000)).as("a tenth one asks").isTrue();
    assertThat(held).as("what the ninth one got").isPositive();
  }

  @Test
  void whatIsReleasedCanBeTakenAgain() {
    assertThat(budget.take(0, 500)).isTrue();
    assertThat(budget.take(500, 1)).isFalse();
    budget.release(500);
    assertThat(budget.taken()).isZero();
    assertThat(budget.take(0, 500)).isTrue();
  }

  @Test
  void whatIsTooLargeForAllIsGivenOnlyToOneAlone() {
    assertThat(budget.take(0, 5_000)).isTrue();
    assertThat(budget.take(0, 1)).isFalse();
    budget.release(5_000);
    assertThat(budget.take(0, 1)).isTrue();
    assertThat(budget.take(0, 5_000)).isFalse();
  }
}
