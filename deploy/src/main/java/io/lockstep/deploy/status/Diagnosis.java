package io.lockstep.deploy.status;

import io.lockstep.deploy.admin.NodeReport;
import io.lockstep.deploy.admin.NodeReport.MemberReport;
import io.lockstep.deploy.admin.SelfReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds what is wrong in a cluster, from what its nodes say. Pure. */
public final class Diagnosis {
  /** A node publishes at least every 10 s. */
  private static final long OLD_MILLIS = 30_000;

  /** So far may clocks be apart before times in logs mislead. */
  private static final long CLOCK_MILLIS = 2_000;

  /** With less a replica does not start. */
  private static final long LEAST_DISK = 256L << 20;

  /** Room for two snapshots and the log of a state of the usual limit. */
  private static final long LITTLE_DISK = 1L << 30;

  /** Time enough to renew a certificate before it ends. */
  private static final Duration CERTIFICATE_REST = Duration.ofDays(30);

  /** Of its limit; a state that reaches it refuses writes. */
  private static final int LARGE_STATE_PERCENT = 80;

  private static final int FULL_STATE_PERCENT = 95;

  private final NodeReport report;
  private final ClusterStatus status;
  private final Instant now;
  private final List<Finding> findings = new ArrayList<>();

  private Diagnosis(ClusterStatus status, NodeReport report, Instant now) {
    this.now = now;
    this.status = status;
    this.report = report;
  }

  /**
   * What is wrong, errors first; none where no node answered.
   *
   * @param now by the clock of whoever asks, for certificates
   */
  public static List<Finding> of(ClusterStatus status, Instant now) {
    return status.best().map(report -> new Diagnosis(status, report, now).all()).orElse(List.of());
  }

  private List<Finding> all() {
    quorum();
    report.nodes().forEach(this::node);
    leaders();
    same("version", SelfReport::version, "upgrade all nodes to one release");
    sections();
    domains();
    report.switches().forEach(this::networkSwitch);
    files();
    applications();
    findings.sort(Comparator.comparing(Finding::severity));
    return findings;
  }

  private void quorum() {
    if (!status.quorum()) {
      findings.add(
          Finding.error(
              "cluster",
              "no quorum: nothing is acknowledged; installed flows go on",
              "start the missing nodes, and look at the network between the replicas"));
    }
  }

  private void node(MemberReport member) {
    String id = member.id();
    SelfReport self = member.self();
    if (member.drained()) {
      findings.add(
          Finding.warning(id, "it is drained and masters nothing", "./lockstep undrain " + id));
    }
    if (!status.quorum()) {
      return; // who lives is not known
    }
    if (!member.alive()) {
      Long age = member.ageMillis();
      findings.add(
          Finding.error(
              id,
              "it is absent" + (age == null ? "" : "; last heard " + Units.seconds(age) + " ago"),
              "start it on " + member.host() + ", or look at its log and at the network to it"));
      return;
    }
    if (self == null) {
      findings.add(
          Finding.warning(
              id,
              "it lives, but has published nothing of itself",
              "it runs an earlier release, or started a moment ago"));
      return;
    }
    if (!self.ready()) {
      findings.add(Finding.error(id, "it is not ready: " + self.notReadyBecause(), "see its log"));
    }
    summary(id, member, self);
    replica(id, self.replica());
    machine(id, self.machine());
    certificate(id, self.certificateEndMillis());
    state(id, self.state());
    long drops = self.perSecond().getOrDefault("drops", 0L);
    if (drops > 0) {
      findings.add(
          Finding.warning(
              id,
              drops + " packet-ins a second are dropped, since there are too many",
              "see lockstep_packet_ins_dropped_total in /metrics for the ports; limits.* bound"
                  + " them"));
    }
  }

