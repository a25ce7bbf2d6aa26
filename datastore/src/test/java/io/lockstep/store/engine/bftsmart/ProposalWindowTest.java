package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProposalWindowTest {
  private final ProposalWindow window = new ProposalWindow();

  @Test
  void keepsWhatIsNextAndNotWhatIsFarAhead() {
    assertThat(window.admits(0, -1)).isTrue();
    assertThat(window.admits(100 + ProposalWindow.INSTANCES, 100)).isTrue();
    assertThat(window.admits(101 + ProposalWindow.INSTANCES, 100)).isFalse();
    assertThat(window.admits(3, 100)).as("the library knows what is old").isTrue();
  }

  @Test
  void tellsOnceThatItHasDropped() {
    assertThat(window.admits(101, 100)).isTrue();
    assertThat(window.takeOutpaced()).isFalse();
    assertThat(window.admits(1_000, 100)).isFalse();
    assertThat(window.takeOutpaced()).isTrue();
    assertThat(window.takeOutpaced()).isFalse();
  }
}
