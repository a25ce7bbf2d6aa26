package io.lockstep.deploy.admin;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The version of the cluster, for the admin HTTP. Thread-safe. */
public interface UpgradeDoor {
  /** The path. */
  String PATH = "/api/v1/upgrade";

  /**
   * What a replica's release knows.
   *
   * @param id of its node
   * @param newest version that it knows; 0 where it is not linked
   * @param linked whether the asked node's replica is linked to it
   */
  record ReplicaVersion(String id, int newest, boolean linked) {}

  /**
   * What the asked node knows.
   *
   * @param node that was asked
   * @param active the version that the cluster is at
   * @param permitted the newest version that may come into force; 0 for none beyond the first
   *     release's
   */
  record Shown(String node, int active, int permitted, List<ReplicaVersion> replicas) {
    public Shown {
      replicas = List.copyOf(replicas);
    }
  }

  /** The state now; null where no replica runs in this process. */
  @Nullable Shown show();

  /**
   * Permits a version, so that it comes into force once all replicas know it. Completes with why
   * that is not so or not known; empty where it is permitted.
   */
  CompletableFuture<Optional<String>> permit(int version);

  /** Takes the permission back, if there is one; a version in force stays. As {@link #permit}. */
  CompletableFuture<Optional<String>> withdraw();
}
