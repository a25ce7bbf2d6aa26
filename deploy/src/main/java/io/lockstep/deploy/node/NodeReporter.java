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
import io.lockstep.deploy.admin.ReportSource;
import io.lockstep.deploy.admin.RuleSource;
import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.deploy.metrics.NodeMetrics;
import io.lockstep.deploy.process.ProductVersion;
import io.lockstep.store.engine.ReplicaStatus;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
final class NodeReporter implements ReportSource {
  private static final String DOMAIN_REMEDY =
      "the file is not acted on: correct it, or change the cluster with ./lockstep domain set";
  private static final String MEMBER_REMEDY =
      "list the same processes in all files, and restart those whose file was wrong, one by one";

  private final NodeSettings settings;
  private final RunningParts parts;
  private volatile PublishedSummaries summaries = PublishedSummaries.NONE;

  /** A reporter of a process, by what of it runs. */
  NodeReporter(NodeSettings settings, RunningParts parts) {
    this.settings = settings;
    this.parts = parts;
  }

  /** What the nodes publish about themselves, from now on. */
  void summariesStarted(PublishedSummaries started) {
    summaries = started;
  }

  /** The flow tables of the switches mastered here, and the metrics of the process. */
  RuleSource rules() {
    return new NodeRules(parts::node, new NodeMetrics(settings, parts));
  }

  @Override
  public NodeReport get() {
    return report(true);
  }

  @Override
  public NodeReport withoutNetwork() {
    return report(false);
  }

  @Override
  public List<MemberReport> nodes() {
    return nodes(parts.moment().node());
  }

  @Override
  public List<SwitchReport> switches() {
    return switches(parts.node(), parts.moment().node());
  }

  @Override
  public List<LinkReport> links() {
    return links(parts.node());
  }

  @Override
  public List<HostReport> hosts() {
    return hosts(parts.node());
  }

  private NodeReport report(boolean withNetwork) {
    RunningParts.Moment now = parts.moment();
    ReplicaStatus replicaStatus = now.replica();
    ControllerNode running = parts.node();
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
        nodes(status),
        status == null ? List.of() : domains(status),
        withNetwork ? switches(running, status) : List.of(),
        withNetwork ? links(running) : List.of(),
        withNetwork ? hosts(running) : List.of(),
        status == null ? null : domainVersions(status),
        status == null ? memberDifferences(parts.membership()) : differences(status),
        running == null ? List.of() : applicationFailures(running));
  }

  private List<MemberReport> nodes(@Nullable NodeStatus status) {
    return status == null ? configuredMembers() : members(status, summaries.known());
  }

  private List<SwitchReport> switches(
      @Nullable ControllerNode running, @Nullable NodeStatus status) {
    return running == null || status == null
        ? List.of()
        : switches(running, status, summaries.troubles());
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
      String dpid = HexFormat.of().toHexDigits(one.dpid());
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

  /** What a service shows, or nothing where no node runs or it does not have the service. */
  private static <S, T> List<T> ask(
      @Nullable ControllerNode running, Class<S> service, Function<S, List<T>> question) {
    return running != null && running.services().names().contains(service.getName())
        ? question.apply(running.services().get(service))
        : List.of();
  }

  private static List<LinkReport> links(@Nullable ControllerNode running) {
    return ask(
        running,
        LinkService.class,
        service -> {
          List<LinkReport> links = new ArrayList<>();
          for (Link link : service.getActiveLinks()) {
            links.add(
                new LinkReport(
                    Dpids.text(link.src().deviceId()),
                    link.src().port().toLong(),
                    Dpids.text(link.dst().deviceId()),
                    link.dst().port().toLong()));
          }
          links.sort(
              Comparator.comparing(LinkReport::fromSwitch).thenComparingLong(LinkReport::fromPort));
          return links;
        });
  }

  private static List<HostReport> hosts(@Nullable ControllerNode running) {
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
                    Dpids.text(host.location().deviceId()),
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
}
