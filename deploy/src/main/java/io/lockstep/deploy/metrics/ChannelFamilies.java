package io.lockstep.deploy.metrics;

import io.lockstep.openflow.channel.ChannelCounters;
import io.lockstep.openflow.channel.MessageCounters;

/** Connections of switches, and the messages that this node sends them. */
final class ChannelFamilies {
  private ChannelFamilies() {}

  static void add(MetricFamilies families, ChannelCounters channels) {
    MessageCounters.Counts counts = channels.messages().counts();
    families
        .gauge("lockstep_openflow_connections", "Open connections, also those in a handshake.")
        .add(counts.connections());
    families
        .gauge("lockstep_switches_connected", "Switches that are connected to this node.")
        .add(counts.switches());
    families
        .counter(
            "lockstep_openflow_connections_refused_total",
            "Connections that were refused because too many were open.")
        .add(counts.connectionsRefused());
    MetricFamilies.Samples handshakes =
        families.counter(
            "lockstep_openflow_handshakes_total", "Handshakes of switches.", "outcome");
    handshakes.add(counts.handshakes(), "done");
    handshakes.add(counts.failedHandshakes(), "failed");
    MetricFamilies.Samples endings =
        families.counter(
            "lockstep_openflow_disconnects_total",
            "Connections behind their handshake that ended, by the reason.",
            "reason");
    counts.endings().forEach((reason, count) -> endings.add(count, reason));
    MetricFamilies.Samples closed =
        families.counter(
            "lockstep_switch_connections_closed_total",
            "Connections that the node closed to protect itself.",
            "what");
    channels.counts().byCause().forEach((what, count) -> closed.add(count, what));
    MetricFamilies.Samples mods =
        families.counter(
            "lockstep_flow_mods_total",
            "Flow-mods that this node sent, by operation.",
            "operation");
    counts.flowMods().forEach((operation, count) -> mods.add(count, operation));
    MetricFamilies.Samples outcomes =
        families.counter(
            "lockstep_flow_mod_outcomes_total",
            "What became of flow-mods, where the node knows: installed by a barrier, refused by"
                + " the switch or the channel, unknown without an answer.",
            "outcome");
    outcomes.add(counts.flowModsInstalled(), "installed");
    outcomes.add(counts.flowModsRefused(), "refused");
    outcomes.add(counts.flowModsUnknown(), "unknown");
    MetricFamilies.Samples packets =
        families.counter(
            "lockstep_packet_outs_total",
            "Packets that this node sent through switches.",
            "outcome");
    packets.add(counts.packetOuts(), "sent");
    packets.add(counts.packetOutsNotSent(), "not_sent");
  }
}
