package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.ReplicaStatus.Phase;

/**
 * The replica around a {@link ReplicaAgent}. On the replica's loop unless a method says otherwise.
 */
interface ReplicaHome {
  ReplicaConfig config();

  /** Whether the replica has stopped, or is about to. */
  boolean stopped();

  /** What the replica is doing now. */
  void phase(Phase now);

  /** Until it is operational again, requests wait here rather than for their clients' patience. */
  void keepClients();

  /** The loop has seen a tick. */
  void ticked(long nowMillis);

  /** Halts a replica whose loop does not turn any more. Any other thread. */
  void watchLoop();

  /** Sends to other replicas; what cannot be sent is dropped. */
  void send(int[] targets, PeerNote note);

  /** Leaves a note for the loop. Any thread. */
  void toSelf(PeerNote note);

  /** Stops for good and tells the owner why. */
  void halt(String reason);

  /** The same where another start would end alike: a person has to look after it. */
  void refuse(String reason);

  /** A random number. */
  long nonce();
}
