package io.lockstep.core.node;

import io.lockstep.core.cluster.Connections;
import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.Domains;
import io.lockstep.core.cluster.Drains;
import io.lockstep.core.cluster.Member;
import io.lockstep.core.cluster.MemberLists;
import io.lockstep.core.cluster.Membership;
import io.lockstep.core.cluster.NodeConfig;
import io.lockstep.core.cluster.NodeRecord;
import io.lockstep.core.cluster.StoredDomains;
import io.lockstep.core.cluster.Witness;
import io.lockstep.core.device.DeviceRecord;
import io.lockstep.core.device.Devices;
import io.lockstep.core.mastership.DomainRecord;
import io.lockstep.core.mastership.Mastership;
import io.lockstep.core.mastership.Ownership;
import io.lockstep.core.mastership.SwitchStatus;
import io.lockstep.core.southbound.SwitchFeatures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Takes the node's status; on the control loop. */
final class StatusReporter {
  private final NodeConfig config;
  private final String version;
  private final Membership membership;
  private final Witness witness;
  private final MemberLists lists;
  private final Domains domains;
  private final Drains drains;
  private final Connections connections;
  private final Ownership ownership;
  private final Mastership mastership;
  private final Devices devices;
  private final LongFunction<String> troubles;

  /**
   * A reporter.
   *
   * @param troubles what the rooms say is wrong at a switch; empty where nothing is
   */
  StatusReporter(
      NodeConfig config,
      String version,
      Membership membership,
      Witness witness,
      MemberLists lists,
      Domains domains,
      Drains drains,
      Connections connections,
      Ownership ownership,
      Mastership mastership,
      Devices devices,
      LongFunction<String> troubles) {
    this.config = config;
    this.version = version;
    this.membership = membership;
    this.witness = witness;
    this.lists = lists;
    this.domains = domains;
    this.drains = drains;
    this.connections = connections;
    this.ownership = ownership;
    this.mastership = mastership;
    this.devices = devices;
    this.troubles = troubles;
  }

  NodeStatus take() {
    long session = membership.activeSession();
    TreeSet<Long> known = new TreeSet<>(Long::compareUnsigned);
    known.addAll(devices.devices().entries().keySet());
    connections.view().entries().keySet().forEach(key -> known.add(key.dpid()));
    Map<Long, SwitchStatus> connected = new HashMap<>();
    for (SwitchStatus one : mastership.switches()) {
      connected.put(one.connection().dpid(), one);
      known.add(one.connection().dpid());
    }
    List<NodeStatus.SwitchInfo> switches = new ArrayList<>();
    Map<String, Integer> counts = new HashMap<>();
    for (long dpid : known) {
      NodeStatus.SwitchInfo info = switchInfo(dpid, connected.get(dpid));
      switches.add(info);
      counts.merge(info.domain(), 1, Integer::sum);
    }
    return new NodeStatus(
        config.clusterId(),
        config.nodeId(),
        version,
        session != 0 && membership.lease().holds(session),
        membership.inactiveReason(),
        session,
        witness.inTouch(),
        nodes(),
        domains(counts),
        versions(),
        domains.differences(),
        lists.differences(),
        lists.notReady(),
        switches);
  }

  private NodeStatus.DomainVersions versions() {
    StoredDomains next = domains.next();
    return new NodeStatus.DomainVersions(
        domains.current().version(),
        next == null ? 0 : next.version(),
        domains.waitsFor(),
        domains.unreadable());
  }

  private List<NodeStatus.NodeInfo> nodes() {
    Map<String, NodeStatus.NodeInfo> nodes = new TreeMap<>();
    for (Member member : config.members()) {
      nodes.put(member.nodeId(), nodeInfo(member.nodeId(), member.host(), member.witnessPort()));
    }
    membership
        .nodes()
        .entries()
        .forEach(
            (node, held) ->
                nodes.put(node, nodeInfo(node, held.value().host(), held.value().port())));
    return List.copyOf(nodes.values());
  }

  private NodeStatus.NodeInfo nodeInfo(String node, String host, int port) {
    NodeRecord record = membership.record(node);
    boolean alive = membership.sessionOf(node) != 0;
    return new NodeStatus.NodeInfo(
        node,
        host,
        port,
        alive,
        alive && record != null && record.ready(),
        drains.isDrained(node),
        record == null ? "" : record.version());
  }

  private List<NodeStatus.DomainInfo> domains(Map<String, Integer> counts) {
    List<NodeStatus.DomainInfo> infos = new ArrayList<>();
    for (DomainConfig domain : domains.inForce()) {
      DomainRecord record = ownership.domains().known(domain.name());
      DomainRecord living = ownership.master(domain.name());
      infos.add(
          new NodeStatus.DomainInfo(
              domain.name(),
              living == null ? null : living.node(),
              record == null ? 0 : record.epoch(),
              record == null ? 0 : record.sinceMillis(),
              counts.getOrDefault(domain.name(), 0)));
    }
    return infos;
  }

  private String trouble(long dpid, @Nullable SwitchStatus here) {
    String role = here == null ? "" : here.trouble();
    String other = troubles.apply(dpid);
    return role.isEmpty() || other.isEmpty() ? role + other : role + "; " + other;
  }

  private NodeStatus.SwitchInfo switchInfo(long dpid, @Nullable SwitchStatus here) {
    DomainConfig domain = domains.domainOf(dpid);
    Ownership.Owner owner = ownership.owner(dpid);
    DeviceRecord record = devices.devices().known(dpid);
    SwitchFeatures features =
        here != null ? here.connection().features() : record == null ? null : record.features();
    return new NodeStatus.SwitchInfo(
        dpid,
        domain == null ? "" : domain.name(),
        owner == null ? null : owner.node(),
        owner == null ? 0 : owner.fence().epoch(),
        ownership.delegated(dpid),
        here == null || here.role() == null ? "none" : here.role().name().toLowerCase(Locale.ROOT),
        here != null && here.mastered(),
        record != null && record.available(),
        connections.nodesOf(dpid),
        here == null ? "" : here.connection().features().remoteAddress(),
        features == null ? "" : features.protocol(),
        trouble(dpid, here));
  }
}
