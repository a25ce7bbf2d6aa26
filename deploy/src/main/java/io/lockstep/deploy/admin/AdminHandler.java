package io.lockstep.deploy.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.core.flow.placed.RuleReport;
import io.lockstep.core.resource.ResourceOffer;
import io.lockstep.deploy.admin.answer.ResourceResponse;
import io.lockstep.deploy.admin.event.EventLog;
import io.lockstep.deploy.admin.event.EventRequests;
import io.lockstep.deploy.admin.flow.FlowListDoor;
import io.lockstep.deploy.admin.flow.FlowRequests;
import io.lockstep.deploy.admin.flow.RouteDoor;
import io.lockstep.deploy.admin.flow.RouteRequests;
import io.lockstep.deploy.admin.log.LogLevelRequests;
import io.lockstep.deploy.onos.OnosRouter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Answers each path of the admin HTTP from one fresh {@link NodeReport}. */
final class AdminHandler extends Handler.Abstract {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Live LIVE = new Live(true, "the process runs; /health/ready says more");

  private static final String READING = "GET, HEAD";

  /** Every path below {@code /api/v1} and what it shows. */
  private static final Map<String, Function<ReportSource, Object>> VIEWS =
      new TreeMap<>(
          Map.of(
              "/api/v1/status", ReportSource::get,
              "/api/v1/nodes", ReportSource::nodes,
              "/api/v1/replica", report -> replicas(report.withoutNetwork()),
              "/api/v1/switches", ReportSource::switches,
              "/api/v1/links", ReportSource::links,
              "/api/v1/hosts", ReportSource::hosts));

  private static final List<String> PATHS =
      Stream.concat(
              VIEWS.keySet().stream(),
              Stream.of(
                  RuleViews.TABLES,
                  FlowRequests.PATH,
                  RouteRequests.PATH,
                  EventRequests.PATH,
                  LogLevelRequests.PATH,
                  LogLevelRequests.PATH + "/LOGGER",
                  RuleViews.EXPLANATION,
                  DomainDoor.PATH,
                  ProbeDoor.PATH,
                  ApplicationDoor.PATH,
                  ApplicationDoor.PATH + "/NAME",
                  ApplicationDoor.PATH + "/NAME/NOUN",
                  ResourceRequests.PATH,
                  DeviceDoor.PATH,
                  DeviceDoor.PATH + "/MAC/VLAN",
                  OpenApi.PATH,
                  RecordingDoor.PATH,
                  UpgradeDoor.PATH,
                  AuditDoor.PATH,
                  RuleViews.METRICS))
          .toList();

  private final ReportSource report;
  private final RuleSource rules;
  private final DomainRequests domains = new DomainRequests();
  private final ApplicationRequests applications = new ApplicationRequests();
  private final ResourceRequests resources = new ResourceRequests();
  private final DeviceRequests devices = new DeviceRequests();
  private final RecordingRequests recordings = new RecordingRequests();
  private final FlowRequests flows = new FlowRequests();
  private final RouteRequests routes = new RouteRequests();
  private final EventRequests events = new EventRequests();
  private final LogLevelRequests logLevels = new LogLevelRequests();
  private final UpgradeRequests upgrade = new UpgradeRequests();
  private final OnosRequests onos = new OnosRequests();

  /** Null until the node runs. */
  private volatile @Nullable ProbeDoor probes;

  /** Whether a node starts in this process, and does not run yet. */
  private volatile boolean starting;

  AdminHandler(ReportSource report, RuleSource rules) {
    super(InvocationType.BLOCKING);
    this.report = report;
    this.rules = rules;
  }

  /** Whether changes are refused because what carries them out is still to come. */
  void starting(boolean still) {
    starting = still;
  }

  void offer(ProbeDoor door) {
    probes = door;
  }

  void offer(DomainDoor door) {
    domains.offer(door);
  }

  void offer(DeviceDoor door) {
    devices.offer(door);
  }