  private void summary(String id, MemberReport member, SelfReport self) {
    long age = Objects.requireNonNullElse(member.ageMillis(), 0L);
    if (age > OLD_MILLIS) {
      findings.add(
          Finding.warning(
              id,
              "its last summary is " + Units.seconds(age) + " old",
              "see its log: its writes may not reach the store"));
    }
    long ahead = Objects.requireNonNullElse(member.clockAheadMillis(), 0L);
    if (Math.abs(ahead) > CLOCK_MILLIS) {
      findings.add(
          Finding.warning(
              id,
              "its wall clock is "
                  + Units.seconds(Math.abs(ahead))
                  + (ahead > 0 ? " ahead of" : " behind")
                  + " that of "
                  + report.node(),
              "synchronize the clocks (NTP). Leases do not depend on them, but times in logs do"));
    }
    self.troubles()
        .forEach(
            (dpid, text) ->
                findings.add(
                    Finding.warning(
                        "switch " + dpid, id + ": " + text, "see OPERATING.md, Troubles")));
  }

  private void replica(String id, SelfReport.@Nullable ReplicaSelf replica) {
    if (replica == null) {
      return;
    }
    if (!replica.phase().equals("operational")) {
      findings.add(
          Finding.error(
              id, "its replica is " + replica.phase(), "wait, or see its log for what it lacks"));
    }
    if (!replica.lost().isEmpty()) {
      findings.add(
          Finding.error(
              id,
              "its replica does not reach " + String.join(", ", replica.lost()),
              "start these, or look at the network: storePort + 1 of each must be open"));
    }
  }

  private void machine(String id, SelfReport.@Nullable MachineReport machine) {
    long free = machine == null ? -1 : machine.diskFreeBytes();
    if (free >= 0 && free < LITTLE_DISK) {
      String problem = "the disk of its replica has " + Units.bytes(free) + " left";
      String remedy =
          "make room in store.directory's file system: set-aside-* and traces may be deleted";
      findings.add(
          free < LEAST_DISK
              ? Finding.error(id, problem + ": it will not start again", remedy)
              : Finding.warning(id, problem, remedy));
    }
  }

  private void certificate(String id, long endMillis) {
    if (endMillis == 0) {
      return;
    }
    Duration rest = Duration.between(now, Instant.ofEpochMilli(endMillis));
    String remedy =
        "./lockstep pki renew node/"
            + id
            + " where the authority is, and copy the directory into its keys: it takes them without"
            + " a restart";
    String end = Instant.ofEpochMilli(endMillis).toString();
    if (rest.isNegative()) {
      findings.add(
          Finding.error(
              id, "its certificate ended on " + end + ": the others refuse its links", remedy));
    } else if (rest.compareTo(CERTIFICATE_REST) < 0) {
      findings.add(
          Finding.warning(
              id, "its certificate ends on " + end + ", in " + rest.toDays() + " days", remedy));
    }
  }

  private void state(String id, SelfReport.@Nullable StateReport state) {
    if (state == null || state.limitBytes() == 0) {
      return;
    }
    long percent = state.bytes() * 100 / state.limitBytes();
    if (percent >= LARGE_STATE_PERCENT) {
      String problem =
          "the state of its replica takes "
              + percent
              + " % of its limit ("
              + Units.bytes(state.bytes())
              + " of "
              + Units.bytes(state.limitBytes())
              + ")";
      String remedy =
          "raise store.stateMegabytes and the heap (-Xmx) of all replicas, or remove entries; a full"
              + " state refuses writes";
      findings.add(
          percent >= FULL_STATE_PERCENT
              ? Finding.error(id, problem, remedy)
              : Finding.warning(id, problem, remedy));
    }
  }

  private List<MemberReport> speaking() {
    return report.nodes().stream()
        .filter(member -> member.alive() && member.self() != null)
        .toList();
  }

  private void leaders() {
    Map<String, List<String>> byLeader = new TreeMap<>();
    for (MemberReport member : speaking()) {
      SelfReport self = Objects.requireNonNull(member.self());
      SelfReport.ReplicaSelf replica = self.replica();
      if (replica != null && replica.leader() != null) {
        byLeader.computeIfAbsent(replica.leader(), key -> new ArrayList<>()).add(member.id());
      }
    }
    if (byLeader.size() > 1) {
      findings.add(
          Finding.warning(
              "cluster",
              "replicas follow different leaders: " + byLeader,
              "ask again: a leader change takes a moment; then look at the network"));
    }
  }

