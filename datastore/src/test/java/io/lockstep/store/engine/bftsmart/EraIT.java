package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Replicas that go on in the next era of instance numbers (docs/adr/0006) while requests come and
 * replicas are killed. Every test ends with all replicas equal and every acknowledged request found
 * on each of them.
 */
@Timeout(600)
class EraIT {
  private static final int PER_ERA = 160;
  private static final int CONCURRENCY = 16;

  @RegisterExtension
  static final SharedCluster shared =
      new SharedCluster(
          () -> new ReplicaCluster(ReplicaCluster.SIZE, true).withInstancesPerEra(PER_ERA));

  private ReplicaCluster cluster;
  private Load load;

  /** How many eras are over when the test begins; one in its second half counts as over. */
  private long erasBefore;

  @BeforeEach
  void takeShared() {
    cluster = shared.cluster();
    load = shared.load();
    erasBefore = (instance() + PER_ERA / 2) / PER_ERA;
  }

  /** Waits for an instance by its distance from the beginning of an era, the first being 0. */
  private void awaitEra(int era, int from) {
    awaitInstance((erasBefore + era) * PER_ERA + from);
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

  /** How often each has left an era; one that lags hears from another that it is over. */
  private long[] nextEras() throws IOException {
    long[] logged = new long[ReplicaCluster.SIZE];
    for (int id = 0; id < logged.length; id++) {
      logged[id] =
          cluster.logged(id, "goes on in the next era")
              + cluster.logged(id, "has come to the end of the era");
    }
    return logged;
  }

  @Test
  void replicasGoOnInTheNextEraByThemselves() throws Exception {
    // Only so many lines are logged in a minute, and the test before may have caused them.
    cluster.kill(0, 1, 2);
    cluster.startAll();
    cluster.awaitAllOperational();
    long[] before = nextEras();
    load.run(CONCURRENCY);
    for (int era = 1; era <= 4; era++) {
      awaitEra(era, 50);
    }
    Await.took(
        "longest stall over ends of eras", load.longestGapMillis(), Await.LONGEST_STALL_MILLIS);
    drainAndVerify();
    long[] after = nextEras();
    for (int id = 0; id < after.length; id++) {
      assertThat(after[id] - before[id]).isGreaterThanOrEqualTo(4);
    }
  }

  @Test
  void replicaKilledAroundTheEndOfAnEraComesBackInTheNext() throws Exception {
    load.run(CONCURRENCY);
    for (int era = 1; era <= 4; era++) {
      // One after the other: a follower, the leader, and again.
      int killed = era % 2 == 0 ? cluster.leader() : cluster.follower();
      awaitEra(era, -40);
      cluster.kill(killed);
      awaitEra(era, 50);
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
      awaitEra(era, -20);
      cluster.kill(0, 1, 2);
      cluster.startAll();
      awaitEra(era, 50);
    }
    drainAndVerify();
  }

  @Test
  void wipedReplicaIsRefilledAcrossEras() throws Exception {
    load.run(CONCURRENCY);
    awaitEra(0, PER_ERA / 2);
    int wiped = cluster.follower();
    cluster.kill(wiped);
    cluster.wipe(wiped);
    awaitEra(2, 50);
    cluster.start(wiped);
    awaitEra(3, 50);
    cluster.awaitOperational(wiped);
    drainAndVerify();
  }

  @Test
  void pausedReplicaThatMissedTheEndOfTwoErasFindsBack() throws Exception {
    load.run(CONCURRENCY);
    awaitEra(0, PER_ERA / 2);
    int paused = cluster.leader();
    cluster.signal(paused, "STOP");
    awaitEra(2, 50);
    cluster.signal(paused, "CONT");
    cluster.awaitAllOperational();
    awaitEra(3, 50);
    drainAndVerify();
  }

  @Test
  void singleReplicaGoesOnWithoutAPause() throws Exception {
    try (ReplicaCluster single = new ReplicaCluster(1, true).withInstancesPerEra(PER_ERA);
        Load its = new Load(single, 7)) {
      cluster = single;
      load = its;
      erasBefore = 0;
      cluster.startAll();
      cluster.awaitAllOperational();
      load.run(CONCURRENCY);
      for (int era = 1; era <= 4; era++) {
        awaitEra(era, 50);
        if (era == 2) {
          cluster.kill(0);
          cluster.startAll();
          cluster.awaitAllOperational();
        }
      }
      drainAndVerify();
    }
  }
}
