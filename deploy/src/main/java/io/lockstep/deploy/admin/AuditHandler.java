package io.lockstep.deploy.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.deploy.access.Requester;
import io.lockstep.store.logging.FailureLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * In front of {@link AdminHandler}: has each change in the audit trail before its answer leaves,
 * and shows the trail. A change is what is no GET and was answered with 2xx, or with 504, which
 * says that the outcome is unknown. Thread-safe.
 */
final class AuditHandler extends Handler.Wrapper {
  private static final FailureLog failures = FailureLog.of(AuditHandler.class);
  private static final String UNKNOWN = "unknown";
  private static final CompletableFuture<?> NOW = CompletableFuture.completedFuture(null);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MAX_LOOKED_BYTES = 1024;

  /**
   * The attribute of a request with a future that its answer waits for. The change goes into the
   * trail meanwhile: both take an operation of the store.
   */
  static final String DUE = AuditHandler.class.getName() + ".due";

  /** Null until the node runs. */
  private volatile @Nullable AuditDoor audit;

  AuditHandler(Handler handler) {
    super(handler);
  }

  void offer(AuditDoor door) {
    audit = door;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    boolean reads =
        HttpMethod.GET.is(request.getMethod()) || HttpMethod.HEAD.is(request.getMethod());
    if (reads && Request.getPathInContext(request).equals(AuditDoor.PATH)) {
      show(request, response, callback);
      return true;
    }
    return super.handle(
        request, reads ? response : new Watched(request, response, audit), callback);
  }

  private void show(Request request, Response response, Callback callback) {
    AuditDoor door = audit;
    if (door == null) {
      AdminHandler.answer(
          response,
          callback,
          503,
          new AdminHandler.Refusal("no node runs in this process", "ask a node"));
      return;
    }
    Map<String, String> query = new TreeMap<>();
    Request.extractQueryParameters(request)
        .forEach(field -> query.put(field.getName(), field.getValue()));
    failures.handle(
        "audit",
        "the answer",
        door.page(query),
        (shown, failure) -> {
          if (shown == null) {
            AdminHandler.answer(
                response,
                callback,
                500,
                new AdminHandler.Refusal("the node failed: " + failure, "see its log"));
          } else {
            AdminHandler.answer(response, callback, shown.status(), shown.body());
          }
        });
  }

  /** Holds the answer to a change back until the change is in the trail, and the answer due. */
  private static final class Watched extends Response.Wrapper {
    private final @Nullable AuditDoor door;

    Watched(Request request, Response response, @Nullable AuditDoor door) {
      super(request, response);
      this.door = door;
    }

    @Override
    public void write(boolean last, @Nullable ByteBuffer content, Callback callback) {
      int status = getStatus();
      boolean changed = (status >= 200 && status < 300) || status == 504;
      if (!last || !changed) {
        super.write(last, content, callback);
        return;
      }
      CompletableFuture<?> due =
          getRequest().getAttribute(DUE) instanceof CompletableFuture<?> when ? when : NOW;
      CompletableFuture<?> kept = door == null ? NOW : door.changed(change(status, content));
      failures.handle(
          "audit",
          "appending",
          CompletableFuture.allOf(kept, due),
          (done, failure) -> super.write(true, content, callback));
    }

    private AuditDoor.Change change(int status, @Nullable ByteBuffer content) {
      Request request = getRequest();
      String tag = textOr(getHeaders().get(HttpHeader.ETAG), "");
      return new AuditDoor.Change(
          user(request),
          request.getMethod(),
          request.getHttpURI().getPathQuery(),
          status,
          textOr(request.getHeaders().get(HttpHeader.IF_MATCH), ""),
          tag.isEmpty() ? versionIn(content) : tag);
    }

    /** Whose token it was; else what the command line says of who ran it. */
    private static String user(Request request) {
      return request.getAttribute(AdminGate.REQUESTER) instanceof Requester known
              && !known.equals(Requester.LOCAL)
          ? known.name()
          : textOr(request.getHeaders().get(AuditDoor.USER_HEADER), UNKNOWN);
    }

    /** Some short answers have the new version in their body; empty where it has none. */
    private static String versionIn(@Nullable ByteBuffer content) {
      if (content == null || content.remaining() > MAX_LOOKED_BYTES) {
        return "";
      }
      byte[] bytes = new byte[content.remaining()];
      content.duplicate().get(bytes);
      try {
        JsonNode version = JSON.readTree(bytes).path("version");
        return version.isIntegralNumber() ? version.asText() : "";
      } catch (IOException none) {
        return "";
      }
    }

    private static String textOr(@Nullable String text, String otherwise) {
      return text == null || text.isBlank() ? otherwise : text.replace("\"", "");
    }
  }
}
