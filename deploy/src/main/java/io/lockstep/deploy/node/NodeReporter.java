package io.lockstep.deploy.node;

import io.lockstep.core.cluster.Difference;
import io.lockstep.core.cluster.ReplicaMembership;
import io.lockstep.core.node.ControllerNode;
import io.lockstep.core.node.NetworkRoom;
import io.lockstep.core.node.NodeStatus;
import io.lockstep.deploy.admin.NodeReport;
import io.lockstep.deploy.admin.NodeReport.ApplicationFailureReport;
import io.lockstep.deploy.admin.NodeReport.DifferenceReport;
import io.lockstep.deploy.admin.NodeReport.DomainReport;
import io.lockstep.deploy.admin.NodeReport.DomainVersionsReport;
import io.lockstep.deploy.admin.NodeReport.HostReport;
import io.lockstep.deploy.admin.NodeReport.LinkReport;
import io.lockstep.deploy.admin.NodeReport.MemberReport;
import io.lockstep.deploy.admin.NodeReport.PortReport;
import io.lockstep.deploy.admin.NodeReport.ReplicaReport;
import io.lockstep.deploy.admin.NodeReport.SwitchReport;
import io.lockstep.deploy.admin.RuleSource;
import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.deploy.metrics.MetricSources;
import io.lockstep.deploy.metrics.NodeMetrics;
import io.lockstep.deploy.process.ProductVersion;
import io.lockstep.keys.LinkKeys;
import io.lockstep.openflow.channel.ChannelCounters;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.OrderingReplica;
import io.lockstep.store.engine.ReplicaStatus;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.Link;
import org.onosproject.net.Port;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.host.HostService;
import org.onosproject.net.link.LinkService;

/**
 * Puts a {@link NodeReport} together from what the replica and the node say at the moment. Any
 * thread; waits a second at most.
 */
final class NodeReporter implements Supplier<NodeReport> {
  private static final long PATIENCE_MILLIS = 1000;
  private static final String DOMAIN_REMEDY =
      "the file is not acted on: correct it, or change the cluster with ./lockstep domain set";
  private static final String MEMBER_REMEDY =
      "list the same processes in all files, and restart those whose file was wrong, one by one";

  private final NodeSettings settings;
  private final boolean replicaOnly;
  private volatile @Nullable OrderingReplica replica;
  private volatile @Nullable StoreAccess store;
  private volatile @Nullable ControllerNode node;
  private volatile @Nullable ReplicaMembership membership;
  private volatile @Nullable ChannelCounters channels;
  private volatile @Nullable BatchingStoreClient client;
  private volatile PublishedSummaries summaries = PublishedSummaries.NONE;

  /**
   * A reporter of a process in which nothing runs yet.
   *
   * @param replicaOnly whether there never will be a node in this process
   */
  NodeReporter(NodeSettings settings, boolean replicaOnly) {
    this.settings = settings;
    this.replicaOnly = replicaOnly;
  }

  /** The store of this process, with the replica that runs here, if any. */
  void storeStarted(StoreAccess started) {
    store = started;
    replica = started.replica();
  }

  /** The client of the store of this process. */
  void clientOpened(BatchingStoreClient opened) {
    client = opened;
  }

  void nodeStarted(ControllerNode started) {
    node = started;
  }

  /** Where there is no node. */
  void membershipStarted(ReplicaMembership started) {
    membership = started;
  }

  /** What the nodes publish about themselves, from now on. */
  void summariesStarted(PublishedSummaries started) {
    summaries = started;
  }

  void openFlowStarted(ChannelCounters counters) {
    channels = counters;
  }

  /** The flow tables of the switches mastered here. */
  RuleSource rules() {
    return new NodeRules(() -> node, new NodeMetrics(settings, new Running()));
  }

  /** What runs, for metrics. */
  private final class Running implements MetricSources {
    @Override
    public @Nullable OrderingReplica replica() {
      return replica;
    }

    @Override
    public @Nullable StoreStateMachine machine() {
      StoreAccess access = store;
      return access == null ? null : access.machine();
    }

    @Override
    public @Nullable LinkKeys keys() {
      StoreAccess access = store;
      return access == null ? null : access.keys();
    }

    @Override
    public @Nullable BatchingStoreClient client() {
      return client;
    }

    @Override
    public @Nullable ControllerNode node() {
      return node;
    }

    @Override
    public @Nullable ChannelCounters channels() {
      return channels;
    }

