package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OrderedWindowTest {

  @Test
  void agreesWithASetWithinItsSize() {
    Random random = new Random(5);
    OrderedWindow window = new OrderedWindow();
    Set<Integer> all = new HashSet<>();
    int highest = 0;
    for (int i = 0; i < 20_000; i++) {
      int sequence = Math.max(0, highest - 1_000 + random.nextInt(1_100));
      highest = Math.max(highest, sequence);
      window.add(sequence);
      all.add(sequence);
      int probe = highest - random.nextInt(OrderedWindow.SIZE - 1);
      assertThat(window.contains(probe))
          .as("%d of %d", probe, highest)
          .isEqualTo(all.contains(probe));
    }
  }

  @Test
  void jumpForgetsEverythingAndOldNumbersCountAsOrdered() {
    OrderedWindow window = new OrderedWindow();
    window.add(3);
    window.add(3 + 10 * OrderedWindow.SIZE);
    assertThat(window.contains(3 + 9 * OrderedWindow.SIZE)).isTrue();
    assertThat(window.contains(4 + 9 * OrderedWindow.SIZE)).isFalse();
    assertThat(window.contains(3)).isTrue();
    assertThat(window.contains(4 + 10 * OrderedWindow.SIZE)).isFalse();
  }

  @Test
  void emptyContainsNothing() {
    assertThat(new OrderedWindow().contains(0)).isFalse();
  }

  @Test
  void forgottenNumberIsNotContained() {
    OrderedWindow window = new OrderedWindow();
    window.add(7);
    window.add(9);
    window.forget(7);
    assertThat(window.contains(7)).isFalse();
    assertThat(window.contains(9)).isTrue();
  }
}
