package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.machine.ReplacedMachines;

/**
 * The links of a scripted cluster as handshakes would make and end them, once a test has said that
 * a machine may be replaced. Before that every replica is linked with every other.
 */
final class ScriptedMachines {
  private final ScriptedCluster cluster;
  private final int[] incarnations;
  private final boolean[][] up;
  private boolean shakesHands;

  ScriptedMachines(ScriptedCluster cluster, int size) {
    this.cluster = cluster;
    this.incarnations = new int[size];
    this.up = new boolean[size][size];
  }

  /** From now on, links begin and end by handshakes. */
  void shakeHands() {
    shakesHands = true;
  }

  /** The machine that will be started under this id says that it is this one. */
  void incarnation(int id, int incarnation) {
    incarnations[id] = incarnation;
  }

  Member member(int id) {
    return new Member(id, "127.0.0.1", 7000 + 10 * id, "", incarnations[id]);
  }

  void ended(int id) {
    for (int peer = 0; peer < up.length; peer++) {
      up[id][peer] = false;
      up[peer][id] = false;
    }
  }

  /** Whether there is no link for a message. */
  boolean separated(int from, int to) {
    if (!shakesHands) {
      return false;
    }
    boolean agree = agree(from, to);
    if (agree != up[from][to]) {
      up[from][to] = agree;
      up[to][from] = agree;
      PeerNote note = agree ? new PeerNote.LinkUp() : new PeerNote.LinkDown();
      cluster.queue(from, to).clear();
      cluster.queue(to, from).clear();
      tell(from, to, note);
      tell(to, from, note);
    }
    return !agree;
  }

  private void tell(int id, int peer, PeerNote note) {
    ScriptedReplica replica = cluster.replica(id);
    cluster.later(replica, () -> replica.receive(new PeerMessage(peer, note)));
  }

  private boolean agree(int one, int other) {
    if (!cluster.runs(one) || !cluster.runs(other)) {
      return false;
    }
    MachineView a = cluster.replica(one).machines();
    MachineView b = cluster.replica(other).machines();
    a.heard(other, b.own());
    b.heard(one, a.own());
    return a.refusal(other, b.own(), b.known(one)) == null
        && b.refusal(one, a.own(), a.known(other)) == null;
  }

  /** A change of machines as a request that reaches these replicas; returns its number. */
  int change(ReplacedMachines next, int... ids) {
    int number = cluster.request();
    for (int id : ids) {
      if (cluster.runs(id)) {
        cluster
            .replica(id)
            .request(ScriptedCluster.CLIENT, number, RecordingService.change(number, next));
      }
    }
    return number;
  }

  /** A replica goes by other machines now. */
  void installed(int id) {
    for (int peer = 0; peer < up.length; peer++) {
      if (peer != id && shakesHands && (!cluster.runs(peer) || separated(id, peer))) {
        cluster.replica(id).machines().deafen(peer);
      }
    }
  }
}
