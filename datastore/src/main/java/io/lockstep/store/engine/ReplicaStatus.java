package io.lockstep.store.engine;

import java.util.List;

/**
 * A replica's view of the cluster.
 *
 * @param replicaId this replica
 * @param phase what it is doing
 * @param leaderId the replica that proposes, or -1 where unknown
 * @param regency number of the leader's term
 * @param lastInstance the last consensus instance applied here, -1 where none
 * @param reachable the replicas heard of recently, this one included, ascending
 * @param quorum whether a majority, this one included, is reachable and operational
 */
public record ReplicaStatus(
    int replicaId,
    Phase phase,
    int leaderId,
    long regency,
    long lastInstance,
    List<Integer> reachable,
    boolean quorum) {

  public ReplicaStatus {
    reachable = List.copyOf(reachable);
  }

  /** What a replica is doing. */
  public enum Phase {
    /** Not yet in contact with enough others to know where the cluster stands. */
    STARTING,
    /** Fetching what it missed. */
    RECOVERING,
    /** Taking part. */
    OPERATIONAL,
    /** Stopped, by itself or by {@link OrderingReplica#close}. */
    HALTED
  }
}
