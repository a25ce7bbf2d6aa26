package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.log.Chain;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.DecisionLog;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A replica's log says something else than those of its peers (docs/adr/0005, rules 1, 2 and 4).
 * Every test ends with all replicas equal and every acknowledged request found on each of them.
 */
@Timeout(600)
class OtherHistoryIT {
  private static final int CONCURRENCY = 32;
  private static final int TAIL = 3;

  private ReplicaCluster cluster;
  private Load load;

  @BeforeEach
  void start() throws IOException {
    cluster = new ReplicaCluster(3, true).withoutSnapshots();
    cluster.startAll();
    cluster.awaitAllOperational();
    load = new Load(cluster, 7);
    load.run(CONCURRENCY).awaitMore(1_000);
  }

  @AfterEach
  void stop() throws InterruptedException {
    load.close();
    cluster.close();
  }

  private void drainAndVerify() throws IOException {
    load.drain();
    cluster.verify(load.acknowledged());
  }

  @Test
  void replicaThatDiffersFromBothPeersHaltsAndIsBroughtBack() throws Exception {
    for (int wrong : new int[] {cluster.follower(), cluster.leader()}) {
      String why = "replica " + wrong + " halts: its history differs from those of replicas";
      cluster.expectError(why);
      // A peer that lags would fetch the wrong decision, and then the right one is alone.
      load.drain();
      cluster.awaitEqual();
      assertThat(cluster.ask(wrong, "diverge")).isEqualTo("ok");
      load.run(CONCURRENCY);
      assertThat(cluster.awaitEnd(wrong)).as("exit status").isEqualTo(10);
      assertThat(cluster.logged(wrong, why)).isEqualTo(1);
      load.awaitMore(1_000);
      cluster.start(wrong);
      cluster.awaitAllOperational();
      load.awaitMore(1_000);
    }
    drainAndVerify();
  }

  /** Adds decisions to a stopped replica's log that no other has: it decided them alone. */
  private long decideAlone(int id) throws IOException {
    try (DecisionLog log = cluster.openLog(id)) {
      Decision last = log.last();
      Chain chain = new Chain();
      for (int i = 0; i < TAIL; i++) {
        log.append(chain.next(log.last(), last.regency(), last.value()));
      }
      return last.instance();
    }
  }

  @Test
  void whatOneReplicaDecidedAloneIsTakenBackWhereTheOthersWentOn() throws Exception {
    int leader = cluster.leader();
    int alone = (leader + 1) % 3;
    int third = (leader + 2) % 3;
    cluster.kill(alone);
    long last = decideAlone(alone);
    // The others decide these instances otherwise, in a later regency.
    cluster.kill(leader);
    cluster.start(leader);
    cluster.awaitOperational(leader, third);
    Await.until(
        Duration.ofSeconds(60),
        cluster::describe,
        () -> cluster.status(third).instance() > last + TAIL);
    cluster.start(alone);
    cluster.awaitAllOperational();
    assertThat(cluster.logged(alone, "drops its decisions of instances " + (last + 1)))
        .isPositive();
    load.awaitMore(500);
    drainAndVerify();
  }

  @Test
  void whatOneReplicaDecidedAloneGoesOnWhereNobodyDecidedOtherwise() throws Exception {
    cluster.kill(0, 1, 2);
    int alone = highestPlace();
    decideAlone(alone);
    List<Decision> tail = lastOf(alone);
    // A majority without it could begin without its tail, which nobody has acknowledged.
    int other = (alone + 1) % 3;
    cluster.start(alone, other);
    cluster.awaitOperational(alone, other);
    cluster.start((alone + 2) % 3);
    cluster.awaitAllOperational();
    load.awaitMore(500);
    drainAndVerify();
    cluster.kill(0, 1, 2);
    for (int id = 0; id < 3; id++) {
      try (DecisionLog log = cluster.openLog(id)) {
        Decision end = tail.get(tail.size() - 1);
        byte[] chain = log.chainAfter(end.instance());
        // Null where a snapshot has taken its place.
        assertThat(chain == null || java.util.Arrays.equals(chain, end.chain())).isTrue();
      }
    }
  }

  /** Which of the stopped replicas has the history that goes on; not always the leader's. */
  private int highestPlace() throws IOException {
    int best = 0;
    Decision highest = Decision.NONE;
    for (int id = 0; id < 3; id++) {
      Decision last = lastOf(id).get(0);
      if (last.regency() > highest.regency()
          || (last.regency() == highest.regency() && last.instance() > highest.instance())) {
        best = id;
        highest = last;
      }
    }
    return best;
  }

  private List<Decision> lastOf(int id) throws IOException {
    try (DecisionLog log = cluster.openLog(id)) {
      return List.of(log.last());
    }
  }
}
