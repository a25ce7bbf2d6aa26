package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import bftsmart.tom.leaderchange.LCMessage;
import bftsmart.tom.util.TOMUtil;
import io.lockstep.store.engine.ReplicaStatus.Phase;
import io.lockstep.store.engine.StepDownOutcome;
import io.lockstep.store.engine.bftsmart.ScriptedCluster.Sent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Leaders that step down (docs/adr/0029), with what may happen meanwhile. Replica 2 leads regency 2
 * in the beginning, and regencies 3 and 4 are those of replicas 0 and 1. Where a test only runs its
 * cluster no time passes, so nothing can wait for a time-out.
 */
@ExtendWith(IsolatedLibrary.class)
class StepDownTest {
  private static final int LEADER = 2;
  private static final int NEXT = 0;
  private static final int THIRD = 1;

  private static ScriptedCluster cluster() {
    ScriptedCluster cluster =
        new ScriptedCluster(3, ReplicaConfig.MOST_INSTANCES_PER_ERA).afterRegency(1).start();
    assertLeads(cluster, LEADER);
    return cluster;
  }

  private static void assertLeads(ScriptedCluster cluster, int leader) {
    for (int id = 0; id < 3; id++) {
      if (cluster.runs(id)) {
        assertThat(cluster.replica(id).agent().stack().leader())
            .as("leader at replica %s", id)
            .isEqualTo(leader);
        assertThat(cluster.replica(id).agent().stack().suspended()).isFalse();
      }
    }
  }

  private static void assertGoesOn(ScriptedCluster cluster) {
    cluster.runUntilAcknowledged(cluster.request(0, 1, 2));
    for (int id = 0; id < 3; id++) {
      if (!cluster.runs(id)) {
        cluster.restart(id);
      }
    }
    cluster.runUntilEqual();
    cluster.verify();
  }

  private static boolean asks(Sent sent) {
    return sent.message() instanceof LCMessage change && change.getType() == TOMUtil.STOP;
  }

  private static boolean consensus(Sent sent) {
    return sent.message() instanceof InstanceMessage;
  }

  private static boolean reports(Sent sent) {
    return sent.message() instanceof LCMessage change && change.getType() == TOMUtil.STOPDATA;
  }

  @Test
  void leaderGivesTheLeadAwayWhileItTakesPart() {
    try (ScriptedCluster cluster = cluster()) {
      cluster.replica(LEADER).leave();
      assertThat(cluster.replica(LEADER).steppedDown()).as("before others join").isNull();
      cluster.run();
      assertLeads(cluster, NEXT);
      assertThat(cluster.replica(LEADER).steppedDown()).isEqualTo(StepDownOutcome.FOLLOWS);
      assertThat(cluster.replica(LEADER).doing()).isEqualTo(Phase.OPERATIONAL);
      assertThat(cluster.replica(LEADER).agent().stack().installed()).isEqualTo(3);
      int request = cluster.request(0, 1, 2);
      cluster.run();
      assertThat(cluster.isAcknowledged(request)).isTrue();
      cluster.crash(LEADER);
      int after = cluster.request(0, 1);
      cluster.run();
      assertThat(cluster.isAcknowledged(after)).as("without the old leader").isTrue();
      assertThat(cluster.replica(NEXT).agent().stack().installed()).isEqualTo(3);
      assertGoesOn(cluster);
    }
  }

  @Test
  void replicaThatFollowsLeavesAtOnce() {
    try (ScriptedCluster cluster = cluster()) {
      cluster.replica(THIRD).leave();
      assertThat(cluster.replica(THIRD).steppedDown()).isEqualTo(StepDownOutcome.FOLLOWS);
      cluster.run();
      assertLeads(cluster, LEADER);
    }
  }

