package io.lockstep.core.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PortsDownTest {
  private final List<Runnable> tasks = new ArrayList<>();
  private final List<SwitchPort> taken = new ArrayList<>();
  private final PortsDown down = new PortsDown(tasks::add, taken::add);

  @Test
  void portsThatFlapWithoutEndWaitAsOneTask() {
    for (int i = 0; i < 10_000; i++) {
      down.add(new SwitchPort(1, i % 100));
    }
    assertThat(tasks).hasSize(1);
    tasks.remove(0).run();
    assertThat(taken).hasSize(100).doesNotHaveDuplicates();
    down.add(new SwitchPort(1, 7));
    assertThat(tasks).hasSize(1);
    tasks.remove(0).run();
    assertThat(taken).hasSize(101).endsWith(new SwitchPort(1, 7));
  }
}
