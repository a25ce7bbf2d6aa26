package io.lockstep.deploy.admin;

import io.lockstep.deploy.admin.UpgradeDoor.ReplicaVersion;
import io.lockstep.deploy.admin.UpgradeDoor.Shown;
import io.lockstep.deploy.admin.answer.QueryFields;
import io.lockstep.deploy.admin.answer.QueryFields.WrongQuery;
import io.lockstep.deploy.admin.answer.ResourceResponse;
import io.lockstep.store.logging.FailureLog;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@link UpgradeDoor#PATH}. {@code PUT} permits a version and {@code DELETE} takes the
 * permission back: a page of another site may send neither (adr/0032). Thread-safe.
 */
final class UpgradeRequests {
  private static final FailureLog failures = FailureLog.of(UpgradeRequests.class);

  /** Null until the node runs. */
  private volatile @Nullable UpgradeDoor versions;

  void offer(UpgradeDoor door) {
    versions = door;
  }

  /**
   * Answers a request.
   *
   * @param answer called once, on any thread
   */
  void handle(String method, Map<String, String> query, Consumer<ResourceResponse> answer) {
    UpgradeDoor door = versions;
    Shown shown = door == null ? null : door.show();
    if (door == null || shown == null) {
      answer.accept(
          ResourceResponse.problem(
              503, "", "no replica runs in this process, or not yet", "ask a node with a replica"));
      return;
    }
    try {
      switch (method) {
        case "GET", "HEAD" -> {
          QueryFields.of(query, List.of());
          answer.accept(ResourceResponse.of(200, shown));
        }
        case "PUT" -> permit(door, shown, QueryFields.of(query, List.of("version")), answer);
        case "DELETE" -> {
          QueryFields.of(query, List.of());
          done(door, door.withdraw(), answer);
        }
        default -> answer.accept(ResourceResponse.notAllowed("GET, HEAD, PUT, DELETE"));
      }
    } catch (WrongQuery e) {
      answer.accept(e.response());
    }
  }

  private static void permit(
      UpgradeDoor door, Shown shown, QueryFields query, Consumer<ResourceResponse> answer)
      throws WrongQuery {
    int version = (int) query.whole("version", 1, Integer.MAX_VALUE, 0);
    if (version == 0) {
      throw new WrongQuery("version", "version is missing", "give the version to permit");
    }
    if (version <= shown.active()) {
      answer.accept(ResourceResponse.of(200, shown));
      return;
    }
    for (ReplicaVersion replica : shown.replicas()) {
      if (replica.newest() < version) {
        answer.accept(unfit(replica, version));
        return;
      }
    }
    done(door, door.permit(version), answer);
  }

  private static ResourceResponse unfit(ReplicaVersion replica, int version) {
    return replica.linked()
        ? ResourceResponse.problem(
            409,
            "version",
            "node "
                + replica.id()
                + " runs a release that knows versions up to "
                + replica.newest()
                + ", not "
                + version,
            "upgrade it first; nothing was changed")
        : ResourceResponse.problem(
            409,
            "version",
            "node " + replica.id() + " is not linked, so what its release knows is not known",
            "start it first; nothing was changed");
  }

  private static void done(
      UpgradeDoor door,
      CompletableFuture<Optional<String>> written,
      Consumer<ResourceResponse> answer) {
    failures.handle(
        UpgradeDoor.PATH,
        "the answer",
        written.thenApply(why -> after(why, door.show())),
        (said, failure) ->
            answer.accept(
                failure == null
                    ? said
                    : ResourceResponse.problem(
                        500, "", "the node failed: " + failure, "see its log")));
  }

  private static ResourceResponse after(Optional<String> why, @Nullable Shown shown) {
    if (why.isPresent()) {
      return ResourceResponse.problem(503, "", why.get(), "see ./lockstep upgrade status");
    }
    return shown == null
        ? ResourceResponse.problem(503, "", "the replica has ended", "ask another node")
        : ResourceResponse.of(202, shown);
  }
}
