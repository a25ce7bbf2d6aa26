package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.engine.StepDownOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Processes that stop on SIGTERM under load. Every test ends with all replicas equal and every
 * acknowledged request found on each of them.
 */
@Timeout(600)
class StepDownIT {
  private static final int CONCURRENCY = 64;

  /** A test on a running cluster under load. */
  interface Play {
    void on(ReplicaCluster cluster, Load load) throws Exception;
  }

  private static void play(boolean durable, Play play) throws Exception {
    try (ReplicaCluster cluster = new ReplicaCluster(ReplicaCluster.SIZE, durable)) {
      cluster.startAll();
      cluster.awaitAllOperational();
      try (Load load = new Load(cluster, 7)) {
        load.run(CONCURRENCY).awaitMore(2_000);
        play.on(cluster, load);
        load.drain();
        cluster.verify(load.acknowledged());
      }
    }
  }

  private static long stops(ReplicaCluster cluster, int id, StepDownOutcome outcome)
      throws IOException {
    return cluster.logged(id, ReplicaMain.STOPS + outcome);
  }

  private static void stopLeaders(ReplicaCluster cluster, Load load) throws Exception {
    for (int round = 1; round <= 3; round++) {
      int leader = cluster.leader();
      int other = (leader + 1) % ReplicaCluster.SIZE;
      long before = stops(cluster, leader, StepDownOutcome.FOLLOWS);
      load.resetGap();
      cluster.signal(leader, "TERM");
      cluster.awaitEnd(leader);
      assertThat(stops(cluster, leader, StepDownOutcome.FOLLOWS))
          .as("another led before the process ended")
          .isEqualTo(before + 1);
      assertThat(cluster.follows(other, leader)).isTrue();
      load.awaitMore(1_000);
      System.out.println("stop " + round + ": longest stall " + load.longestGapMillis() + " ms");
      cluster.start(leader);
      cluster.awaitAllOperational();
      assertThat(cluster.leader()).as("the one that comes back follows").isNotEqualTo(leader);
      load.awaitMore(1_000);
    }
  }

  @Test
  void leaderThatStopsLosesNothingInMemory() throws Exception {
    play(false, StepDownIT::stopLeaders);
  }

  @Test
  void leaderThatStopsLosesNothingOnDisk() throws Exception {
    play(true, StepDownIT::stopLeaders);
  }

  @Test
  void successorThatIsKilledAtTheSameMomentIsReplaced() throws Exception {
    play(
        true,
        (cluster, load) -> {
          for (int round = 0; round < 2; round++) {
            int leader = cluster.leader();
            int successor = (leader + 1) % ReplicaCluster.SIZE;
            cluster.signal(leader, "TERM");
            cluster.kill(successor);
            cluster.awaitEnd(leader);
            cluster.start(leader, successor);
            cluster.awaitAllOperational();
            load.awaitMore(1_000);
          }
        });
  }

  /**
   * More stop than may fail, with state in memory: what only they have is lost (docs/adr/0005, rule
   * 3). So nothing is acknowledged meanwhile.
   */
  @Test
  void twoThatStopAtOnceComeBack() throws Exception {
    play(
        false,
        (cluster, load) -> {
          load.drain();
          cluster.awaitEqual();
          int leader = cluster.leader();
          int successor = (leader + 1) % ReplicaCluster.SIZE;
          cluster.signal(leader, "TERM");
          cluster.signal(successor, "TERM");
          cluster.awaitEnd(leader);
          cluster.awaitEnd(successor);
          cluster.start(leader, successor);
          cluster.awaitAllOperational();
          load.run(CONCURRENCY).awaitMore(1_000);
        });
  }

  @Test
  void drainedReplicasLeadOnlyWhereNoOtherDoes() throws Exception {
    play(
        false,
        (cluster, load) -> {
          int drained = cluster.leader();
          cluster.ask(drained, "unwilling");
          until("the drained leader stays", () -> cluster.leader() != drained);
          int leader = cluster.leader();
          int other = 3 - drained - leader;
          cluster.ask(other, "unwilling");
          load.awaitMore(500);
          cluster.signal(leader, "TERM");
          cluster.awaitEnd(leader);
          assertThat(stops(cluster, leader, StepDownOutcome.FOLLOWS)).isEqualTo(1);
          load.awaitMore(1_000);
          cluster.start(leader);
          cluster.awaitAllOperational();
          until("the willing one does not lead", () -> cluster.leader() == leader);
          load.awaitMore(500);
        });
  }

  private static void until(String otherwise, BooleanSupplier condition) {
    Await.until(Duration.ofSeconds(60), () -> otherwise, condition);
  }
}
