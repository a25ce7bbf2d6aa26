package io.lockstep.placer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PrioritiesTest {
  @Test
  void emptyHasNothingAboveOrBelow() {
    Priorities none = new Priorities();
    assertThat(none.anyAbove(0)).isFalse();
    assertThat(none.anyBelow(65_535)).isFalse();
    assertThat(none.count(0)).isZero();
  }

  @Test
  void answersAsAListWould() {
    Random random = new Random(5);
    Priorities priorities = new Priorities();
    List<Integer> list = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      if (list.isEmpty() || random.nextInt(5) < 3 - list.size() / 20) {
        list.add(random.nextInt(8));
        priorities.add(list.get(list.size() - 1));
      } else {
        priorities.remove(list.remove(random.nextInt(list.size())));
      }
      int asked = random.nextInt(8);
      assertThat(priorities.count(asked))
          .isEqualTo((int) list.stream().filter(one -> one == asked).count());
      assertThat(priorities.anyAbove(asked)).isEqualTo(list.stream().anyMatch(p -> p > asked));
      assertThat(priorities.anyBelow(asked)).isEqualTo(list.stream().anyMatch(p -> p < asked));
    }
  }
}
