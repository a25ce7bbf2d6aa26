package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import bftsmart.consensus.messages.MessageFactory;
import bftsmart.tom.util.BatchReader;
import io.lockstep.store.log.Decision;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The times in the decisions of replicas whose wall clocks are hours apart (docs/adr/0015): from
 * one decision to the next no more than what has passed.
 */
@ExtendWith(IsolatedLibrary.class)
class LeaderTimeTest {
  private static final long ERA = ReplicaConfig.MOST_INSTANCES_PER_ERA;

  private final List<Long> decidedAtMillis = new ArrayList<>();

  /** Decides one request after {@code millis}, and notes when. */
  private void decide(ScriptedCluster cluster, long millis) {
    cluster.advance(millis);
    int request = cluster.request(0, 1, 2);
    cluster.runUntilAcknowledged(request);
    cluster.runUntilEqual();
    decidedAtMillis.add(cluster.nowMillis());
  }

  private static void lead(ScriptedCluster cluster, int id, int regency) {
    cluster.replica(id).ask(regency);
    cluster.runUntilEqual();
  }

  private static List<Long> times(ScriptedReplica replica) throws IOException {
    List<Long> times = new ArrayList<>();
    for (Decision decision : Objects.requireNonNull(replica.log.after(-1, Integer.MAX_VALUE))) {
      times.add(new BatchReader(decision.value(), false).deserialiseRequests(null)[0].timestamp);
    }
    return times;
  }

  @Test
  void newLeaderGoesOnFromTheTimeOfTheLastDecision() throws IOException {
    try (ScriptedCluster cluster = new ScriptedCluster(3, ERA).start()) {
      long begin = cluster.nowMillis();
      decide(cluster, 200);
      lead(cluster, 1, 1);
      decide(cluster, 300);
      lead(cluster, 2, 2);
      decide(cluster, 400);
      lead(cluster, 0, 3);
      decide(cluster, 100);
      List<Long> times = times(cluster.replica(0));
      long passed = cluster.nowMillis() - begin;
      assertThat(times).isSorted();
      // All but the moments in which a leader made a proposal and the next one saw it.
      assertThat(times.get(times.size() - 1) - times.get(0)).isBetween(1_000L - 200, passed);
    }
  }

  @Test
  void timeDoesNotStandStillWhileAProposalWaitsForANewLeader() throws IOException {
    try (ScriptedCluster cluster = new ScriptedCluster(3, ERA).start()) {
      decide(cluster, 100);
      // The proposal reaches all, what they say of it reaches none.
      cluster.lose(
          sent ->
              sent.message() instanceof InstanceMessage message
                  && message.type() != MessageFactory.PROPOSE);
      int request = cluster.request(0);
      cluster.run();
      cluster.pass(1_000);
      cluster.heal();
      lead(cluster, 1, 1);
      cluster.runUntilAcknowledged(request);
      decide(cluster, 0);
      List<Long> times = times(cluster.replica(1));
      assertThat(times.get(times.size() - 1) - times.get(0)).isGreaterThanOrEqualTo(1_000);
    }
  }

  @Test
  void timeStandsStillWhileAllAreStopped() throws IOException {
    try (ScriptedCluster cluster = new ScriptedCluster(3, ERA).start()) {
      decide(cluster, 100);
      for (int id = 0; id < 3; id++) {
        cluster.crash(id);
      }
      cluster.pass(3_600_000);
      for (int id = 0; id < 3; id++) {
        cluster.restart(id);
      }
      long begin = cluster.nowMillis();
      cluster.runUntilEqual();
      decide(cluster, 100);
      List<Long> times = times(cluster.replica(1));
      assertThat(times.get(times.size() - 1) - times.get(0))
          .isBetween(100L, cluster.nowMillis() - begin);
    }
  }
}
