package io.lockstep.store.engine.bftsmart;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clusters of one and of five processes with disks, under load. */
@Timeout(600)
class ClusterSizesIT {

  @Test
  void oneReplicaServesClientsOfOtherProcessesAndKeepsWhatItAcknowledged() throws Exception {
    try (ReplicaCluster cluster = new ReplicaCluster(1, true)) {
      cluster.startAll();
      cluster.awaitAllOperational();
      try (Load load = new Load(cluster, 7)) {
        load.run(16).awaitMore(2_000);
        for (int round = 0; round < 2; round++) {
          cluster.kill(0);
          cluster.startAll();
          cluster.awaitAllOperational();
          load.awaitMore(2_000);
        }
        load.drain();
        cluster.verify(load.acknowledged());
      }
    }
  }

  @Test
  void fiveReplicasGoOnWithoutTwoTheLeaderAmongThem() throws Exception {
    try (ReplicaCluster cluster = new ReplicaCluster(5, true)) {
      cluster.startAll();
      cluster.awaitAllOperational();
      try (Load load = new Load(cluster, 7)) {
        load.run(32).awaitMore(2_000);
        int leader = cluster.leader();
        int next = (leader + 1) % 5;
        load.resetGap();
        cluster.kill(leader, next);
        load.awaitMore(2_000);
        Await.took(
            "longest stall after two of five were killed",
            load.longestGapMillis(),
            Await.LONGEST_STALL_MILLIS);
        cluster.start(leader, next);
        cluster.awaitAllOperational();
        load.awaitMore(1_000);
        load.drain();
        cluster.verify(load.acknowledged());
      }
    }
  }
}
