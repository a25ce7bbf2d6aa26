package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Replicas tick and beat seldom while all of them take part and nothing is under way. */
@ExtendWith(IsolatedLibrary.class)
class BeatsAtRestTest {
  private static final long BEAT_MILLIS = 50;
  private static final long REST_MILLIS = 200;

  private static void assertTicks(ScriptedCluster cluster, long millis, int... ids) {
    for (int id : ids) {
      assertThat(cluster.replica(id).agent().tickMillis()).as("replica %s", id).isEqualTo(millis);
    }
  }

  @Test
  void clusterRestsUntilSomethingIsUnderWay() {
    try (ScriptedCluster cluster = new ScriptedCluster(3, ReplicaConfig.MOST_INSTANCES_PER_ERA)) {
      cluster.start();
      cluster.advance(500);
      assertTicks(cluster, REST_MILLIS, 0, 1, 2);
      int request = cluster.request(0, 1, 2);
      cluster.pass(10);
      assertTicks(cluster, BEAT_MILLIS, 0, 1, 2);
      cluster.run();
      assertThat(cluster.isAcknowledged(request)).isTrue();
      assertTicks(cluster, REST_MILLIS, 0, 1, 2);
    }
  }

  @Test
  void clusterThatLacksAReplicaDoesNotRest() {
    try (ScriptedCluster cluster = new ScriptedCluster(3, ReplicaConfig.MOST_INSTANCES_PER_ERA)) {
      cluster.start();
      cluster.advance(500);
      cluster.crash(2);
      cluster.advance(3 * REST_MILLIS);
      assertTicks(cluster, BEAT_MILLIS, 0, 1);
      cluster.restart(2);
      cluster.runUntilEqual();
      cluster.advance(500);
      assertTicks(cluster, REST_MILLIS, 0, 1, 2);
    }
  }
}
