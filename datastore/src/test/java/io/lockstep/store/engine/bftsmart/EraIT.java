package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Replicas that go on in the next era of instance numbers (docs/adr/0006) while requests come and
 * replicas are killed. Every test ends with all replicas equal and every acknowledged request found
 * on each of them.
 */
@Timeout(600)
class EraIT {
  private static final int PER_ERA = 160;
  private static final int CONCURRENCY = 16;

  private ReplicaCluster cluster;
  private Load load;

  @BeforeEach
  void start() throws IOException {
    cluster = new ReplicaCluster(3, true).withInstancesPerEra(PER_ERA);
    cluster.startAll();
    cluster.awaitAllOperational();
    load = new Load(cluster, 7);
  }

  @AfterEach
  void stop() throws InterruptedException {
    load.close();
    cluster.close();
  }

  private long instance() {
    return IntStream.range(0, cluster.members().size())
        .mapToLong(id -> cluster.status(id).instance())
        .max()
        .orElseThrow();
  }

  private void awaitInstance(long instance) {
    Await.until(
        Duration.ofSeconds(60),
        () -> "instance " + instance + " is not reached: " + cluster.describe(),
        () -> instance() >= instance);
  }

  private void drainAndVerify() throws IOException {
    load.drain();
    cluster.verify(load.acknowledged());
  }

  @Test
  void replicasGoOnInTheNextEraByThemselves() throws Exception {
    load.run(CONCURRENCY);
    for (int era = 1; era <= 4; era++) {
      awaitInstance(era * (long) PER_ERA + 50);
    }
    Await.took(
        "longest stall over ends of eras", load.longestGapMillis(), Await.LONGEST_STALL_MILLIS);
    drainAndVerify();
    for (int id = 0; id < ReplicaCluster.SIZE; id++) {
      assertThat(cluster.logged(id, "goes on in the next era")).isGreaterThanOrEqualTo(4);
    }
  }

  @Test
  void replicaKilledAroundTheEndOfAnEraComesBackInTheNext() throws Exception {
    load.run(CONCURRENCY);
    for (int era = 1; era <= 4; era++) {
      // One after the other: a follower, the leader, and again.
      int killed = era % 2 == 0 ? cluster.leader() : cluster.follower();
      awaitInstance(era * (long) PER_ERA - 40);
      cluster.kill(killed);
      awaitInstance(era * (long) PER_ERA + 50);
      cluster.start(killed);
      cluster.awaitOperational(killed);
    }
    drainAndVerify();
  }

  /**
   * In later eras the library's numbers are not the instances. On a fast machine an era can end
   * before its new leader is seen: that kill proves nothing here, and another one follows.
   */
  @Test
  void leadersKilledInTheMiddleOfAnEraAreReplacedInIt() throws Exception {
    load.run(CONCURRENCY);
    int replacedInTheirEra = 0;
    for (int kills = 0; replacedInTheirEra < 3 && kills < 12; kills++) {
      long era = instance() / PER_ERA + 1;
      awaitInstance(era * PER_ERA + PER_ERA / 10);
      int killed = cluster.leader();
      load.resetGap();
      cluster.kill(killed);
      load.awaitMore(100);
      Await.took(
          "stall after a leader was killed", load.longestGapMillis(), Await.LONGEST_STALL_MILLIS);
      replacedInTheirEra += instance() / PER_ERA == era ? 1 : 0;
      cluster.start(killed);
      cluster.awaitOperational(killed);
    }
    assertThat(replacedInTheirEra).as("leaders replaced in their era").isEqualTo(3);
    drainAndVerify();
  }

  @Test
  void allKilledAroundTheEndOfAnEraComeBack() throws Exception {
    load.run(CONCURRENCY);
    for (int era = 1; era <= 2; era++) {
      awaitInstance(era * (long) PER_ERA - 20);
      cluster.kill(0, 1, 2);
      cluster.startAll();
      awaitInstance(era * (long) PER_ERA + 50);
    }
    drainAndVerify();
  }

  @Test
  void wipedReplicaIsRefilledAcrossEras() throws Exception {
    load.run(CONCURRENCY);
    awaitInstance(PER_ERA / 2);
    int wiped = cluster.follower();
    cluster.kill(wiped);
    cluster.wipe(wiped);
    awaitInstance(2 * PER_ERA + 50);
    cluster.start(wiped);
    awaitInstance(3 * PER_ERA + 50);
    cluster.awaitOperational(wiped);
    drainAndVerify();
  }

  @Test
  void pausedReplicaThatMissedTheEndOfTwoErasFindsBack() throws Exception {
    load.run(CONCURRENCY);
    awaitInstance(PER_ERA / 2);
    int paused = cluster.leader();
    cluster.signal(paused, "STOP");
    awaitInstance(2 * PER_ERA + 50);
    cluster.signal(paused, "CONT");
    cluster.awaitAllOperational();
    awaitInstance(3 * PER_ERA + 50);
    drainAndVerify();
  }

  @Test
  void singleReplicaGoesOnWithoutAPause() throws Exception {
    cluster.close();
    load.close();
    cluster = new ReplicaCluster(1, true).withInstancesPerEra(PER_ERA);
    cluster.startAll();
    cluster.awaitAllOperational();
    load = new Load(cluster, 7).run(CONCURRENCY);
    for (int era = 1; era <= 4; era++) {
      awaitInstance(era * (long) PER_ERA + 50);
      if (era == 2) {
        cluster.kill(0);
        cluster.startAll();
        cluster.awaitAllOperational();
      }
    }
    drainAndVerify();
  }
}
