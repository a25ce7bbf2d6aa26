package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import bftsmart.consensus.messages.MessageFactory;
import bftsmart.tom.leaderchange.LCMessage;
import bftsmart.tom.util.BatchReader;
import bftsmart.tom.util.TOMUtil;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the leader proposes, and when. Each proposal is written as instance and requests. */
@ExtendWith(IsolatedLibrary.class)
class ProposalsTest {
  private static final long ERA = ReplicaConfig.MOST_INSTANCES_PER_ERA;

  private final List<String> proposed = new ArrayList<>();

  /** Notes what is proposed to replica 2; all other consensus messages to it are lost. */
  private void watch(ScriptedCluster cluster) {
    cluster.lose(
        sent -> {
          if (sent.to() != 2 || !(sent.message() instanceof InstanceMessage message)) {
            return false;
          }
          if (message.type() == MessageFactory.PROPOSE) {
            int requests = new BatchReader(message.value(), false).deserialiseRequests(null).length;
            proposed.add(message.instance() + ":" + requests + " by " + sent.from());
          }
          return true;
        });
  }

  @Test
  void whatArrivesTogetherIsProposedTogether() {
    try (ScriptedCluster cluster = new ScriptedCluster(3, ERA).start()) {
      watch(cluster);
      cluster.request(0, 1, 2);
      cluster.request(0, 1, 2);
      cluster.run();
      assertThat(proposed).containsExactly("0:2 by 0");
    }
  }

  @Test
  void onlyOneInstanceRunsAndTheRestFollowsInOne() {
    try (ScriptedCluster cluster = new ScriptedCluster(3, ERA).start()) {
      watch(cluster);
      cluster.request(0, 1);
      cluster.runWork();
      for (int i = 0; i < 3; i++) {
        cluster.request(0, 1);
        cluster.runWork();
      }
      assertThat(proposed).containsExactly("0:1 by 0");
      cluster.run();
      assertThat(proposed).containsExactly("0:1 by 0", "1:3 by 0");
    }
  }

  @Test
  void whoDoesNotLeadDoesNotPropose() {
    try (ScriptedCluster cluster = new ScriptedCluster(3, ERA).start()) {
      watch(cluster);
      cluster.request(1, 2);
      cluster.run();
      assertThat(proposed).isEmpty();
    }
  }

  @Test
  void nothingIsProposedBetweenAReportAndTheNewRegency() {
    try (ScriptedCluster cluster = new ScriptedCluster(3, ERA).start()) {
      watch(cluster);
      // Replica 0 is to lead regency 3 and waits for a report.
      cluster.delay(
          sent ->
              sent.message() instanceof LCMessage change && change.getType() == TOMUtil.STOPDATA);
      cluster.replica(0).ask(3);
      cluster.run();
      cluster.request(0);
      cluster.run();
      assertThat(cluster.replica(0).agent().stack().suspended()).isTrue();
      assertThat(proposed).isEmpty();
    }
  }

  @Test
  void requestThatCameBeforeItsReplicaLedIsProposedInItsRegency() {
    try (ScriptedCluster cluster = new ScriptedCluster(3, ERA).start()) {
      int request = cluster.request(1, 2);
      cluster.run();
      cluster.replica(1).ask(1);
      cluster.run();
      assertThat(cluster.isAcknowledged(request)).isTrue();
    }
  }

  @Test
  void proposalsGoOnAcrossTheEndOfAnEra() {
    try (ScriptedCluster cluster = new ScriptedCluster(3, 100).start()) {
      int last = 0;
      for (int i = 0; i < 250; i++) {
        last = cluster.request(0, 1, 2);
        cluster.run();
        if (!cluster.isAcknowledged(last)) {
          // The replicas are between two eras; their clients try again.
          cluster.runUntilEqual();
        }
      }
      last = cluster.request(0, 1, 2);
      cluster.runUntilAcknowledged(last);
      cluster.runUntilEqual();
      assertThat(cluster.replica(0).last()).isGreaterThan(200);
      cluster.verify();
    }
  }

  @Test
  void singleReplicaDecidesWhatItProposes() {
    try (ScriptedCluster cluster = new ScriptedCluster(1, 100).start()) {
      for (int i = 0; i < 250; i++) {
        int request = cluster.request(0);
        cluster.run();
        assertThat(cluster.isAcknowledged(request)).isTrue();
      }
      assertThat(cluster.replica(0).last()).isEqualTo(249);
    }
  }
}