  void offer(RecordingDoor door) {
    recordings.offer(door);
  }

  void offer(UpgradeDoor door) {
    upgrade.offer(door);
  }

  void offer(EventLog log) {
    events.offer(log);
  }

  void offer(RouteDoor door) {
    routes.offer(door);
  }

  void offer(FlowListDoor door) {
    flows.offer(door);
  }

  void offer(ApplicationDoor door) {
    applications.offer(door);
  }

  void offer(List<ResourceOffer> offers) {
    resources.offer(offers);
  }

  /** Shows those that follow events that the node lives. */
  void beat() {
    events.beat();
  }

  void offer(OnosRouter router) {
    onos.offer(router);
  }

  /** The body of an answer that is not what was asked for. */
  record Refusal(String error, String remedy) {}

  /** The body of {@code /health/live}: the process runs and answers, and nothing more. */
  record Live(boolean live, String detail) {}

  /** The body of {@code /health/ready}: whether the node takes part in its cluster. */
  record Ready(boolean ready, String detail) {}

  private static List<NodeReport.ReplicaReport> replicas(NodeReport report) {
    return report.replica() == null ? List.of() : List.of(report.replica());
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    String path = Request.getPathInContext(request);
    String method = request.getMethod();
    if (path.equals(ProbeDoor.PATH)) {
      probe(request, response, callback);
      return true;
    }
    if (OnosRouter.has(path)) {
      onos.handle(request, query(request), response, callback);
      return true;
    }
    if (path.equals(DomainDoor.PATH)) {
      domains.handle(request, query(request), callback, said -> answer(response, callback, said));
      return true;
    }
    if (path.equals(RecordingDoor.PATH)) {
      ProbeDoor.Answer said = recordings.answer(method, query(request));
      answer(response, callback, said.status(), said.body());
      return true;
    }
    if (path.equals(UpgradeDoor.PATH)) {
      upgrade.handle(method, query(request), said -> answer(response, callback, said));
      return true;
    }
    if (flows.answers(method, path)) {
      answer(response, callback, flows.answer(path, query(request)));
      return true;
    }
    if (logLevels.has(path)) {
      answer(response, callback, logLevels.answer(method, path, query(request)));
      return true;
    }
    if (resources.has(path)) {
      resources.handle(request, callback, said -> answer(response, callback, said));
      return true;
    }
    if (starting && path.startsWith("/api/") && !method.equals("GET")) {
      Refusal refusal =
          new Refusal("this node has not started yet", "ask again in a moment, or another node");
      answer(response, callback, 503, refusal);
      return true;
    }
    String allowed = ApplicationRequests.has(path) ? ApplicationRequests.allowed(path) : READING;
    if (!List.of(allowed.split(", ")).contains(method)) {
      response.getHeaders().put(HttpHeader.ALLOW, allowed);
      answer(
          response, callback, 405, new Refusal("method " + method + " is not allowed", "use GET"));
      return true;
    }
    if (ApplicationRequests.has(path)) {
      applications.handle(
          method,
          path,
          query(request),
          said -> answer(response, callback, said.status(), said.body()));
      return true;
    }
    if (path.equals(EventRequests.PATH)) {
      ResourceResponse refused = events.handle(request, query(request), response, callback);
      if (refused != null) {
        answer(response, callback, refused);
      }
      return true;
    }
    if (path.equals(RouteRequests.PATH)) {
      answer(response, callback, routes.answer(query(request)));
      return true;
    }
    if (DeviceRequests.has(path)) {
      devices.handle(
          path, query(request), said -> answer(response, callback, said.status(), said.body()));
      return true;
    }
    switch (path) {
      case "/health/live" -> answer(response, callback, 200, LIVE);
      case "/health/ready" -> ready(response, callback, report.withoutNetwork());
      case "/", "/api", "/api/v1", "/api/v1/" ->
          answer(response, callback, 200, Map.of("paths", paths()));
      case OpenApi.PATH -> write(response, callback, 200, "application/json", OpenApi.document());
      case RuleViews.TABLES -> answer(response, callback, 200, rules.tables());
      case RuleViews.METRICS -> metrics(response, callback);
      default -> view(response, callback, path);
    }
    return true;
  }

