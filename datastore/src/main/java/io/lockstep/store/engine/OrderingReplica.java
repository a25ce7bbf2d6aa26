package io.lockstep.store.engine;

import io.lockstep.store.machine.ReplacedMachines;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** One running replica. Thread-safe. */
public interface OrderingReplica extends AutoCloseable {

  /** The replica's present view of itself and its peers. */
  ReplicaStatus status();

  /**
   * What this replica did since its process started, by name: the {@code instances} that it applied
   * and their {@code requests}, replayed ones included, the {@code records} that it appended to its
   * log, and the {@code syncs} of that.
   */
  default Map<String, Long> counts() {
    return Map.of();
  }

  /** The version of the cluster, as this replica sees it. */
  default ClusterVersions versions() {
    return new ClusterVersions(1, 0, List.of(1));
  }

  /** What this replica timed since its process started. */
  default ReplicaMeasures measures() {
    return ReplicaMeasures.NONE;
  }

  /** The machines that have replaced others, as this replica goes by them. */
  default ReplacedMachines machines() {
    return ReplacedMachines.NONE;
  }

  /**
   * Sets whether this replica is willing to lead. One that is not gives the lead to a willing
   * replica that takes part, as soon as there is one, and takes it only where none does. Holds
   * until the next call, and until the process ends. Returns at once; a replica without peers
   * ignores it.
   */
  default void setWilling(boolean willing) {}

  /**
   * Prepares an orderly stop: gives the lead away while this replica still takes part, and takes it
   * only where all others that take part step down too. There is no way back in this process.
   *
   * <p>The future completes on the replica's thread, at once where this replica does not lead. It
   * has no deadline of its own: where a leader change is under way and its majority is lost, it
   * completes when the replica stops.
   */
  default CompletableFuture<StepDownOutcome> stepDown() {
    return CompletableFuture.completedFuture(StepDownOutcome.NO_SUCCESSOR);
  }

  /** Stops ordering. A stopped replica cannot be started again in this process. */
  @Override
  void close();
}
