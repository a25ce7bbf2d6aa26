package io.lockstep.history.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KindBagTest {
  private static List<FaultKind> draw(KindBag bag, int count) {
    List<FaultKind> drawn = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      drawn.add(bag.next());
    }
    return drawn;
  }

  @Test
  void everyKindComesBeforeOneComesAgain() {
    KindBag bag = new KindBag(FaultKind.usual(true), new Random(1));
    int all = FaultKind.values().length;
    assertThat(bag.missing()).isEqualTo(all);
    for (int round = 0; round < 20; round++) {
      assertThat(draw(bag, all)).containsExactlyInAnyOrder(FaultKind.values());
      assertThat(bag.missing()).isZero();
    }
  }

  @Test
  void equalSeedsDrawTheSameWhateverTheOrderOfTheOptions() {
    List<FaultKind> backwards = new ArrayList<>(FaultKind.usual(true));
    Collections.reverse(backwards);
    Set<FaultKind> forwards = EnumSet.allOf(FaultKind.class);
    assertThat(draw(new KindBag(backwards, new Random(7)), 30))
        .isEqualTo(draw(new KindBag(forwards, new Random(7)), 30));
  }

  @Test
  void allKindsAreUsualThatTheStateAllows() {
    assertThat(FaultKind.usual(true)).containsExactly(FaultKind.values());
    assertThat(FaultKind.usual(false))
        .doesNotContain(FaultKind.DISK, FaultKind.POWER, FaultKind.ROLLBACK, FaultKind.REPLACE)
        .hasSize(FaultKind.values().length - 4);
  }
}