  private void probe(Request request, Response response, Callback callback) {
    ProbeDoor door = probes;
    boolean asks = HttpMethod.POST.is(request.getMethod());
    if (door == null) {
      answer(response, callback, 503, new Refusal("this node has no switches", "ask a node"));
    } else if (!asks && !HttpMethod.GET.is(request.getMethod())) {
      response.getHeaders().put(HttpHeader.ALLOW, "GET, POST");
      answer(response, callback, 405, new Refusal("not allowed", "use GET or POST"));
    } else if (asks && request.getHeaders().get(ProbeDoor.HEADER) == null) {
      String remedy = "use ./lockstep switch probe";
      answer(response, callback, 403, new Refusal("no header " + ProbeDoor.HEADER, remedy));
    } else {
      ProbeDoor.Answer said = asks ? door.ask(query(request)) : door.state();
      answer(response, callback, said.status(), said.body());
    }
  }

  private List<String> paths() {
    return Stream.concat(PATHS.stream(), resources.paths().stream()).distinct().toList();
  }

  private static Map<String, String> query(Request request) {
    Map<String, String> query = new TreeMap<>();
    Request.extractQueryParameters(request)
        .forEach(field -> query.put(field.getName(), field.getValue()));
    return query;
  }

  private void view(Response response, Callback callback, String path) {
    Long flowId = RuleViews.flowId(path);
    if (flowId != null) {
      explain(response, callback, flowId);
      return;
    }
    Function<ReportSource, Object> view = VIEWS.get(path);
    if (view == null) {
      String remedy = "one of " + String.join(", ", paths()) + ", /health/live, /health/ready";
      answer(response, callback, 404, new Refusal("no such path", remedy));
      return;
    }
    answer(response, callback, 200, view.apply(report));
  }

  private void explain(Response response, Callback callback, long flowId) {
    Map<String, RuleReport> found = rules.explain(flowId);
    if (!found.isEmpty()) {
      answer(response, callback, 200, found);
      return;
    }
    String error =
        "no rule with the id "
            + Long.toHexString(flowId)
            + " at a switch with bounded tables that this node masters";
    String remedy = "/api/v1/switches names each switch's master: ask that node";
    answer(response, callback, 404, new Refusal(error, remedy));
  }

  private static void ready(Response response, Callback callback, NodeReport report) {
    String because = report.notReadyBecause();
    answer(
        response,
        callback,
        report.ready() ? 200 : 503,
        new Ready(report.ready(), because == null ? "ready" : because));
  }

  static void answer(Response response, Callback callback, int status, Object body) {
    write(response, callback, status, "application/json", json(body));
  }

  private static void answer(Response response, Callback callback, ResourceResponse said) {
    said.headers().forEach(response.getHeaders()::put);
    response.getRequest().setAttribute(AuditHandler.DUE, said.due());
    write(response, callback, said.status(), said.type(), json(said.body()));
  }

  private static byte[] json(Object body) {
    try {
      return JSON.writeValueAsBytes(body);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a report that is no JSON", e);
    }
  }

  private void metrics(Response response, Callback callback) {
    byte[] text = rules.metrics().getBytes(StandardCharsets.UTF_8);
    write(response, callback, 200, "text/plain; version=0.0.4; charset=utf-8", text);
  }

  static void write(Response response, Callback callback, int status, String type, byte[] bytes) {
    response.setStatus(status);
    // Jetty closes a connection whose request it did not read to the end. A client that does not
    // know that sends its next request there, and gets no answer.
    if (!response.getRequest().consumeAvailable()) {
      response.getHeaders().put(HttpHeader.CONNECTION, "close");
    }
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, bytes.length);
    response.write(true, ByteBuffer.wrap(bytes), callback);
  }
}
