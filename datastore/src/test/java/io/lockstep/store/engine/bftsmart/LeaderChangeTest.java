package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import bftsmart.consensus.messages.MessageFactory;
import bftsmart.tom.leaderchange.LCMessage;
import bftsmart.tom.util.TOMUtil;
import io.lockstep.store.engine.ReplicaStatus.Phase;
import io.lockstep.store.engine.bftsmart.ScriptedCluster.Sent;
import io.lockstep.store.engine.bftsmart.library.ValueDigest;
import io.lockstep.store.log.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Leader changes step by step, with the messages that a bad network would lose. */
@ExtendWith(IsolatedLibrary.class)
class LeaderChangeTest {
  private static final long ERA = ReplicaConfig.MOST_INSTANCES_PER_ERA;

  private static boolean acceptance(Sent sent) {
    return sent.message() instanceof InstanceMessage consensus
        && consensus.type() == MessageFactory.ACCEPT;
  }

  private static boolean consensus(Sent sent) {
    return sent.message() instanceof InstanceMessage;
  }

  private static long instance(Sent sent) {
    return sent.message() instanceof InstanceMessage consensus ? consensus.instance() : -1;
  }

  private static int epoch(Sent sent) {
    return sent.message() instanceof InstanceMessage consensus ? consensus.epoch() : -1;
  }

  private static boolean change(Sent sent, int type) {
    return sent.message() instanceof LCMessage change && change.getType() == type;
  }

  @Test
  void threeReplicasAgree() {
    try (ScriptedCluster cluster = new ScriptedCluster(3, ERA).start()) {
      int request = cluster.request(0, 1, 2);
      cluster.run();
      assertThat(cluster.isAcknowledged(request)).isTrue();
      cluster.verify();
    }
  }

  @Test
  void valuesAreToldApartByOurDigest() {
    try (ScriptedCluster cluster = new ScriptedCluster(3, ERA).start()) {
      assertThat(cluster.replica(1).digestOfValues()).isInstanceOf(ValueDigest.class);
    }
  }

  @Test
  void replicasThatWereAllStoppedBeginTheRegencyThatTheyAskFor() {
    try (ScriptedCluster cluster = new ScriptedCluster(3, ERA).afterRegency(1).start()) {
      assertThat(cluster.replica(0).agent().stack().installed()).isEqualTo(2);
    }
  }

  /** A replica that forgets what it has promised could help an old leader to decide. */
  @Test
  void replicaPromisesARegencyBeforeItTakesPartInTheChangeToIt() {
    try (ScriptedCluster cluster = new ScriptedCluster(3, ERA).afterRegency(1).start()) {
      List<String> early = new ArrayList<>();
      cluster.lose(
          sent -> {
            if (sent.message() instanceof LCMessage change
                && cluster.replica(sent.from()).log.regency() < change.getReg()) {
              early.add(change.getType() + " of replica " + sent.from());
            }
            return false;
          });
      cluster.replica(2).ask(3);
      cluster.run();
      cluster.runUntilEqual();
      assertThat(cluster.replica(0).agent().stack().installed()).isEqualTo(3);
      assertThat(early).isEmpty();
    }
  }

  @Test
  void wishesForARegencyWaitUntilTheReplicaHasRecovered() {
    try (ScriptedCluster cluster = new ScriptedCluster(3, ERA).afterRegency(1).start()) {
      cluster.crash(1);
      List<Sent> wishes = new ArrayList<>();
      cluster.lose(
          sent -> {
            if (change(sent, TOMUtil.STOP)) {
              wishes.add(sent);
            }
            return true;
          });
      cluster.restart(1);
      cluster.replica(2).ask(3);
      cluster.runWork();
      assertThat(wishes).extracting(Sent::from).containsOnly(2);
      ScriptedReplica one = cluster.replica(1);
      int promised = one.log.regency();
      one.receive(wishes.get(0).message());
      cluster.run();
      assertThat(one.agent().recovering()).isTrue();
      assertThat(one.log.regency()).isEqualTo(promised);
      assertThat(wishes).extracting(Sent::from).containsOnly(2);
      cluster.heal();
      cluster.runUntilEqual();
      cluster.verify();
    }
  }

