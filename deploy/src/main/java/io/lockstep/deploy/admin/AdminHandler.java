package io.lockstep.deploy.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers each path of the admin HTTP from one fresh {@link NodeReport}. */
final class AdminHandler extends Handler.Abstract {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Every path below {@code /api/v1} and what it shows. */
  private static final Map<String, Function<NodeReport, Object>> VIEWS =
      new TreeMap<>(
          Map.of(
              "/api/v1/status", report -> report,
              "/api/v1/nodes", NodeReport::nodes,
              "/api/v1/replica", AdminHandler::replicas,
              "/api/v1/domains", NodeReport::domains,
              "/api/v1/switches", NodeReport::switches,
              "/api/v1/links", NodeReport::links,
              "/api/v1/hosts", NodeReport::hosts));

  private final Supplier<NodeReport> report;

  AdminHandler(Supplier<NodeReport> report) {
    super(InvocationType.BLOCKING);
    this.report = report;
  }

  /** The body of an answer that is not what was asked for. */
  record Refusal(String error, String remedy) {}

  /** The body of {@code /health/*}. */
  record Health(boolean live, boolean ready, String detail) {}

  private static List<NodeReport.ReplicaReport> replicas(NodeReport report) {
    return report.replica() == null ? List.of() : List.of(report.replica());
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    String path = Request.getPathInContext(request);
    String method = request.getMethod();
    if (!HttpMethod.GET.is(method) && !HttpMethod.HEAD.is(method)) {
      response.getHeaders().put(HttpHeader.ALLOW, "GET, HEAD");
      answer(
          response, callback, 405, new Refusal("method " + method + " is not allowed", "use GET"));
      return true;
    }
    switch (path) {
      case "/health/live" -> answer(response, callback, 200, new Health(true, false, "live"));
      case "/health/ready" -> ready(response, callback, report.get());
      case "/", "/api", "/api/v1", "/api/v1/" ->
          answer(response, callback, 200, Map.of("paths", VIEWS.keySet()));
      default -> view(response, callback, path);
    }
    return true;
  }

  private void view(Response response, Callback callback, String path) {
    Function<NodeReport, Object> view = VIEWS.get(path);
    if (view == null) {
      String remedy =
          "one of " + String.join(", ", VIEWS.keySet()) + ", /health/live, /health/ready";
      answer(response, callback, 404, new Refusal("no such path", remedy));
      return;
    }
    answer(response, callback, 200, view.apply(report.get()));
  }

  private static void ready(Response response, Callback callback, NodeReport report) {
    String because = report.notReadyBecause();
    answer(
        response,
        callback,
        report.ready() ? 200 : 503,
        new Health(true, report.ready(), because == null ? "ready" : because));
  }

  static void answer(Response response, Callback callback, int status, Object body) {
    byte[] bytes;
    try {
      bytes = JSON.writeValueAsBytes(body);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a report that is no JSON", e);
    }
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, bytes.length);
    response.write(true, ByteBuffer.wrap(bytes), callback);
  }
}
