package io.lockstep.deploy.admin;

import io.lockstep.deploy.admin.ApplicationDoor.ApplicationReport;
import io.lockstep.store.logging.FailureLog;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@link ApplicationDoor#PATH} and what is below it. An answer of a noun comes later, on
 * the noun's own thread, so that a slow one keeps no thread of the server. Thread-safe.
 */
final class ApplicationRequests {
  private static final FailureLog failures = FailureLog.of(ApplicationRequests.class);

  private static final List<String> STATES =
      List.of(ApplicationDoor.ACTIVE, ApplicationDoor.INACTIVE);

  /** Null until the node runs. */
  private volatile @Nullable ApplicationDoor applications;

  void offer(ApplicationDoor door) {
    applications = door;
  }

  static boolean has(String path) {
    return path.equals(ApplicationDoor.PATH) || path.startsWith(ApplicationDoor.PATH + "/");
  }

  /** The methods that a path takes. */
  static String allowed(String path) {
    return path.substring(ApplicationDoor.PATH.length()).split("/", -1).length == 2
        ? "GET, HEAD, PUT"
        : "GET, HEAD";
  }

  /** Answers a method that the path takes, perhaps later; once. */
  void handle(
      String method, String path, Map<String, String> query, Consumer<ProbeDoor.Answer> answer) {
    ApplicationDoor door = applications;
    if (door == null) {
      answer.accept(refused(503, "no node runs in this process", "ask a node"));
      return;
    }
    List<ApplicationReport> all = door.applications();
    String[] names = path.substring(ApplicationDoor.PATH.length()).split("/", -1);
    if (names.length == 1) {
      answer.accept(new ProbeDoor.Answer(200, all));
    } else if (names.length == 2 && method.equals("PUT")) {
      activate(door, names[1], query, answer);
    } else if (names.length == 2) {
      answer.accept(one(all, names[1]));
    } else if (names.length == 3) {
      failures.handle(
          names[1] + "/" + names[2],
          "the answer",
          door.ask(names[1], names[2], query),
          (shown, failure) -> answer.accept(failure == null ? shown : failed(failure)));
    } else {
      answer.accept(
          refused(404, "no such path", "use " + ApplicationDoor.PATH + "/APPLICATION/NOUN"));
    }
  }

  private static void activate(
      ApplicationDoor door,
      String name,
      Map<String, String> query,
      Consumer<ProbeDoor.Answer> answer) {
    ProbeDoor.Answer found = one(door.applications(), name);
    String state = query.getOrDefault("state", "");
    if (found.status() != 200) {
      answer.accept(found);
    } else if (!query.keySet().equals(Set.of("state")) || !STATES.contains(state)) {
      answer.accept(
          refused(
              400,
              "state: give " + String.join(" or ", STATES) + " in the query, and nothing else",
              "PUT " + ApplicationDoor.PATH + "/" + name + "?state=" + ApplicationDoor.INACTIVE));
    } else {
      failures.handle(
          name,
          "the change",
          door.activate(name, state.equals(ApplicationDoor.ACTIVE)),
          (said, failure) -> answer.accept(failure == null ? said : failed(failure)));
    }
  }

  private static ProbeDoor.Answer one(List<ApplicationReport> all, String name) {
    return all.stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .map(one -> new ProbeDoor.Answer(200, one))
        .orElseGet(
            () ->
                refused(
                    404,
                    "this node has no such application",
                    "one of "
                        + String.join(", ", all.stream().map(ApplicationReport::name).toList())));
  }

  private static ProbeDoor.Answer failed(Throwable failure) {
    return refused(500, "the node failed: " + failure, "see its log");
  }

  private static ProbeDoor.Answer refused(int status, String error, String remedy) {
    return new ProbeDoor.Answer(status, new AdminHandler.Refusal(error, remedy));
  }
}
