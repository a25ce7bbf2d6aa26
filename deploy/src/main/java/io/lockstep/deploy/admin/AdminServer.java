package io.lockstep.deploy.admin;

import io.lockstep.core.access.Users;
import io.lockstep.core.resource.ResourceOffer;
import io.lockstep.deploy.access.Authentication;
import io.lockstep.deploy.admin.event.EventLog;
import io.lockstep.deploy.admin.flow.FlowListDoor;
import io.lockstep.deploy.admin.flow.RouteDoor;
import io.lockstep.deploy.config.NodeSettings.Listener;
import io.lockstep.deploy.onos.OnosRouter;
import io.lockstep.store.logging.LogLimit;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * The admin HTTP: bounded in threads, connections, request size, and the time that a request and
 * its answer may take ({@link AdminConnections}). It answers only under names of its own ({@link
 * OwnNames}). Thread-safe.
 *
 * <p>Its listener is opened first of all ({@link #open}), so that a second node with the same
 * configuration ends before it disturbs anything.
 */
public final class AdminServer implements AutoCloseable {
  static final int MAX_THREADS = 8;
  static final int MAX_HEADER_BYTES = 8192;
  static final long IDLE_MILLIS = 30_000;

  /** Ticks between two signs of life for those that follow events: 10 s. */
  private static final int BEAT_TICKS = 20;

  private final Server server;
  private final ServerConnector connector;
  private final AdminGate gate;
  private final AdminHandler handler;
  private final AuditHandler audit;

  private AdminServer(
      Server server,
      ServerConnector connector,
      AdminGate gate,
      AdminHandler handler,
      AuditHandler audit) {
    this.server = server;
    this.connector = connector;
    this.gate = gate;
    this.handler = handler;
    this.audit = audit;
  }

  /**
   * Opens the listener and answers from then on.
   *
   * @param report asked for each request, on the server's threads
   * @throws IOException where the address cannot be listened on
   */
  public static AdminServer open(Listener listener, Supplier<NodeReport> report)
      throws IOException {
    return open(listener, List.of(), report, RuleSource.NONE);
  }

  /**
   * The same with the flow tables of switches.
   *
   * @param names host names under which it may be asked beside those of loopback
   * @param rules asked on the server's threads
   * @throws IOException where the address cannot be listened on
   */
  public static AdminServer open(
      Listener listener, List<String> names, Supplier<NodeReport> report, RuleSource rules)
      throws IOException {
    return open(listener, names, report, rules, AdminConnections.Limits.STANDARD);
  }

  static AdminServer open(
      Listener listener,
      List<String> names,
      Supplier<NodeReport> report,
      RuleSource rules,
      AdminConnections.Limits limits)
      throws IOException {
    QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS, 1);
    threads.setName("admin");
    threads.setDaemon(true);
    Server server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(MAX_HEADER_BYTES);
    ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
    connector.setHost(listener.host());
    connector.setPort(listener.port());
    connector.setIdleTimeout(IDLE_MILLIS);
    connector.setReuseAddress(true);
    server.addConnector(connector);
    AdminConnections connections = new AdminConnections(limits, System::nanoTime);
    connector.addBean(connections);
    server.setErrorHandler(AdminServer::refuse);
    AdminHandler handler = new AdminHandler(report, rules);
    LogLimit logLimit = new LogLimit(System::nanoTime);
    AuditHandler audit = new AuditHandler(handler);
    AdminGate gate = new AdminGate(connections, new OwnNames(names), logLimit, audit);
    server.setHandler(gate);
    connector.open();
    AdminServer admin = new AdminServer(server, connector, gate, handler, audit);
    try {
      server.start();
    } catch (Exception e) {
      admin.close();
      throw new IOException("the admin HTTP does not start: " + e.getMessage(), e);
    }
    admin.watch(connections, 1);
    return admin;
  }

  /** Looks again and again, until the server stops and its scheduler with it. */
  private void watch(AdminConnections connections, int tick) {
    connector
        .getScheduler()
        .schedule(
            () -> {
              connections.closeLate();
              if (tick % BEAT_TICKS == 0) {
                handler.beat();
              }
              watch(connections, tick % BEAT_TICKS + 1);
            },
            AdminConnections.TICK_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  /** Knows the users of the cluster from now on; once, when the node runs. */
  public void offer(Users users) {
    offer(new Authentication(users::holderOf));
  }

  void offer(Authentication users) {
    gate.offer(users);
  }

  /** Answers for devices from now on; once, when the node runs. */
  public void offer(DeviceDoor devices) {
    handler.offer(devices);
  }

  /** Answers for probes from now on; once, when the node runs. */
  public void offer(ProbeDoor probes) {
    handler.offer(probes);
  }

  /** Shows and changes domains from now on; once, when the node runs. */
  public void offer(DomainDoor domains) {
    handler.offer(domains);
  }

  /** Begins and ends recordings from now on; once, when the node runs. */
  public void offer(RecordingDoor recordings) {
    handler.offer(recordings);
  }

  /** Shows applications and asks their nouns from now on; once, when the node runs. */
  public void offer(ApplicationDoor applications) {
    handler.offer(applications);
  }

  /** Has changes in the audit trail from now on, and shows it; once, when the node runs. */
  public void offer(AuditDoor trail) {
    audit.offer(trail);
  }

  /** Streams these events from now on; once, when the node runs. */
  public void offer(EventLog events) {
    handler.offer(events);
  }

  /** Finds routes from now on; once, when the node runs. */
  public void offer(RouteDoor routes) {
    handler.offer(routes);
  }

  /** Lists flow rules from now on; once, when the node runs. */
  public void offer(FlowListDoor flows) {
    handler.offer(flows);
  }

  /** Shows and changes these resources, too, from now on. */
  public void offer(List<ResourceOffer> resources) {
    handler.offer(resources);
  }

  /** Answers ONOS's REST API from now on; once, when the node runs. */
  public void offer(OnosRouter onos) {
    handler.offer(onos);
  }

  /** The port that is listened on. */
  public int port() {
    return connector.getLocalPort();
  }

  /** What Jetty itself refuses: a malformed or oversized request. */
  private static boolean refuse(Request request, Response response, Callback callback) {
    int status = response.getStatus() < 400 ? 500 : response.getStatus();
    response.getHeaders().put(HttpHeader.CONNECTION, "close");
    AdminHandler.answer(
        response,
        callback,
        status,
        new AdminHandler.Refusal(
            HttpStatus.getMessage(status), "send a plain GET of at most 8 KiB of headers"));
    return true;
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the admin HTTP does not stop", e);
    }
  }
}
