package io.lockstep.deploy.admin;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@link RecordingDoor#PATH}. {@code PUT} begins a recording and {@code DELETE} ends it: a
 * page of another site may send neither (adr/0032). One change is carried out at a time.
 * Thread-safe.
 */
final class RecordingRequests {
  private static final Set<String> PARAMETERS = Set.of("file", "megabytes");

  private final Semaphore turn = new Semaphore(1);

  /** Null until the node runs. */
  private volatile @Nullable RecordingDoor recordings;

  void offer(RecordingDoor door) {
    recordings = door;
  }

  ProbeDoor.Answer answer(String method, Map<String, String> query) {
    RecordingDoor door = recordings;
    if (door == null) {
      return refused(503, "no node runs in this process", "ask a node");
    } else if (HttpMethod.GET.is(method) || HttpMethod.HEAD.is(method)) {
      return door.show();
    } else if (!HttpMethod.PUT.is(method) && !HttpMethod.DELETE.is(method)) {
      return refused(405, "method " + method + " is not allowed", "use GET, PUT or DELETE");
    }
    for (String parameter : query.keySet()) {
      if (!PARAMETERS.contains(parameter) || HttpMethod.DELETE.is(method)) {
        return refused(
            400, "'" + parameter + "' is no parameter", "give file and megabytes to PUT");
      }
    }
    if (!turn.tryAcquire()) {
      return refused(503, "the node is carrying out another change", "try again");
    }
    try {
      return HttpMethod.PUT.is(method)
          ? door.start(query.get("file"), query.get("megabytes"))
          : door.stop();
    } finally {
      turn.release();
    }
  }

  private static ProbeDoor.Answer refused(int status, String error, String remedy) {
    return new ProbeDoor.Answer(status, new AdminHandler.Refusal(error, remedy));
  }
}
