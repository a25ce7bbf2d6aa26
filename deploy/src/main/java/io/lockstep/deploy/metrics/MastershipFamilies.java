package io.lockstep.deploy.metrics;

import io.lockstep.core.mastership.MastershipCounters;
import io.lockstep.core.node.NodeStatus;
import io.lockstep.core.node.NodeStatus.DomainInfo;
import io.lockstep.core.node.NodeStatus.SwitchInfo;

/** The node's part in its cluster: members, domains, masters. */
final class MastershipFamilies {
  private MastershipFamilies() {}

  static void add(MetricFamilies families, NodeStatus status) {
    families
        .gauge("lockstep_node_quorum", "Whether the store answers the node and its lease holds.")
        .add(status.quorum() ? 1 : 0);
    MetricFamilies.Samples members =
        families.gauge(
            "lockstep_member_alive", "Whether a node's session with the store is open.", "node");
    MetricFamilies.Samples drained =
        families.gauge("lockstep_member_drained", "Whether an operator drained a node.", "node");
    for (NodeStatus.NodeInfo one : status.nodes()) {
      members.add(one.alive() ? 1 : 0, one.nodeId());
      drained.add(one.drained() ? 1 : 0, one.nodeId());
    }
    MetricFamilies.Samples mastered =
        families.gauge(
            "lockstep_domain_mastered",
            "Whether this node masters a domain; a cluster has 1024 domains at most.",
            "domain");
    MetricFamilies.Samples epochs =
        families.gauge("lockstep_domain_epoch", "How many masterships a domain has had.", "domain");
    long masterless = 0;
    for (DomainInfo one : status.domains()) {
      mastered.add(status.nodeId().equals(one.master()) ? 1 : 0, one.name());
      epochs.add(one.epoch(), one.name());
      masterless += one.master() == null ? 1 : 0;
    }
    families
        .gauge("lockstep_domains_without_master", "Domains of the cluster that no node masters.")
        .add(masterless);
    families
        .gauge("lockstep_configuration_differences", "Where files differ from the cluster.")
        .add(status.domainDifferences().size() + status.memberDifferences().size());
    addSwitches(families, status);
  }

  private static void addSwitches(MetricFamilies families, NodeStatus status) {
    long here = 0;
    long masterless = 0;
    long troubled = 0;
    for (SwitchInfo one : status.switches()) {
      here += one.mastered() ? 1 : 0;
      masterless += one.master() == null && !one.connectedTo().isEmpty() ? 1 : 0;
      troubled += one.trouble().isEmpty() ? 0 : 1;
    }
    families
        .gauge("lockstep_switches_known", "Switches that the cluster knows.")
        .add(status.switches().size());
    families
        .gauge("lockstep_switches_mastered", "Switches that this node may act on now.")
        .add(here);
    families
        .gauge(
            "lockstep_switches_without_master",
            "Switches that are connected to a node of the cluster, and that no node masters.")
        .add(masterless);
    families
        .gauge("lockstep_switches_troubled", "Switches for which status lists a trouble.")
        .add(troubled);
  }

  static void addCounters(MetricFamilies families, MastershipCounters counters) {
    families
        .counter(
            "lockstep_mastership_claims_total",
            "How often this node became master of a domain without a living master.")
        .add(counters.claims());
    MetricFamilies.Samples handOvers =
        families.counter(
            "lockstep_mastership_hand_overs_total",
            "Domains that this node handed to another, or failed to.",
            "outcome");
    handOvers.add(counters.handedOver(), "done");
    handOvers.add(counters.notHandedOver(), "given_up");
    families
        .durations(
            "lockstep_mastership_hand_over_duration_seconds",
            "From the decision to hand a domain over until the store named the next master.")
        .add(counters.handOvers());
  }
}