  @Test
  void leaderDecidesWhatItHasProposedBeforeItAsks() {
    try (ScriptedCluster cluster = cluster()) {
      int request = cluster.request(0, 1, 2);
      cluster.runWork();
      cluster.replica(LEADER).leave();
      assertThat(cluster.replica(LEADER).agent().stack().asked()).isEqualTo(2);
      cluster.run();
      assertLeads(cluster, NEXT);
      assertThat(cluster.isAcknowledged(request)).isTrue();
      assertGoesOn(cluster);
    }
  }

  @Test
  void instanceThatIsNotDecidedDoesNotKeepTheLeader() {
    try (ScriptedCluster cluster = cluster()) {
      cluster.lose(sent -> consensus(sent) && sent.from() == LEADER);
      int request = cluster.request(LEADER);
      cluster.runWork();
      cluster.replica(LEADER).leave();
      cluster.run();
      assertLeads(cluster, LEADER);
      cluster.advance(150);
      assertLeads(cluster, NEXT);
      cluster.heal();
      cluster.runUntilAcknowledged(request);
      assertGoesOn(cluster);
    }
  }

  /** The old leader's proposal is lost, and so is its report to the new one. */
  @Test
  void requestsThatTheOldLeaderHasAloneReachTheNewOneAtOnce() {
    try (ScriptedCluster cluster = cluster()) {
      cluster.lose(sent -> sent.from() == LEADER && (consensus(sent) || reports(sent)));
      int request = cluster.request(LEADER);
      cluster.runWork();
      cluster.replica(LEADER).leave();
      cluster.pass(150);
      cluster.tick(LEADER);
      cluster.run();
      assertLeads(cluster, NEXT);
      assertThat(cluster.isAcknowledged(request)).isTrue();
      assertGoesOn(cluster);
    }
  }

  @Test
  void leadGoesToAWillingReplica() {
    try (ScriptedCluster cluster = cluster()) {
      cluster.replica(NEXT).setWilling(false);
      cluster.run();
      cluster.replica(LEADER).leave();
      cluster.run();
      assertLeads(cluster, THIRD);
      assertThat(cluster.replica(THIRD).agent().stack().installed()).isEqualTo(4);
      assertGoesOn(cluster);
    }
  }

  @Test
  void unwillingReplicaLeadsWhereTheOthersLeave() {
    try (ScriptedCluster cluster = cluster()) {
      cluster.replica(NEXT).setWilling(false);
      cluster.replica(THIRD).setWilling(false);
      cluster.run();
      cluster.replica(LEADER).leave();
      cluster.run();
      assertLeads(cluster, NEXT);
      cluster.advance(3_000);
      assertLeads(cluster, NEXT);
      assertGoesOn(cluster);
    }
  }

  @Test
  void unwillingLeaderStaysUntilAReplicaIsWilling() {
    try (ScriptedCluster cluster = cluster()) {
      for (int id = 0; id < 3; id++) {
        cluster.replica(id).setWilling(false);
        cluster.run();
      }
      // The lead went through the replicas that were still willing.
      int leader = cluster.replica(0).agent().stack().leader();
      cluster.advance(3_000);
      assertLeads(cluster, leader);
      cluster.runUntilAcknowledged(cluster.request(0, 1, 2));
      int willing = (leader + 2) % 3;
      cluster.replica(willing).setWilling(true);
      cluster.run();
      cluster.advance(300);
      assertLeads(cluster, willing);
      assertGoesOn(cluster);
    }
  }

  @Test
  void leaderWhosePeersLeaveTooStaysAndSaysSoAtOnce() {
    try (ScriptedCluster cluster = cluster()) {
      cluster.replica(NEXT).leave();
      cluster.replica(THIRD).leave();
      cluster.run();
      cluster.replica(LEADER).leave();
      assertThat(cluster.replica(LEADER).steppedDown()).isEqualTo(StepDownOutcome.NO_SUCCESSOR);
      cluster.run();
      assertLeads(cluster, LEADER);
      assertGoesOn(cluster);
    }
  }

