package io.lockstep.deploy.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.Main;
import org.junit.jupiter.api.Test;

class LaunchedNodeTest {
  @Test
  void theNamedMainClassIsTheEntryPoint() {
    assertThat(LaunchedNode.MAIN_CLASS).isEqualTo(Main.class.getName());
  }
}
