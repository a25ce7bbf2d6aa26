package io.lockstep.deploy.node;

import io.lockstep.core.host.HostDirectory;
import io.lockstep.core.host.HostQuery;
import io.lockstep.deploy.admin.DeviceDoor;
import io.lockstep.deploy.admin.ProbeDoor.Answer;
import io.lockstep.store.typed.Failure;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The devices in the store for the admin HTTP. Thread-safe. */
final class NodeDevices implements DeviceDoor {
  private final HostDirectory directory;

  /** Those that a node's directory finds. */
  NodeDevices(HostDirectory directory) {
    this.directory = directory;
  }

  /** The body of an answer that is not what was asked for. */
  record Refused(String error, String remedy) {}

  @Override
  public CompletableFuture<Answer> find(Map<String, String> query) {
    String text = query.get("find");
    Optional<HostQuery> asked = text == null ? Optional.of(HostQuery.all()) : HostQuery.parse(text);
    if (asked.isEmpty()) {
      return refused(400, "'" + text + "' names no device", "give " + HostQuery.ALLOWED);
    }
    try {
      return directory
          .find(asked.get(), query.get("next"))
          .thenApply(result -> result.fold(page -> new Answer(200, page), NodeDevices::notRead));
    } catch (IllegalArgumentException wrong) {
      return refused(400, "next: " + wrong.getMessage(), "give what the page before says");
    }
  }

  @Override
  public CompletableFuture<Answer> one(String id) {
    try {
      return directory
          .one(id)
          .thenApply(
              result ->
                  result.fold(
                      found ->
                          found.map(device -> new Answer(200, device)).orElseGet(() -> unknown(id)),
                      NodeDevices::notRead));
    } catch (IllegalArgumentException wrong) {
      return refused(
          400,
          String.valueOf(wrong.getMessage()),
          "give MAC/VLAN, such as 02:00:00:00:00:01/None or 02:00:00:00:00:01/7");
    }
  }

  private static Answer unknown(String id) {
    return new Answer(
        404, new Refused("no device is known as " + id, "./lockstep devices lists all"));
  }

  private static Answer notRead(Failure failure) {
    return new Answer(503, new Refused(failure.reason(), "see ./lockstep status"));
  }

  private static CompletableFuture<Answer> refused(int status, String error, String remedy) {
    return CompletableFuture.completedFuture(new Answer(status, new Refused(error, remedy)));
  }
}