  /** Replica 2 misses the leader because their link is broken; the third replica hears both. */
  @Test
  void leaderThatOneReplicaAloneMissesIsNotDeposed() {
    try (ScriptedCluster cluster = new ScriptedCluster(3, ERA).afterRegency(2).start()) {
      List<Integer> missed = new ArrayList<>();
      cluster.lose(
          sent -> {
            if (sent.from() == 2
                && sent.message() instanceof PeerMessage peer
                && peer.note() instanceof PeerNote.Beat beat) {
              missed.add(beat.missed());
            }
            return sent.from() + sent.to() == 2;
          });
      cluster.advance(10_000);
      assertThat(missed).as("replica 2 gives its leader up").contains(3);
      for (int id = 0; id < 3; id++) {
        assertThat(cluster.replica(id).agent().stack().installed()).isEqualTo(3);
        assertThat(cluster.replica(id).log.regency()).as("promise of %s", id).isEqualTo(3);
      }
      cluster.lose(sent -> sent.from() == 0 || sent.to() == 0);
      cluster.advance(10_000);
      assertThat(cluster.replica(1).agent().stack().installed()).isGreaterThan(3);
    }
  }

  /** Instances of another era have the same numbers as some of this era. */
  @Test
  void reportsFromAnotherEraDoNotReachTheLibrary() {
    try (ScriptedCluster cluster = new ScriptedCluster(3, 100).afterRegency(1).start()) {
      ScriptedReplica leader = cluster.replica(0);
      byte[] chain = new byte[PeerNote.CHAIN_BYTES];
      for (long instance : new long[] {4, 99, 240}) {
        leader.receive(
            new PeerMessage(2, new PeerNote.ReportedHistory(3, instance, 0, chain, chain)));
        LCMessage report = new LCMessage(2, TOMUtil.STOPDATA, 3, new byte[0]);
        assertThat(leader.agent().changes().admit(report)).isEqualTo(instance < 99);
      }
      assertThat(leader.doing()).isEqualTo(Phase.OPERATIONAL);
    }
  }

  /** The library stamps it with 0, so that a new leader could not tell which of two is newer. */
  @Test
  void acceptanceBearsTheRegencyInWhichItWasMade() {
    try (ScriptedCluster cluster = new ScriptedCluster(3, ERA).afterRegency(1).start()) {
      cluster.lose(LeaderChangeTest::acceptance);
      cluster.request(0, 1, 2);
      cluster.run();
      for (int id = 0; id < 3; id++) {
        assertThat(Objects.requireNonNull(cluster.replica(id).accepted()).getTimestamp())
            .as("replica %s", id)
            .isEqualTo(2);
      }
    }
  }

  /** Replica 2 has accepted a value in regency 2, which it led, and another one in regency 3. */
  @Test
  void onlyTheAcceptedValueIsReportedToANewLeader() {
    try (ScriptedCluster cluster = new ScriptedCluster(3, ERA).afterRegency(1).start()) {
      ScriptedReplica two = cluster.replica(2);
      cluster.lose(LeaderChangeTest::consensus);
      cluster.request(2);
      cluster.request(0);
      cluster.run();
      cluster.lose(sent -> consensus(sent) || (change(sent, TOMUtil.STOPDATA) && sent.from() == 2));
      cluster.replica(0).ask(3);
      cluster.run();
      assertThat(two.agent().stack().installed()).isEqualTo(3);
      assertThat(two.seen()).hasSize(2);
      cluster.lose(sent -> consensus(sent) || change(sent, TOMUtil.STOPDATA));
      two.ask(4);
      cluster.run();
      assertThat(two.agent().stack().suspended()).isTrue();
      assertThat(two.seen()).hasSize(1);
      assertThat(two.digestOfValues().digest(two.seen().get(0)))
          .isEqualTo(Objects.requireNonNull(two.accepted()).getValue());
      cluster.heal();
      cluster.runUntilEqual();
      cluster.verify();
    }
  }

