package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Faults of real processes with real disks under load. Every test ends with all replicas equal and
 * every acknowledged request found on each of them.
 */
@Timeout(600)
class DurableIT {
  private static final int CONCURRENCY = 64;
  private static final int STUCK_MILLIS = 10_000;

  @RegisterExtension
  static final SharedCluster shared =
      new SharedCluster(() -> new ReplicaCluster(ReplicaCluster.SIZE, true));

  private ReplicaCluster cluster;
  private Load load;

  @BeforeEach
  void takeShared() {
    cluster = shared.cluster();
    load = shared.load();
    load.run(CONCURRENCY).awaitMore(2_000);
  }

  private void drainAndVerify() throws IOException {
    load.drain();
    cluster.verify(load.acknowledged());
  }

  @Test
  void allKilledAtOnceUnderLoadComeBackWithEverythingAcknowledged() throws Exception {
    for (int round = 0; round < 3; round++) {
      cluster.kill(0, 1, 2);
      cluster.startAll();
      Await.took("ready after all were killed", cluster.awaitAllOperational(), 30_000);
      load.awaitMore(2_000);
    }
    drainAndVerify();
  }

  @Test
  void majorityComesBackWithoutTheThird() throws Exception {
    int leader = cluster.leader();
    int other = (leader + 1) % ReplicaCluster.SIZE;
    int third = (leader + 2) % ReplicaCluster.SIZE;
    cluster.kill(0, 1, 2);
    cluster.start(leader, other);
    cluster.awaitOperational(leader, other);
    load.awaitMore(2_000);
    cluster.start(third);
    cluster.awaitAllOperational();
    drainAndVerify();
  }

  @Test
  void replicaThatWasAwayComesBackBesideOneOfTheOthers() throws Exception {
    int leader = cluster.leader();
    int away = (leader + 1) % ReplicaCluster.SIZE;
    cluster.kill(away);
    load.awaitMore(2_000);
    cluster.kill(leader);
    cluster.start(away);
    Await.took("back beside one of the others", cluster.awaitOperational(away), 30_000);
    load.awaitMore(2_000);
    cluster.start(leader);
    cluster.awaitAllOperational();
    drainAndVerify();
  }

  @Test
  void replicaThatWasAwayTooLongIsRefilledFromASnapshot() throws Exception {
    int away = cluster.follower();
    cluster.kill(away);
    long before = cluster.logged(away, "fetches a snapshot");
    load.awaitMore(20_000);
    cluster.start(away);
    cluster.awaitOperational(away);
    assertThat(cluster.logged(away, "fetches a snapshot")).isGreaterThan(before);
    load.awaitMore(2_000);
    drainAndVerify();
  }

  @Test
  void wipedReplicaIsRefilledUnderLoad() throws Exception {
    int wiped = cluster.leader();
    cluster.kill(wiped);
    cluster.wipe(wiped);
    load.awaitMore(2_000);
    cluster.start(wiped);
    cluster.awaitOperational(wiped);
    load.awaitMore(2_000);
    drainAndVerify();
  }

  @Test
  void twoWipedBesideASurvivorAreRefilled() throws Exception {
    int survivor = cluster.leader();
    int first = (survivor + 1) % ReplicaCluster.SIZE;
    int second = (survivor + 2) % ReplicaCluster.SIZE;
    // What is acknowledged must be on the survivor's disk; the leader is never behind.
    load.drain();
    Await.until(
        Duration.ofSeconds(60),
        cluster::describe,
        () ->
            String.valueOf(cluster.status(first).instance())
                .equals(cluster.ask(survivor, "durable")));
    cluster.kill(first, second);
    cluster.wipe(first);
    cluster.wipe(second);
    cluster.kill(survivor);
    cluster.startAll();
    cluster.awaitAllOperational();
    load.run(CONCURRENCY).awaitMore(2_000);
    drainAndVerify();
  }

  @Test
  void replicaWhoseDiskHangsHaltsAndTheOthersGoOn() throws Exception {
    drainAndVerify();
    try (ReplicaCluster impatient =
            new ReplicaCluster(ReplicaCluster.SIZE, true).stuckAfter(STUCK_MILLIS);
        Load its = new Load(impatient, 7)) {
      cluster = impatient;
      load = its;
      cluster.startAll();
      cluster.awaitAllOperational();
      load.run(CONCURRENCY).awaitMore(2_000);
      int stuck = cluster.leader();
      cluster.expectError("replica " + stuck + " halts: the loop has been stuck");
      assertThat(cluster.ask(stuck, "hang")).isEqualTo("ok");
      load.awaitMore(5_000);
      assertThat(cluster.awaitEnd(stuck)).as("exit status").isEqualTo(10);
      cluster.start(stuck);
      cluster.awaitAllOperational();
      load.awaitMore(500);
      drainAndVerify();
    }
  }

  /** More with -Dlockstep.fault.seed and -Dlockstep.fault.rounds. */
  @Test
  void randomFaultsOfReplicasWithDisks() throws Exception {
    long seed = Long.getLong("lockstep.fault.seed", 20_261_120L);
    int rounds = Integer.getInteger("lockstep.fault.rounds", 4);
    System.out.println("random faults with seed " + seed);
    Random random = new Random(seed);
    for (int round = 0; round < rounds; round++) {
      int one = random.nextInt(ReplicaCluster.SIZE);
      int other = (one + 1 + random.nextInt(2)) % ReplicaCluster.SIZE;
      int kind = random.nextInt(4);
      System.out.println("round " + round + ": fault " + kind + " of " + one + ", " + other);
      if (kind == 0) {
        cluster.kill(one);
        load.awaitMore(random.nextInt(2_000));
        cluster.start(one);
      } else if (kind == 1) {
        cluster.signal(one, "STOP");
        load.awaitMore(random.nextInt(3_000));
        cluster.kill(other);
        cluster.signal(one, "CONT");
        load.awaitMore(1_000);
        cluster.start(other);
      } else if (kind == 2) {
        cluster.kill(one);
        load.awaitMore(random.nextInt(1_000));
        cluster.kill(other);
        cluster.start(one);
        load.awaitMore(500);
        cluster.start(other);
      } else {
        cluster.kill(0, 1, 2);
        cluster.startAll();
      }
      load.awaitMore(random.nextInt(2_000));
      cluster.awaitAllOperational();
    }
    assertThat(load.count()).isPositive();
    drainAndVerify();
  }
}