    @Override
    public boolean ready(@Nullable NodeStatus status, @Nullable ReplicaStatus replicaStatus) {
      return notReadyBecause(node, status, replicaStatus) == null;
    }
  }

  /**
   * The state of this process at one moment.
   *
   * @param node null where it does not run yet, or does not answer
   * @param notReadyBecause null where it is ready
   */
  record Moment(
      @Nullable NodeStatus node,
      @Nullable ReplicaStatus replica,
      @Nullable String notReadyBecause,
      boolean quorum) {}

  /** Asks the node and the replica. */
  Moment moment() {
    OrderingReplica ordering = replica;
    ReplicaStatus replicaStatus = ordering == null ? null : ordering.status();
    ControllerNode running = node;
    NodeStatus status = running == null ? null : status(running);
    boolean quorum =
        (status == null ? replicaOnly && replicaStatus != null : status.quorum())
            && (replicaStatus == null || replicaStatus.quorum());
    return new Moment(
        status, replicaStatus, notReadyBecause(running, status, replicaStatus), quorum);
  }

  @Override
  public NodeReport get() {
    Moment now = moment();
    ReplicaStatus replicaStatus = now.replica();
    ControllerNode running = node;
    NodeStatus status = now.node();
    String because = now.notReadyBecause();
    return new NodeReport(
        settings.cluster(),
        settings.nodeId(),
        ProductVersion.text(),
        ManagementFactory.getRuntimeMXBean().getUptime(),
        settings.store().directory() == null ? "in memory" : "on disk",
        because == null,
        because,
        now.quorum(),
        replicaStatus == null ? null : replicaReport(replicaStatus),
        status == null ? configuredMembers() : members(status, summaries.known()),
        status == null ? List.of() : domains(status),
        running == null || status == null
            ? List.of()
            : switches(running, status, summaries.troubles()),
        running == null ? List.of() : links(running),
        running == null ? List.of() : hosts(running),
        status == null ? null : domainVersions(status),
        status == null ? memberDifferences(membership) : differences(status),
        running == null ? List.of() : applicationFailures(running));
  }

