package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.engine.ReplicaStatus;
import io.lockstep.store.engine.ReplicaStatus.Phase;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PeerWatchTest {
  private volatile ReplicaStatus status = status(Phase.STARTING, -1, false, 0);
  private final PeerWatch watch = new PeerWatch(() -> status, 3, number -> "n" + (number + 1));

  private static ReplicaStatus status(
      Phase phase, int leader, boolean quorum, Integer... reachable) {
    List<Integer> ids = List.of(reachable);
    return new ReplicaStatus(0, phase, leader, 0, 0, ids, ids, quorum, ReplicaStatus.Memory.NONE);
  }

  @Test
  void eachChangeIsToldOnceHoweverLongItLasts() {
    assertThat(watch.look())
        .containsExactly("replica n2 is unreachable", "replica n3 is unreachable");
    assertThat(watch.look()).isEmpty();

    status = status(Phase.OPERATIONAL, 1, true, 0, 1);
    assertThat(watch.look())
        .containsExactly(
            "replica n2 is reachable again",
            "this replica is operational",
            "a majority of the replicas works",
            "replica n2 leads");
    assertThat(watch.look()).isEmpty();

    status = status(Phase.OPERATIONAL, 1, false, 0);
    assertThat(watch.look()).containsExactly("replica n2 is unreachable", "no majority: no quorum");
    assertThat(watch.look()).isEmpty();
  }

  @Test
  void aLookThatFailsIsNotTheLast() throws InterruptedException {
    CountDownLatch looks = new CountDownLatch(3);
    try (PeerWatch failing =
        new PeerWatch(
            () -> {
              looks.countDown();
              throw new IllegalStateException("no status");
            },
            3,
            number -> "n" + number)) {
      failing.start(0, 1);
      assertThat(looks.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aClusterThatWorksFromTheBeginningSaysNothingOfPeers() {
    status = status(Phase.OPERATIONAL, 2, true, 0, 1, 2);
    assertThat(watch.look())
        .containsExactly(
            "this replica is operational", "a majority of the replicas works", "replica n3 leads");
  }
}
