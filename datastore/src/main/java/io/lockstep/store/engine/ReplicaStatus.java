package io.lockstep.store.engine;

import java.util.List;

/**
 * A replica's view of the cluster.
 *
 * @param replicaId this replica
 * @param phase its phase
 * @param leaderId the replica that proposes, or -1 if unknown
 * @param regency number of the leader's term
 * @param lastInstance the last consensus instance applied here, -1 if none
 * @param reachable the replicas that sent beats recently, and this one, ascending
 * @param operational those of them that take part, ascending
 * @param quorum whether a majority, this one included, is reachable and operational
 * @param memory its data
 */
public record ReplicaStatus(
    int replicaId,
    Phase phase,
    int leaderId,
    long regency,
    long lastInstance,
    List<Integer> reachable,
    List<Integer> operational,
    boolean quorum,
    Memory memory) {

  public ReplicaStatus {
    reachable = List.copyOf(reachable);
    operational = List.copyOf(operational);
  }

  /**
   * The data that a replica keeps.
   *
   * @param durable whether they survive the process
   * @param snapshotInstance the last instance in the newest snapshot, -1 if there is none
   * @param bytesSinceSnapshot bytes of decisions logged since then, or since the start
   * @param setAside damaged files that the replica set aside at its start, because other files have
   *     their content
   */
  public record Memory(
      boolean durable, long snapshotInstance, long bytesSinceSnapshot, List<String> setAside) {
    /** A replica without data. */
    public static final Memory NONE = new Memory(false, -1, 0, List.of());

    public Memory {
      setAside = List.copyOf(setAside);
    }
  }

  /** The phase of a replica. */
  public enum Phase {
    /** Waits for answers from enough other replicas. */
    STARTING,
    /** Fetches the decisions that it missed. */
    RECOVERING,
    /** Takes part. */
    OPERATIONAL,
    /** Has stopped, by itself or by {@link OrderingReplica#close}. */
    HALTED
  }
}