  /** The library says everything once; nobody has to be deposed for what was lost with a link. */
  @Test
  void whatWasLostInARegencyIsSaidAgainInIt() {
    try (ScriptedCluster cluster = new ScriptedCluster(3, ERA).start()) {
      int regency = cluster.replica(1).agent().stack().installed();
      for (boolean proposals : new boolean[] {false, true}) {
        cluster.lose(sent -> proposals ? consensus(sent) : acceptance(sent));
        int request = cluster.request(0, 1, 2);
        cluster.run();
        assertThat(cluster.isAcknowledged(request)).isFalse();
        cluster.heal();
        cluster.runUntilAcknowledged(request);
        assertThat(cluster.replica(1).agent().stack().installed()).isEqualTo(regency);
      }
      cluster.runUntilEqual();
      cluster.verify();
    }
  }

  /**
   * Replica 0 is about to lead regency 3. It has told where it stands, and then hears what replica
   * 2, the old leader, has decided and replica 1 has accepted.
   */
  @Test
  void whatALeaderHearsDuringTheChangeIsNotDecidedOtherwise() {
    try (ScriptedCluster cluster = new ScriptedCluster(3, ERA).afterRegency(1).start()) {
      long before = cluster.replica(0).last();
      cluster.lose(
          sent -> consensus(sent) && (sent.to() == 0 || (acceptance(sent) && sent.from() == 2)));
      int request = cluster.request(2);
      cluster.run();
      assertThat(lasts(cluster)).containsExactly(before, before, before + 1);

      cluster.lose(sent -> consensus(sent) || change(sent, TOMUtil.STOPDATA));
      cluster.delay(sent -> change(sent, TOMUtil.STOP) && sent.to() == 2);
      cluster.replica(0).ask(3);
      cluster.run();
      assertThat(cluster.replica(0).agent().stack().suspended()).isTrue();

      cluster.lose(sent -> consensus(sent) || sent.from() == 1);
      cluster.advance(300);
      assertThat(lasts(cluster)).containsExactly(before, before, before + 1);
      cluster.heal();
      cluster.runUntilAcknowledged(request);
      cluster.runUntilEqual();
      cluster.verify();
    }
  }

  /** Replica 0 lags by several instances when it becomes the leader; both others report. */
  @Test
  void leaderThatLagsBeginsItsRegencyWithOneValue() {
    try (ScriptedCluster cluster = new ScriptedCluster(3, ERA).afterRegency(1).start()) {
      cluster.lose(sent -> consensus(sent) && sent.to() == 0);
      for (int i = 0; i < 3; i++) {
        cluster.request(1, 2);
        cluster.run();
      }
      assertThat(cluster.replica(1).last()).isEqualTo(cluster.replica(0).last() + 3);
      List<Sent> answers = new ArrayList<>();
      cluster.lose(
          sent -> {
            if (change(sent, TOMUtil.SYNC) && sent.to() == 1) {
              answers.add(sent);
            }
            return false;
          });
      cluster.replica(1).ask(3);
      cluster.run();
      assertThat(answers).hasSize(1);
      cluster.runUntilEqual();
      assertThat(cluster.replica(0).agent().stack().installed()).isEqualTo(3);
      cluster.verify();
    }
  }

  /** A regency begins with a history that replica 1, which takes part, does not have. */
  @Test
  void whoseHistoryIsNotTheOneThatGoesOnStepsBackAndIsBroughtBack() {
    try (ScriptedCluster cluster = new ScriptedCluster(3, ERA).afterRegency(1).start()) {
      final long before = cluster.replica(0).last();
      cluster.decideAlone(1, 2);
      cluster.decideAlone(1, 2);
      cluster.lose(sent -> change(sent, TOMUtil.STOPDATA) && sent.from() == 1);
      cluster.replica(2).ask(3);
      cluster.run();
      assertThat(cluster.replica(1).doing()).isEqualTo(Phase.RECOVERING);
      assertThat(cluster.replica(0).doing()).isEqualTo(Phase.OPERATIONAL);
      assertThat(cluster.replica(1).last()).isEqualTo(before + 2);
      cluster.heal();
      cluster.runUntilEqual();
      int request = cluster.request(0, 1, 2);
      cluster.runUntilAcknowledged(request);
      cluster.runUntilEqual();
      cluster.verify();
    }
  }

