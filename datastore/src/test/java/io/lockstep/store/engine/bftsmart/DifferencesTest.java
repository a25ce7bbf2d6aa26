package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DifferencesTest {
  private final Differences differences = new Differences(1);

  @Test
  void onePeerThatDiffersMayBeTheWrongOne() {
    assertThat(differences.isNew(1, 1000)).isTrue();
    assertThat(differences.isNew(1, 1050)).isFalse();
    assertThat(differences.decisive(1050)).isFalse();
  }

  @Test
  void replicaThatDiffersFromBothPeersIsWrongItself() {
    differences.isNew(1, 1000);
    differences.isNew(2, 1100);
    assertThat(differences.decisive(1100)).isTrue();
    assertThat(differences.peers()).containsExactlyInAnyOrder(1, 2);
  }

  @Test
  void oldDifferencesDoNotCount() {
    differences.isNew(1, 1000);
    differences.isNew(2, 4000);
    assertThat(differences.decisive(4000)).isFalse();
  }

  @Test
  void aPeerThatWasBroughtBackNoLongerCounts() {
    differences.isNew(1, 1000);
    differences.forget(1);
    differences.isNew(2, 1100);
    assertThat(differences.decisive(1100)).isFalse();
    assertThat(differences.isNew(1, 1200)).as("seen as new again").isTrue();
  }
}
