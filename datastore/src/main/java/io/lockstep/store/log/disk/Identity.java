package io.lockstep.store.log.disk;

/**
 * The replica that owns a directory; written into every file.
 *
 * @param clusterId 1 to 64 characters
 * @param replicaId from 0
 */
public record Identity(String clusterId, int replicaId) {
  public Identity {
    if (clusterId.isEmpty() || clusterId.length() > 64 || replicaId < 0) {
      throw new IllegalArgumentException("identity " + clusterId + " " + replicaId);
    }
  }

  /** Refuses a file of another cluster or replica. */
  void expect(Identity found, String file) throws RefusedException {
    if (!clusterId.equals(found.clusterId)) {
      throw new RefusedException(
          RefusedException.Reason.OTHER_CLUSTER,
          file
              + " belongs to cluster \""
              + found.clusterId
              + "\", not to \""
              + clusterId
              + "\"; name another data directory");
    }
    if (replicaId != found.replicaId) {
      throw new RefusedException(
          RefusedException.Reason.OTHER_REPLICA,
          file
              + " belongs to replica "
              + found.replicaId
              + ", not to replica "
              + replicaId
              + "; name another data directory");
    }
  }
}
