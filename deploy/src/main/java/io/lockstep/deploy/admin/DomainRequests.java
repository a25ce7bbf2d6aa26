package io.lockstep.deploy.admin;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@link DomainDoor#PATH}. A change begins when its whole file has arrived ({@link
 * FileUpload}); one is carried out at a time, so that changes cost one thread at most. Thread-safe.
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
      Consumer<ProbeDoor.Answer> answer) {
    DomainDoor door = domains;
    if (door == null) {
      answer.accept(refused(503, "no node runs in this process", "ask a node"));
    } else if (HttpMethod.GET.is(request.getMethod())) {
      answer.accept(door.show());
    } else if (!HttpMethod.POST.is(request.getMethod())) {
      answer.accept(refused(405, "not allowed", "use GET or POST"));
    } else if (request.getHeaders().get(ProbeDoor.HEADER) == null) {
      answer.accept(refused(403, "no header " + ProbeDoor.HEADER, "use ./lockstep domain set"));
    } else {
      new FileUpload(request, callback, upload -> answer.accept(change(door, query, upload))).run();
    }
  }

  private ProbeDoor.Answer change(
      DomainDoor door, Map<String, String> query, FileUpload.Upload upload) {
    if (!(upload instanceof FileUpload.Upload.Complete complete)) {
      return tooLong();
    }
    if (!turn.tryAcquire()) {
      return refused(503, "the node is carrying out another change", "try again");
    }
    try {
      return door.change(query, new String(complete.file(), StandardCharsets.UTF_8));
    } finally {
      turn.release();
    }
  }

  private static ProbeDoor.Answer tooLong() {
    return refused(
        413, "more than " + DomainDoor.MAX_FILE_BYTES + " bytes", "write neighbours as ranges");
  }

  private static ProbeDoor.Answer refused(int status, String error, String remedy) {
    return new ProbeDoor.Answer(status, new DomainDoor.Refused(error, remedy, 0));
  }
}
