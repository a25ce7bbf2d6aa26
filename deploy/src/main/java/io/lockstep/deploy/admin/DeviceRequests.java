package io.lockstep.deploy.admin;

import io.lockstep.store.logging.FailureLog;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Answers {@link DeviceDoor#PATH} and what is below it, later: the store is asked. Thread-safe. */
final class DeviceRequests {
  private static final FailureLog failures = FailureLog.of(DeviceRequests.class);

  /** Null until the node runs. */
  private volatile @Nullable DeviceDoor devices;

  void offer(DeviceDoor door) {
    devices = door;
  }

  static boolean has(String path) {
    return path.equals(DeviceDoor.PATH) || path.startsWith(DeviceDoor.PATH + "/");
  }

  /** Answers, perhaps later; once. */
  void handle(String path, Map<String, String> query, Consumer<ProbeDoor.Answer> answer) {
    DeviceDoor door = devices;
    if (door == null) {
      answer.accept(refused(503, "no node runs in this process", "ask a node"));
      return;
    }
    CompletableFuture<ProbeDoor.Answer> asked =
        path.equals(DeviceDoor.PATH)
            ? door.find(query)
            : door.one(path.substring(DeviceDoor.PATH.length() + 1));
    failures.handle(
        "devices",
        "the answer",
        asked,
        (shown, failure) ->
            answer.accept(
                failure == null
                    ? shown
                    : refused(500, "the node failed: " + failure, "see its log")));
  }

  private static ProbeDoor.Answer refused(int status, String error, String remedy) {
    return new ProbeDoor.Answer(status, new AdminHandler.Refusal(error, remedy));
  }
}
