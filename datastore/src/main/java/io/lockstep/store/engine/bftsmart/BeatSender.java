package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.bftsmart.PeerNote.Beat;
import io.lockstep.store.log.Decision;

/**
 * Makes and sends this replica's beats.
 *
 * <p>Owned by the replica's loop.
 */
final class BeatSender {
  private final ReplicaHost host;
  private final ReplicaMemory memory;
  private final LibraryStack stack;
  private final RecoveryGate gate;
  private final ClusterMonitor monitor;
  private final StartRegister starts;

  BeatSender(
      ReplicaHost host,
      ReplicaMemory memory,
      LibraryStack stack,
      RecoveryGate gate,
      ClusterMonitor monitor,
      StartRegister starts) {
    this.host = host;
    this.memory = memory;
    this.stack = stack;
    this.gate = gate;
    this.monitor = monitor;
    this.starts = starts;
  }

  /** The beat that this replica would send now. */
  Beat own() {
    Decision last = memory.log().last();
    boolean takesPart = !gate.isRetrievingState();
    boolean begun = takesPart && stack.installed() != LibraryStack.NOT_BEGUN;
    return new Beat(
        stack.installed(),
        begun,
        takesPart ? monitor.missed() : -1,
        begun && monitor.leaderSeen(),
        memory.log().joined(),
        memory.log().regency(),
        takesPart && !begun ? memory.log().regency() : -1,
        last.instance(),
        last.regency(),
        last.chain(),
        memory.log().joined() ? monitor.stepDown().own() : Willingness.WILLING);
  }

  /** Sends this replica's starts and its beat to all others. */
  void send() {
    int self = host.config().replicaId();
    int[] others = new int[host.config().members().size() - 1];
    for (int i = 0; i < others.length; i++) {
      others[i] = i < self ? i : i + 1;
    }
    host.send(others, starts.own());
    host.send(others, own());
  }
}
