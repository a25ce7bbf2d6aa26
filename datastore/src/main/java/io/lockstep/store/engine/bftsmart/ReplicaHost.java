package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.ReplicaStatus.Phase;

/**
 * The replica that owns a {@link ReplicaAgent}. On the replica's loop unless a method says
 * otherwise.
 */
interface ReplicaHost {
  ReplicaConfig config();

  /** Whether the replica has stopped, or is about to. */
  boolean stopped();

  /** Sets the replica's phase. */
  void phase(Phase now);

  /**
   * Lets requests wait here until the replica is operational, so that clients need not time out.
   */
  void keepClients();

  /** The loop has seen a tick. */
  void ticked(long nowMillis);

  /** Halts a replica whose loop is stuck. Any other thread. */
  void watchLoop();

  /** Sends to other replicas; drops the note if it cannot be sent. */
  void send(int[] targets, PeerNote note);

  /** Which machine is accepted behind each id. */
  MachineView machines();

  /**
   * Ends the links that do not fit {@link #machines} and dials the addresses there. Ignores what
   * waits here from the peers of those links.
   */
  void machinesInstalled();

  /** Passes a note to the loop. Any thread. */
  void toSelf(PeerNote note);

  /** Stops for good and reports the reason to the owner. */
  void halt(String reason);

  /**
   * Like {@link #halt}, if another start would fail in the same way: an operator has to repair it.
   */
  void refuse(String reason);

  /** A random number. */
  long nonce();
}
