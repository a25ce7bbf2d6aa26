package io.lockstep.deploy.admin;

import io.lockstep.deploy.admin.answer.ResourceResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@link DomainDoor#PATH}. A change names the version that it was decided on ({@link
 * Precondition}), and begins when its whole file has arrived ({@link FileUpload}). One is carried
 * out at a time, so that changes cost one thread at most. Thread-safe.
 */
final class DomainRequests {
  private final Semaphore turn = new Semaphore(1);

  /** Null until the node runs. */
  private volatile @Nullable DomainDoor domains;

  void offer(DomainDoor door) {
    domains = door;
  }

  /**
   * Answers, perhaps later.
   *
   * @param callback fails where there is nobody left to answer; {@code answer} completes it else
   */
  void handle(
      Request request,
      Map<String, String> query,
      Callback callback,
      Consumer<ResourceResponse> answer) {
    DomainDoor door = domains;
    if (door == null) {
      answer.accept(refused(503, "no node runs in this process", "ask a node"));
    } else if (HttpMethod.GET.is(request.getMethod())) {
      answer.accept(tagged(door.show()));
    } else if (!HttpMethod.POST.is(request.getMethod())) {
      answer.accept(refused(405, "not allowed", "use GET or POST"));
    } else if (request.getHeaders().get(ProbeDoor.HEADER) == null) {
      answer.accept(refused(403, "no header " + ProbeDoor.HEADER, "use ./lockstep domain set"));
    } else if (Precondition.of(request.getHeaders()) instanceof Precondition.Version decidedOn) {
      new FileUpload(
              request,
              callback,
              upload -> answer.accept(change(door, decidedOn.version(), query, upload)))
          .run();
    } else {
      answer.accept(refused(Precondition.of(request.getHeaders())));
    }
  }

  private ResourceResponse change(
      DomainDoor door, long decidedOn, Map<String, String> query, FileUpload.Upload upload) {
    if (!(upload instanceof FileUpload.Upload.Complete complete)) {
      return tooLong();
    }
    if (!turn.tryAcquire()) {
      return refused(503, "the node is carrying out another change", "try again");
    }
    try {
      return tagged(
          door.change(decidedOn, query, new String(complete.file(), StandardCharsets.UTF_8)));
    } finally {
      turn.release();
    }
  }

  /** With the newest version of the domains as its ETag, where the answer has one. */
  private static ResourceResponse tagged(ProbeDoor.Answer said) {
    if (said.body() instanceof DomainDoor.Shown shown) {
      return ResourceResponse.of(said.status(), shown, shown.newest());
    }
    return said.body() instanceof DomainDoor.Accepted accepted
        ? ResourceResponse.of(said.status(), accepted, accepted.version())
        : ResourceResponse.of(said.status(), said.body());
  }

  /** Why nothing is changed under a condition that names no version. */
  private static ResourceResponse refused(Precondition condition) {
    if (condition instanceof Precondition.Malformed malformed) {
      return refused(400, malformed.error(), malformed.remedy());
    }
    String remedy = "read them, and send their ETag as If-Match";
    return condition instanceof Precondition.None
        ? refused(DomainDoor.OUTDATED, "the cluster has domains already", remedy)
        : refused(
            428, "the request does not say which version of the domains it was decided on", remedy);
  }

  private static ResourceResponse tooLong() {
    return refused(
        413, "more than " + DomainDoor.MAX_FILE_BYTES + " bytes", "write neighbours as ranges");
  }

  private static ResourceResponse refused(int status, String error, String remedy) {
    return ResourceResponse.of(status, new DomainDoor.Refused(error, remedy, 0));
  }
}
