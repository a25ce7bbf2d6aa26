package io.lockstep.store.engine;

import java.util.List;

/**
 * The version of a cluster, and what its replicas know of versions.
 *
 * @param active the version that the cluster is at: the number of the rules in force
 * @param permitted the newest version that the operator permits; 0 for none
 * @param newest the newest version that each replica's release knows, by replica id; 0 for one that
 *     the replica which reports this is not linked to
 */
public record ClusterVersions(int active, int permitted, List<Integer> newest) {
  public ClusterVersions {
    newest = List.copyOf(newest);
  }
}
