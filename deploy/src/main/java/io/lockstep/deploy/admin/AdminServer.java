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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

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

  /** More where other machines reach it: two of them accept and select. */
  static final int REMOTE_THREADS = 4;

  static final int MAX_HEADER_BYTES = 8192;
  static final long IDLE_MILLIS = 30_000;

  /** Where it is full, a client comes in a second later, for the kernel drops its packet. */
  private static final int BACKLOG = 1024;

  /** Ticks between two signs of life for those that follow events: 10 s. */
  private static final int BEAT_TICKS = 20;

  private final Server server;
  private final ServerConnector connector;
  private final @Nullable ServerConnector remote;
  private final AdminGate gate;
  private final AdminHandler handler;
  private final AuditHandler audit;

  private AdminServer(
      Server server,
      ServerConnector connector,
      @Nullable ServerConnector remote,
      AdminGate gate,
      AdminHandler handler,
      AuditHandler audit) {
    this.server = server;
    this.connector = connector;
    this.remote = remote;
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
  public static AdminServer open(Listener listener, ReportSource report) throws IOException {
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
      Listener listener, List<String> names, ReportSource report, RuleSource rules)
      throws IOException {
    return open(listener, names, null, report, rules);
  }

  /**
   * The same, also for other machines.
   *
   * @param remote where they reach it; null for nowhere
   * @throws IOException where an address cannot be listened on
   */
  public static AdminServer open(
      Listener listener,
      List<String> names,
      @Nullable RemoteListener remote,
      ReportSource report,
      RuleSource rules)
      throws IOException {
    return open(listener, names, remote, report, rules, AdminConnections.Limits.STANDARD);
  }

  static AdminServer open(
      Listener listener,
      List<String> names,
      @Nullable RemoteListener remote,
      ReportSource report,
      RuleSource rules,
      AdminConnections.Limits limits)
      throws IOException {
    QueuedThreadPool threads =
        new QueuedThreadPool(remote == null ? MAX_THREADS : MAX_THREADS + REMOTE_THREADS, 1);
    threads.setName("admin");
    threads.setDaemon(true);
    Server server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(MAX_HEADER_BYTES);
    LogLimit logLimit = new LogLimit(System::nanoTime, 1, LogLimit.PERIOD_SECONDS);
    ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
    connector.setHost(listener.host());
    connector.setPort(listener.port());
    AdminConnections connections = new AdminConnections(limits, System::nanoTime);
    connector.addBean(connections);
    Map<Connector, Entrance> entrances = new HashMap<>();
    entrances.put(connector, new Entrance(true, "http", new OwnNames(names), connections, null));
    ServerConnector other = null;
    if (remote != null) {
      Entrance entrance = remote.entrance(limits, System::nanoTime, logLimit);
      other = remote.connector(server, new HttpConnectionFactory(http), entrance);
      entrances.put(other, entrance);
    }
    server.setErrorHandler(AdminServer::refuse);
    AdminHandler handler = new AdminHandler(report, rules);
    AuditHandler audit = new AuditHandler(handler);
    AdminGate gate = new AdminGate(entrances, logLimit, audit);
    server.setHandler(gate);
    AdminServer admin = new AdminServer(server, connector, other, gate, handler, audit);
    try {
      for (Connector each : entrances.keySet()) {
        listen(server, (ServerConnector) each);
      }
      server.start();
    } catch (IOException e) {
      admin.close();
      throw e;
    } catch (Exception e) {
      admin.close();
      throw new IOException("the admin HTTP does not start: " + e.getMessage(), e);
    }
    admin.watch(List.copyOf(entrances.values()), 1);
    return admin;
  }

  private static void listen(Server server, ServerConnector connector) throws IOException {
    connector.setIdleTimeout(IDLE_MILLIS);
    connector.setAcceptQueueSize(BACKLOG);
    connector.setReuseAddress(true);
    server.addConnector(connector);
    connector.open();
  }

  /** Looks again and again, until the server stops and its scheduler with it. */
  private void watch(List<Entrance> entrances, int tick) {
    connector
        .getScheduler()
        .schedule(
            () -> {
              entrances.forEach(Entrance::closeLate);
              if (tick % BEAT_TICKS == 0) {
                handler.beat();
              }
              watch(entrances, tick % BEAT_TICKS + 1);
            },
            AdminConnections.TICK_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  /**
   * Says whether a node is still starting: until it runs, a change has nobody who carries it out,
   * and the answer is 503.
   */
  public void starting(boolean still) {
    handler.starting(still);
  }

  /** Knows the users of the cluster from now on; once, when the node runs. */
  public void offer(Users users) {
    offer(new Authentication(users::holderOf));
  }

  /** The same of users from elsewhere. */
  public void offer(Authentication users) {
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

  /** Shows and permits versions of the cluster from now on; once, when the node runs. */
  public void offer(UpgradeDoor versions) {
    handler.offer(versions);
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

  /** The port for other machines; 0 where there is none. */
  public int remotePort() {
    return remote == null ? 0 : remote.getLocalPort();
  }

  /** How many requests were refused so far, by the reason. */
  public Map<String, Long> refusals() {
    return gate.refusals();
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
