package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.deploy.process.OperatorException;
import org.junit.jupiter.api.Test;

class StateSizeTest {
  @Test
  void withoutASettingTheStateMayTakeThreeEighthsOfTheHeap() throws OperatorException {
    assertThat(StateSize.megabytes(0, 256L << 20)).isEqualTo(96);
    assertThat(StateSize.megabytes(0, 4L << 30)).isEqualTo(1536);
    assertThat(StateSize.megabytes(0, Long.MAX_VALUE)).isEqualTo(1 << 20);
  }

  @Test
  void settingCounts() throws OperatorException {
    assertThat(StateSize.megabytes(128, 256L << 20)).isEqualTo(128);
  }

  @Test
  void settingThatTheHeapCannotHoldIsRefusedWithTheRemedy() {
    assertThatThrownBy(() -> StateSize.megabytes(129, 256L << 20))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("129 MB")
        .hasMessageContaining("256 MB");
  }
}
