package io.lockstep.history.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class LineBudgetTest {
  private static final int LINES = 1_000;

  private final LineBudget lines = new LineBudget(LINES);

  @Test
  void linesAreTakenOnce() {
    for (int i = 0; i < LINES; i++) {
      assertThat(lines.spent()).isFalse();
      assertThat(lines.take()).isTrue();
    }
    assertThat(lines.take()).isFalse();
    assertThat(lines.spent()).isTrue();
  }

  /** No operation has an answer: keys are replaced as fast as they can be. */
  @Test
  void operationsAndReadsAtTheEndAreNotMoreThanTheLines() {
    Random random = new Random(1);
    Pace pace = new Pace(() -> 0, 1e9, lines);
    KeyRing ring = new KeyRing(4, 2, KeyRing.MAX_OPERATIONS, lines);
    int operations = 0;
    while (pace.take()) {
      operations++;
      KeyRing.Slot slot = ring.take(random);
      if (slot != null) {
        ring.unanswered(slot);
      }
    }
    assertThat(ring.all()).hasSizeGreaterThan(100);
    assertThat(operations + ring.all().size()).isEqualTo(LINES);
    assertThat(pace.spent()).isTrue();
  }

  @Test
  void withoutALineThereIsNoNewKey() {
    LineBudget few = new LineBudget(3);
    KeyRing ring = new KeyRing(1, 1, 1, few);
    Random random = new Random(1);
    int keys = 0;
    for (int i = 0; i < 40; i++) {
      keys += ring.take(random) == null ? 0 : 1;
    }
    assertThat(keys).isEqualTo(3);
    assertThat(ring.all()).hasSize(3);
  }
}
