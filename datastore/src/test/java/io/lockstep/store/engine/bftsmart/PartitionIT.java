package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The network between replicas fails while clients reach all of them. What was on its way arrives
 * late, when others have decided. Ends with one order on all replicas and nothing acknowledged
 * lost.
 */
@Timeout(600)
class PartitionIT {
  private static final int CONCURRENCY = 32;

  private ReplicaCluster cluster;
  private Load load;

  /** Between 1 and 0, 2 and 0, 2 and 1, in this order. */
  private Relay[] relays;

  @BeforeEach
  void start() throws IOException {
    cluster = new ReplicaCluster(3, true);
    List<Member> between = ReplicaPorts.members(3);
    relays = new Relay[3];
    for (int from = 1; from < 3; from++) {
      for (int to = 0; to < from; to++) {
        int which = which(from, to);
        relays[which] =
            new Relay(between.get(which).replicaPort(), cluster.members().get(to).replicaPort());
      }
    }
    // A replica dials those with lower ids.
    cluster.routed(
        (from, to) ->
            to < from ? between.get(which(from, to)).port() : cluster.members().get(to).port());
    cluster.startAll();
    cluster.awaitAllOperational();
    load = new Load(cluster, 7);
    load.run(CONCURRENCY).awaitMore(1_000);
  }

  private static int which(int one, int other) {
    return one + other - 1;
  }

  @AfterEach
  void stop() throws Exception {
    load.close();
    cluster.close();
    for (Relay relay : relays) {
      relay.close();
    }
  }

  @Test
  void leaderCutOffFromItsFollowersComesBackToOneOrder() throws Exception {
    for (int round = 0; round < 2; round++) {
      int leader = cluster.leader();
      int one = (leader + 1) % 3;
      int other = (leader + 2) % 3;
      relays[which(leader, one)].cut();
      relays[which(leader, other)].cut();
      Await.until(
          Duration.ofSeconds(60),
          cluster::describe,
          () -> cluster.follows(one, leader) && cluster.follows(other, leader));
      load.awaitMore(2_000);
      // A replica that has no time to answer is asked again.
      Await.until(
          Duration.ofSeconds(60),
          cluster::describe,
          () -> cluster.status(leader).instance() < cluster.status(one).instance());
      relays[which(leader, one)].mend();
      relays[which(leader, other)].mend();
      cluster.awaitAllOperational();
      load.awaitMore(1_000);
    }
    load.drain();
    cluster.verify(load.acknowledged());
  }

  @Test
  void linkThatBreaksAgainAndAgainLeavesNobodyBehind() throws Exception {
    int leader = cluster.leader();
    int one = (leader + 1) % 3;
    for (int round = 0; round < 10; round++) {
      relays[which(leader, one)].breakAll();
      load.awaitMore(300);
      long passed = cluster.status(leader).instance();
      Await.until(
          Duration.ofSeconds(60),
          cluster::describe,
          () -> cluster.status(one).instance() >= passed);
    }
    load.awaitMore(1_000);
    load.drain();
    cluster.verify(load.acknowledged());
  }

  @Test
  void oneBrokenLinkLeavesTheClusterInOrder() throws Exception {
    int leader = cluster.leader();
    int one = (leader + 1) % 3;
    relays[which(leader, one)].cut();
    load.awaitMore(4_000);
    relays[which(leader, one)].mend();
    cluster.awaitAllOperational();
    load.awaitMore(1_000);
    load.drain();
    cluster.verify(load.acknowledged());
  }
}