  /** Rule 1 of docs/adr/0005: who has promised more asks for a new regency, which decides. */
  @Test
  void replicasThatHavePromisedMoreThanTheOneThatTakesPartFindTogether() {
    try (ScriptedCluster cluster = new ScriptedCluster(3, ERA).afterRegency(4).start()) {
      // Replica 2, which leads regency 5, decides alone; the others come back with higher promises
      // and another history.
      cluster.lose(sent -> consensus(sent) && acceptance(sent) && sent.from() == 2);
      cluster.request(2);
      cluster.run();
      for (int id : new int[] {0, 1}) {
        cluster.crash(id);
        cluster.decideAlone(id, 4);
        cluster.promise(id, 9);
        cluster.restart(id);
      }
      cluster.heal();
      cluster.runUntilEqual();
      assertThat(cluster.replica(0).agent().stack().installed()).isLessThan(20);
    }
  }

  /** A leader change while the largest batches are decided, accepted and pending. */
  @Test
  void largestBatchesFitIntoALeaderChange() {
    try (ScriptedCluster cluster = new ScriptedCluster(3, ERA).start()) {
      int most = cluster.replica(0).config().limits().maxRequestBytes();
      for (int i = 0; i < 8; i++) {
        cluster.requestOf(most, 0, 1, 2);
      }
      cluster.run();
      // The next batch is accepted by all, and nobody hears of it before the leader is gone.
      long next = cluster.replica(0).last() + 1;
      cluster.lose(sent -> acceptance(sent) && instance(sent) == next && epoch(sent) == 0);
      int last = 0;
      for (int i = 0; i < 8; i++) {
        last = cluster.requestOf(most, 0, 1, 2);
      }
      cluster.run();
      cluster.crash(0);
      cluster.runUntilAcknowledged(last);
      cluster.heal();
      cluster.restart(0);
      cluster.runUntilEqual();
      cluster.verify();
    }
  }

  /** What a peer says whose last decision is another one, of the same regency. */
  private static PeerMessage otherHistory(int peer, ScriptedReplica ours) {
    Decision last = ours.log.last();
    byte[] chain = last.chain().clone();
    chain[0]++;
    int regency = ours.agent().stack().installed();
    return new PeerMessage(
        peer,
        new PeerNote.Beat(
            regency,
            true,
            -1,
            true,
            true,
            regency,
            -1,
            last.instance(),
            last.regency(),
            chain,
            Willingness.WILLING));
  }

  @Test
  void replicaWhoseHistoryDiffersFromThoseOfBothOthersHalts() {
    try (ScriptedCluster cluster = new ScriptedCluster(3, ERA).start()) {
      cluster.runUntilAcknowledged(cluster.request(0, 1, 2));
      ScriptedReplica one = cluster.replica(2);
      one.receive(otherHistory(1, one));
      assertThat(one.halted()).isNull();
      one.receive(otherHistory(0, one));
      assertThat(one.halted()).contains("its history differs from those of replicas");
    }
  }

  @Test
  void whatAPeerShowedBeforeItsLinkChangedCountsNoMore() {
    try (ScriptedCluster cluster = new ScriptedCluster(3, ERA).start()) {
      cluster.runUntilAcknowledged(cluster.request(0, 1, 2));
      ScriptedReplica one = cluster.replica(2);
      one.receive(otherHistory(1, one));
      one.receive(new PeerMessage(1, new PeerNote.LinkUp()));
      one.receive(otherHistory(0, one));
      assertThat(one.halted()).isNull();
      cluster.runUntilEqual();
      cluster.verify();
    }
  }

  private static List<Long> lasts(ScriptedCluster cluster) {
    return List.of(cluster.replica(0).last(), cluster.replica(1).last(), cluster.replica(2).last());
  }
}
