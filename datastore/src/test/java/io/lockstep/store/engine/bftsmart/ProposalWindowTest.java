package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProposalWindowTest {
  private final ProposalWindow window = new ProposalWindow();

  @Test
  void keepsWhatIsNextAndNotWhatIsFarAhead() {
    assertThat(window.admits(0, 0, -1)).isTrue();
    assertThat(window.admits(100 + ProposalWindow.INSTANCES, 0, 100)).isTrue();
    assertThat(window.admits(101 + ProposalWindow.INSTANCES, 0, 100)).isFalse();
    assertThat(window.admits(3, 0, 100)).as("the library knows what is old").isTrue();
  }

  @Test
  void tellsOnceThatItHasDropped() {
    assertThat(window.admits(101, 0, 100)).isTrue();
    assertThat(window.takeOutpaced()).isFalse();
    assertThat(window.admits(1_000, 0, 100)).isFalse();
    assertThat(window.takeOutpaced()).isTrue();
    assertThat(window.takeOutpaced()).isFalse();
  }

  @Test
  void keepsNoMoreBytesThanItMay() {
    int large = 1 << 20;
    int kept = 0;
    for (long instance = 102; instance < 100 + ProposalWindow.INSTANCES; instance++) {
      kept += window.admits(instance, large, 100) ? 1 : 0;
    }
    assertThat(kept).isEqualTo((int) (ProposalWindow.BYTES / large));
    assertThat(window.takeOutpaced()).isTrue();
    assertThat(window.admits(101, large, 100)).as("the next in turn").isTrue();
    assertThat(window.admits(104, large, 103)).as("the next in turn").isTrue();
    assertThat(window.admits(120, large, 103)).as("room of those that came").isTrue();
  }
}
