package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.engine.bftsmart.PeerNote.Beat;
import org.junit.jupiter.api.Test;

class PeerTableTest {
  private final PeerTable peers = new PeerTable(1, 3, 350);

  private static Beat beat(boolean operational) {
    return new Beat(
        0, operational, -1, false, true, 0, -1, 4, 0, new byte[32], Willingness.WILLING);
  }

  @Test
  void beatIsFreshForTheLeaderTimeout() {
    peers.beat(0, beat(true), 1000);
    assertThat(peers.fresh(0, 1350)).isNotNull();
    assertThat(peers.fresh(0, 1351)).isNull();
    assertThat(peers.reachable(1350)).containsExactly(0, 1);
    assertThat(peers.reachable(1351)).containsExactly(1);
  }

  @Test
  void quorumNeedsAMajorityThatTakesPartThisReplicaIncluded() {
    assertThat(peers.quorum(true, 1000)).isFalse();
    peers.beat(0, beat(false), 1000);
    assertThat(peers.quorum(true, 1000)).isFalse();
    peers.beat(2, beat(true), 1000);
    assertThat(peers.quorum(true, 1000)).isTrue();
    assertThat(peers.quorum(false, 1000)).isFalse();
    assertThat(peers.quorum(true, 1351)).isFalse();
  }

  @Test
  void whoStartsIsReachableAndDoesNotTakePart() {
    peers.beat(0, beat(false), 1000);
    peers.beat(2, beat(true), 1000);
    assertThat(peers.reachable(1000)).containsExactly(0, 1, 2);
    assertThat(peers.operational(true, 1000)).containsExactly(1, 2);
    assertThat(peers.operational(false, 1000)).containsExactly(2);
    assertThat(peers.operational(true, 1351)).containsExactly(1);
  }

  @Test
  void newProcessBehindALinkMustBeHeardAnew() {
    peers.beat(0, beat(true), 1000);
    peers.beat(2, beat(true), 1000);
    assertThat(peers.fresh(1000)).hasSize(2);
    peers.forget(2);
    assertThat(peers.fresh(1000)).hasSize(1);
    assertThat(peers.majority(1000)).isTrue();
    peers.forget(0);
    assertThat(peers.majority(1000)).isFalse();
  }

  @Test
  void unknownLeaderIsNotHeardOf() {
    assertThat(peers.fresh(-1, 0)).isNull();
  }
}