  /** The leader asks for the other's regency before it hears that the other leaves too. */
  @Test
  void leadPassesOnWhereTwoLeaveAtOnce() {
    try (ScriptedCluster cluster = cluster()) {
      cluster.replica(LEADER).leave();
      cluster.replica(NEXT).leave();
      cluster.run();
      cluster.advance(300);
      assertLeads(cluster, THIRD);
      assertThat(cluster.replica(LEADER).steppedDown()).isEqualTo(StepDownOutcome.FOLLOWS);
      assertThat(cluster.replica(NEXT).steppedDown()).isEqualTo(StepDownOutcome.FOLLOWS);
      assertGoesOn(cluster);
    }
  }

  @Test
  void leaderWithoutAMajorityEndsAtOnce() {
    try (ScriptedCluster cluster = cluster()) {
      cluster.crash(NEXT);
      cluster.crash(THIRD);
      cluster.replica(LEADER).leave();
      assertThat(cluster.replica(LEADER).steppedDown()).isEqualTo(StepDownOutcome.NO_SUCCESSOR);
    }
  }

  @Test
  void successorThatDiesBeforeItJoinsIsReplaced() {
    try (ScriptedCluster cluster = cluster()) {
      int request = cluster.request(LEADER, THIRD);
      cluster.run();
      cluster.replica(LEADER).leave();
      cluster.crash(NEXT);
      cluster.replica(LEADER).receive(new PeerMessage(NEXT, new PeerNote.Refused()));
      cluster.replica(THIRD).receive(new PeerMessage(NEXT, new PeerNote.Refused()));
      cluster.runUntilAcknowledged(cluster.request(LEADER, THIRD));
      assertThat(cluster.isAcknowledged(request)).isTrue();
      assertLeads(cluster, THIRD);
      assertGoesOn(cluster);
    }
  }

  @Test
  void oldLeaderThatDiesDuringTheChangeTakesNothingAlong() {
    for (int delivered = 0; delivered < 12; delivered++) {
      try (ScriptedCluster cluster = cluster()) {
        int request = cluster.request(0, 1, 2);
        cluster.replica(LEADER).leave();
        for (int i = 0; i < delivered && !cluster.waiting().isEmpty(); i++) {
          cluster.deliver(cluster.waiting().get(i % cluster.waiting().size()));
        }
        cluster.crash(LEADER);
        cluster.runUntilAcknowledged(request);
        assertGoesOn(cluster);
      }
    }
  }

  @Test
  void leaderWhoseRequestIsLostLeadsOnAndAsksAgain() {
    try (ScriptedCluster cluster = cluster()) {
      cluster.lose(StepDownTest::asks);
      cluster.replica(LEADER).leave();
      cluster.run();
      assertLeads(cluster, LEADER);
      int request = cluster.request(0, 1, 2);
      cluster.run();
      assertThat(cluster.isAcknowledged(request)).isTrue();
      cluster.heal();
      cluster.advance(1_000);
      assertLeads(cluster, NEXT);
      assertGoesOn(cluster);
    }
  }

  @Test
  void unwillingReplicaIsNotElectedAfterACrash() {
    try (ScriptedCluster cluster = cluster()) {
      cluster.replica(NEXT).setWilling(false);
      cluster.run();
      cluster.crash(LEADER);
      cluster.advance(3_000);
      assertLeads(cluster, THIRD);
      assertGoesOn(cluster);
    }
  }

  @Test
  void unwillingReplicaThatHadToLeadGivesTheLeadToOneThatComesBack() {
    try (ScriptedCluster cluster = cluster()) {
      cluster.replica(NEXT).setWilling(false);
      cluster.replica(THIRD).setWilling(false);
      cluster.run();
      cluster.crash(LEADER);
      cluster.advance(3_000);
      assertLeads(cluster, cluster.replica(NEXT).agent().stack().leader());
      cluster.restart(LEADER);
      cluster.runUntilEqual();
      cluster.advance(1_000);
      assertLeads(cluster, LEADER);
      assertGoesOn(cluster);
    }
  }
}
