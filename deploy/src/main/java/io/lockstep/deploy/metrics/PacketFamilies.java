package io.lockstep.deploy.metrics;

import io.lockstep.core.host.HostCounters;
import io.lockstep.core.node.NetworkCounters;
import io.lockstep.core.packet.DroppedPackets;
import io.lockstep.core.packet.PacketCounters;
import io.lockstep.core.packet.PuntKeeper;
import io.lockstep.core.state.InputCounters;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** Packets that came up, what applications made of them, and other reports of switches. */
final class PacketFamilies {
  private static final String WHAT = "what";
  private static final String APPLICATION = "application";

  private PacketFamilies() {}

  static void add(MetricFamilies families, NetworkCounters counters) {
    each(
        families.counter("lockstep_packet_ins_total", "Packet-ins, by what became of them.", WHAT),
        counts(PacketCounters.PacketResult.values(), counters.packets()::of));
    MetricFamilies.Samples dropped =
        families.counter(
            "lockstep_packet_ins_dropped_total",
            "Packet-ins that were too many; 256 switches and 8 ports of each are told apart.",
            "switch",
            "port",
            "reason");
    for (DroppedPackets.Count one : counters.droppedPackets().counts()) {
      dropped.add(one.packets(), one.dpid(), one.port(), one.reason().label());
    }
    families
        .durations(
            "lockstep_flow_setup_duration_seconds",
            "From an application's first decision on a packet until its flow-mods were handed to"
                + " the switch's connection.")
        .add(counters.flowSetups());
    each(
        families.counter("lockstep_host_events_total", "Events of host tracking.", WHAT),
        counts(HostCounters.Event.values(), counters.hosts()::of));
    each(
        families.counter(
            "lockstep_switch_reports_held_total",
            "Reports of switches that the node merged or dropped.",
            WHAT),
        counts(InputCounters.Input.values(), counters.inputs()::of));
    each(
        families.counter("lockstep_discovery_frames_total", "LLDP frames.", WHAT),
        counters.lldp().byVerdict());
    each(
        families.counter(
            "lockstep_link_claims_total", "New links that probes claimed, by the verdict.", WHAT),
        counters.linkClaims());
    each(
        families.counter(
            "lockstep_punt_entries_total",
            "What happened to the entries that send packets up.",
            WHAT),
        counts(PuntKeeper.Event.values(), event -> counters.puntEntries().getOrDefault(event, 0L)));
    addApplications(families, counters);
  }

  private static void addApplications(MetricFamilies families, NetworkCounters counters) {
    Map<String, Long> decisions = counters.applicationDecisions();
    Map<String, Long> failures = new TreeMap<>();
    Map<String, Long> refused = new TreeMap<>();
    for (String name : decisions.keySet()) {
      failures.put(name, 0L);
      refused.put(name, counters.applicationEntriesRefused(name));
    }
    counters
        .applicationFailures()
        .all()
        .forEach(one -> failures.put(one.application(), one.count()));
    each(
        families.counter(
            "lockstep_application_decisions_total",
            "Decisions on packets and events that the node carried out.",
            APPLICATION),
        decisions);
    each(
        families.counter(
            "lockstep_application_questions_total",
            "Questions of an application to the store.",
            APPLICATION),
        counters.applicationQuestions());
    each(
        families.counter(
            "lockstep_application_failures_total",
            "How often an application or packet processor failed; beyond 256 names others.",
            APPLICATION),
        failures);
    each(
        families.counter(
            "lockstep_application_entries_refused_total",
            "Flow entries of an application that bounded tables did not take.",
            APPLICATION),
        refused);
    MetricFamilies.Samples events =
        families.counter(
            "lockstep_application_events_total",
            "What an application counts itself.",
            APPLICATION,
            WHAT);
    counters
        .applicationEvents()
        .forEach(
            (application, counted) ->
                counted.forEach((what, count) -> events.add(count, application, what)));
  }

  private static <E extends Enum<E>> Map<String, Long> counts(E[] all, ToLongFunction<E> count) {
    Map<String, Long> counts = new TreeMap<>();
    for (E one : all) {
      counts.put(ClientFamilies.lower(one), count.applyAsLong(one));
    }
    return counts;
  }

  private static void each(MetricFamilies.Samples samples, Map<String, Long> counts) {
    counts.forEach((label, count) -> samples.add(count, label));
  }
}