  private void same(String what, Function<SelfReport, String> value, String remedy) {
    Map<String, List<String>> byValue = new TreeMap<>();
    for (MemberReport member : speaking()) {
      String said = value.apply(Objects.requireNonNull(member.self()));
      byValue.computeIfAbsent(said == null ? "-" : said, key -> new ArrayList<>()).add(member.id());
    }
    if (byValue.size() > 1) {
      findings.add(Finding.warning("cluster", what + " differs: " + byValue, remedy));
    }
  }

  private void sections() {
    TreeSet<String> names = new TreeSet<>();
    speaking()
        .forEach(member -> names.addAll(Objects.requireNonNull(member.self()).sections().keySet()));
    for (String name : names) {
      Map<String, List<String>> byDigest = new TreeMap<>();
      for (MemberReport member : speaking()) {
        String digest = Objects.requireNonNull(member.self()).sections().get(name);
        if (digest != null) {
          byDigest.computeIfAbsent(digest, key -> new ArrayList<>()).add(member.id());
        }
      }
      if (byDigest.size() > 1) {
        findings.add(
            Finding.error(
                "cluster",
                name + " differs between the files of " + byDigest.values(),
                "compare ./lockstep config check FILE on these nodes, and make it the same"));
      }
    }
  }

  private void domains() {
    for (NodeReport.DomainReport domain : report.domains()) {
      if (domain.master() == null && status.quorum()) {
        findings.add(
            Finding.error(
                "domain " + domain.name(),
                "it has no master: its " + domain.switches() + " switches take no new flows",
                "start one of its masters; see ./lockstep masters"));
      }
    }
    NodeReport.DomainVersionsReport versions = report.domainVersions();
    if (versions != null && versions.next() != 0) {
      findings.add(
          Finding.warning(
              "cluster",
              "version "
                  + versions.next()
                  + " of the domains waits for "
                  + String.join(", ", versions.waitsFor()),
              "wait, or look at the logs of these nodes"));
    }
  }

  private void networkSwitch(NodeReport.SwitchReport one) {
    String where = "switch " + one.dpid();
    if (one.domain().isEmpty()) {
      findings.add(
          Finding.error(
              where,
              "it is in no domain, so no node masters it",
              "./lockstep domain set " + one.dpid() + " DOMAIN"));
    } else if (one.connectedTo().isEmpty()) {
      findings.add(
          Finding.error(
              where,
              "no node is connected to it",
              "look at the switch, and at the addresses of its controllers"));
    } else if (one.master() != null && !one.connectedTo().contains(one.master())) {
      findings.add(
          Finding.error(
              where,
              "its master " + one.master() + " is not connected to it",
              "connect it to " + one.master() + ", or move the domain: ./lockstep masters move"));
    } else if (one.connectedTo().size() == 1 && report.nodes().size() > 1) {
      findings.add(
          Finding.warning(
              where,
              "only " + one.connectedTo().get(0) + " is connected to it",
              "give the switch the addresses of all nodes as controllers"));
    }
  }

  private void files() {
    for (NodeReport.DifferenceReport one : report.differences()) {
      findings.add(
          Finding.error(
              one.node(),
              one.file()
                  + ": "
                  + one.place()
                  + " is "
                  + one.here()
                  + ", in the cluster "
                  + one.cluster(),
              one.remedy()));
    }
    for (ClusterStatus.Answer answer : status.answers()) {
      NodeReport.ReplicaReport replica = answer.report().replica();
      if (replica != null && !replica.setAside().isEmpty()) {
        findings.add(
            Finding.warning(
                answer.report().node(),
                "damaged files were set aside: " + String.join(", ", replica.setAside()),
                "see to its disk"));
      }
    }
  }

  private void applications() {
    for (ClusterStatus.Answer answer : status.answers()) {
      for (NodeReport.ApplicationFailureReport one : answer.report().applicationFailures()) {
        findings.add(
            Finding.warning(
                answer.report().node(),
                "application " + one.application() + " failed " + one.count() + " times",
                "pass the traces of the log on to its author: " + one.lastError()));
      }
    }
  }
}
