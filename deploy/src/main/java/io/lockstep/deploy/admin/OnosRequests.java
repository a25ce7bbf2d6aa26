package io.lockstep.deploy.admin;

import io.lockstep.deploy.onos.OnosAnswer;
import io.lockstep.deploy.onos.OnosRequest;
import io.lockstep.deploy.onos.OnosRouter;
import io.lockstep.store.logging.FailureLog;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Serves {@link OnosRouter} on the threads of the admin HTTP. Bodies are taken as they arrive, and
 * what clients did not fetch yet is bounded in bytes. Thread-safe.
 */
final class OnosRequests {
  private static final FailureLog failures = FailureLog.of(OnosRequests.class);
  private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "DELETE");

  /** Of answers that clients did not fetch yet; a smaller one is always sent. */
  private static final long MAX_WAITING_BYTES = 16L << 20;

  private static final int SMALL_BYTES = 64 << 10;

  private final AtomicLong waitingBytes = new AtomicLong();

  /** Null until the node runs. */
  private volatile @Nullable OnosRouter router;

  void offer(OnosRouter ready) {
    router = ready;
  }

  /**
   * Answers, perhaps later.
   *
   * @param callback is completed, or fails where the connection ends before the body does
   */
  void handle(Request request, Map<String, String> query, Response response, Callback callback) {
    OnosRouter ready = router;
    String method = request.getMethod();
    Consumer<OnosAnswer> answer = said -> write(response, callback, said);
    if (ready == null) {
      answer.accept(OnosAnswer.error(503, "no node runs in this process yet: ask again"));
    } else if (WITH_BODY.contains(method)) {
      new FileUpload(request, callback, upload -> take(ready, request, query, upload, answer))
          .run();
    } else {
      ask(ready, request, query, new byte[0], answer);
    }
  }

  private static void take(
      OnosRouter ready,
      Request request,
      Map<String, String> query,
      FileUpload.Upload upload,
      Consumer<OnosAnswer> answer) {
    if (!(upload instanceof FileUpload.Upload.Complete complete)) {
      answer.accept(
          OnosAnswer.error(413, "the body has more than " + DomainDoor.MAX_FILE_BYTES + " bytes"));
    } else if (complete.file().length > 0 && !ResourceJson.isJson(request.getHeaders())) {
      answer.accept(
          OnosAnswer.error(415, "the body is not said to be JSON: Content-Type: application/json"));
    } else {
      ask(ready, request, query, complete.file(), answer);
    }
  }

  private static void ask(
      OnosRouter ready,
      Request request,
      Map<String, String> query,
      byte[] body,
      Consumer<OnosAnswer> answer) {
    String path = Request.getPathInContext(request);
    CompletableFuture<OnosAnswer> asked =
        ready.answer(new OnosRequest(request.getMethod(), path, query, body));
    failures.watch("onos", "a request", asked);
    failures.handle(
        "onos",
        "the answer",
        asked,
        (said, failure) ->
            answer.accept(
                failure == null ? said : OnosAnswer.error(500, "the node failed: see its log")));
  }

  private void write(Response response, Callback callback, OnosAnswer said) {
    long bytes = said.body().length;
    if (bytes > SMALL_BYTES && waitingBytes.get() + bytes > MAX_WAITING_BYTES) {
      write(
          response,
          callback,
          OnosAnswer.error(503, "other clients did not fetch their answers yet: ask again"));
      return;
    }
    waitingBytes.addAndGet(bytes);
    said.headers().forEach(response.getHeaders()::put);
    Callback done = Callback.from(callback, () -> waitingBytes.addAndGet(-bytes));
    if (bytes > 0) {
      AdminHandler.write(response, done, said.status(), "application/json", said.body());
      return;
    }
    response.setStatus(said.status());
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    if (!response.getRequest().consumeAvailable()) {
      response.getHeaders().put(HttpHeader.CONNECTION, "close");
    }
    response.write(true, ByteBuffer.allocate(0), done);
  }
}
