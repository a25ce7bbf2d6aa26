package io.lockstep.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WakeupTest {
  private final ArrayDeque<Runnable> queue = new ArrayDeque<>();
  private final List<String> ran = new ArrayList<>();

  @Test
  void manyChangesWaitAsOneTask() {
    Wakeup wakeup = new Wakeup(queue::add, () -> ran.add("looked"));
    assertThat(wakeup.wake()).isTrue();
    for (int i = 0; i < 1_000; i++) {
      assertThat(wakeup.wake()).isFalse();
    }
    assertThat(queue).hasSize(1);
    queue.remove().run();
    assertThat(ran).containsExactly("looked");
  }

  @Test
  void changeWhileTheTaskRunsIsLookedAtAgain() {
    Wakeup[] self = new Wakeup[1];
    self[0] =
        new Wakeup(
            queue::add,
            () -> {
              ran.add("looked");
              if (ran.size() == 1) {
                self[0].wake();
              }
            });
    self[0].wake();
    queue.remove().run();
    assertThat(queue).hasSize(1);
    queue.remove().run();
    assertThat(ran).hasSize(2);
    assertThat(queue).isEmpty();
  }
}