  private static @Nullable NodeStatus status(ControllerNode running) {
    try {
      return running.status().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      return null; // told as the reason why the node is not ready
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  private @Nullable String notReadyBecause(
      @Nullable ControllerNode running,
      @Nullable NodeStatus status,
      @Nullable ReplicaStatus replicaStatus) {
    if (replicaStatus != null && replicaStatus.phase() != ReplicaStatus.Phase.OPERATIONAL) {
      return "the replica is " + lower(replicaStatus.phase());
    }
    if (replicaStatus != null && !replicaStatus.quorum()) {
      return "no quorum";
    }
    if (running == null) {
      return replicaOnly ? membersDiffer(membership) : "the node is starting";
    }
    if (status == null) {
      return "the control loop does not answer";
    }
    if (!status.quorum()) {
      return status.reason().isEmpty() ? "no quorum" : status.reason();
    }
    if (!running.current().isDone()) {
      return "the views of the store are not filled yet";
    }
    String unreadable = status.domainVersions().unreadable();
    String because = unreadable.isEmpty() ? status.membersDiffer() : unreadable;
    return because.isEmpty() ? null : because;
  }

  private static @Nullable String membersDiffer(@Nullable ReplicaMembership joined) {
    String because = joined == null ? "" : joined.notReady();
    return because.isEmpty() ? null : because;
  }

  private static List<DifferenceReport> memberDifferences(@Nullable ReplicaMembership joined) {
    return joined == null
        ? List.of()
        : joined.differences().stream().map(one -> difference(one, MEMBER_REMEDY)).toList();
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private ReplicaReport replicaReport(ReplicaStatus status) {
    return new ReplicaReport(
        status.replicaId(),
        lower(status.phase()),
        status.leaderId(),
        status.regency(),
        status.lastInstance(),
        status.reachable(),
        status.quorum(),
        status.memory().snapshotInstance(),
        status.memory().bytesSinceSnapshot(),
        status.memory().setAside(),
        settings.replicasInOrder().stream().map(NodeSettings.Replica::id).toList());
  }

  private List<MemberReport> configuredMembers() {
    return settings.members().stream()
        .map(member -> MemberReport.of(member.id(), member.host(), false, false))
        .toList();
  }

  private static List<MemberReport> members(
      NodeStatus status, Map<String, PublishedSummaries.Published> published) {
    return status.nodes().stream()
        .map(
            member -> {
              PublishedSummaries.Published one = published.get(member.nodeId());
              return new MemberReport(
                  member.nodeId(),
                  member.host(),
                  member.alive(),
                  member.drained(),
                  one == null ? null : one.ageMillis(),
                  one == null ? null : one.clockAheadMillis(),
                  one == null ? null : one.self());
            })
        .toList();
  }

  private static List<DomainReport> domains(NodeStatus status) {
    return status.domains().stream()
        .map(one -> new DomainReport(one.name(), one.master(), one.epoch(), one.switches()))
        .toList();
  }

  private static DomainVersionsReport domainVersions(NodeStatus status) {
    NodeStatus.DomainVersions versions = status.domainVersions();
    return new DomainVersionsReport(versions.inForce(), versions.next(), versions.waitsFor());
  }

  private static List<DifferenceReport> differences(NodeStatus status) {
    return Stream.concat(
            status.domainDifferences().stream().map(one -> difference(one, DOMAIN_REMEDY)),
            status.memberDifferences().stream().map(one -> difference(one, MEMBER_REMEDY)))
        .toList();
  }

  private static DifferenceReport difference(Difference one, String remedy) {
    return new DifferenceReport(
        one.node(), one.file(), one.place(), one.here(), one.cluster(), remedy);
  }

  private static List<SwitchReport> switches(
      ControllerNode running, NodeStatus status, Map<String, String> troublesElsewhere) {
    DeviceService devices = running.services().get(DeviceService.class);
    List<SwitchReport> switches = new ArrayList<>();
    for (NodeStatus.SwitchInfo one : status.switches()) {
      String dpid = String.format(Locale.ROOT, "%016x", one.dpid());
      List<PortReport> ports = new ArrayList<>();
      for (Port port : devices.getPorts(DeviceId.deviceId("of:" + dpid))) {
        ports.add(new PortReport(port.number().toLong(), port.number().name(), port.isEnabled()));
      }
      // Granted by the switch is not enough: the node must also be allowed to act on it.
      String role = one.role().equals("master") && !one.mastered() ? "pending" : one.role();
      switches.add(
          new SwitchReport(
              dpid,
              one.domain(),
              role,
              one.master(),
              one.connectedTo(),
              one.address(),
              one.protocol(),
              one.trouble().isEmpty() ? troublesElsewhere.getOrDefault(dpid, "") : one.trouble(),
              ports));
    }
    return switches;
  }

  /** What a service shows, or nothing where this node does not have the service. */
  private static <S, T> List<T> ask(
      ControllerNode running, Class<S> service, Function<S, List<T>> question) {
    return running.services().names().contains(service.getName())
        ? question.apply(running.services().get(service))
        : List.of();
  }

  private static List<LinkReport> links(ControllerNode running) {
    return ask(
        running,
        LinkService.class,
        service -> {
          List<LinkReport> links = new ArrayList<>();
          for (Link link : service.getActiveLinks()) {
            links.add(
                new LinkReport(
                    dpid(link.src()),
                    link.src().port().toLong(),
                    dpid(link.dst()),
                    link.dst().port().toLong()));
          }
          links.sort(
              Comparator.comparing(LinkReport::fromSwitch).thenComparingLong(LinkReport::fromPort));
          return links;
        });
  }

  private static List<HostReport> hosts(ControllerNode running) {
    return ask(
        running,
        HostService.class,
        service -> {
          List<HostReport> hosts = new ArrayList<>();
          for (Host host : service.getHosts()) {
            hosts.add(
                new HostReport(
                    host.mac().toString().toLowerCase(Locale.ROOT),
                    host.ipAddresses().stream().map(Object::toString).sorted().toList(),
                    dpid(host.location()),
                    host.location().port().toLong()));
          }
          hosts.sort(Comparator.comparing(HostReport::mac));
          return hosts;
        });
  }

  private static List<ApplicationFailureReport> applicationFailures(ControllerNode running) {
    return ask(
        running,
        NetworkRoom.class,
        room ->
            room.counters().applicationFailures().all().stream()
                .map(
                    one ->
                        new ApplicationFailureReport(
                            one.application(), one.count(), one.lastError(), one.lastMillis()))
                .toList());
  }

  private static String dpid(ConnectPoint point) {
    String id = point.deviceId().toString();
    return id.startsWith("of:") ? id.substring("of:".length()) : id;
  }
}
