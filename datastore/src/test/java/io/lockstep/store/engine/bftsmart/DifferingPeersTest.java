package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DifferingPeersTest {
  private final DifferingPeers differing = new DifferingPeers(1);

  @Test
  void onePeerThatDiffersMayBeTheWrongOne() {
    assertThat(differing.isNew(1, 1000)).isTrue();
    assertThat(differing.isNew(1, 1050)).isFalse();
    assertThat(differing.decisive(1050)).isFalse();
  }

  @Test
  void replicaThatDiffersFromBothPeersIsWrongItself() {
    differing.isNew(1, 1000);
    differing.isNew(2, 1100);
    assertThat(differing.decisive(1100)).isTrue();
    assertThat(differing.peers()).containsExactlyInAnyOrder(1, 2);
  }

  @Test
  void oldDifferencesDoNotCount() {
    differing.isNew(1, 1000);
    differing.isNew(2, 4000);
    assertThat(differing.decisive(4000)).isFalse();
  }

  @Test
  void aPeerThatWasBroughtBackNoLongerCounts() {
    differing.isNew(1, 1000);
    differing.forget(1);
    differing.isNew(2, 1100);
    assertThat(differing.decisive(1100)).isFalse();
    assertThat(differing.isNew(1, 1200)).as("seen as new again").isTrue();
  }
}
