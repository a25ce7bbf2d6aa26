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
 * @param memory what it keeps
 */
public record ReplicaStatus(
    int replicaId,
    Phase phase,
    int leaderId,
    long regency,
    long lastInstance,
    List<Integer> reachable,
    boolean quorum,
    Memory memory) {

  public ReplicaStatus {
    reachable = List.copyOf(reachable);
  }

  /**
   * What a replica keeps of the past.
   *
   * @param durable whether it outlives the process
   * @param snapshotInstance the last instance in the newest snapshot, -1 where there is none
   * @param bytesSinceSnapshot decisions logged since then, or since the start, in bytes
   * @param setAside files that were set aside at the start because of damage that others made up
   *     for
   */
  public record Memory(
      boolean durable, long snapshotInstance, long bytesSinceSnapshot, List<String> setAside) {
    /** Nothing is kept. */
    public static final Memory NONE = new Memory(false, -1, 0, List.of());

    public Memory {
      setAside = List.copyOf(setAside);
    }
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
