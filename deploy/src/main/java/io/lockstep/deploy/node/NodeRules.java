package io.lockstep.deploy.node;

import io.lockstep.core.flow.RuleInstaller;
import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.core.flow.placed.RuleReport;
import io.lockstep.core.host.HostCounters;
import io.lockstep.core.node.ControllerNode;
import io.lockstep.core.node.NetworkCounters;
import io.lockstep.core.node.NetworkRoom;
import io.lockstep.core.packet.DroppedPackets;
import io.lockstep.core.packet.PacketCounters;
import io.lockstep.core.packet.PuntKeeper;
import io.lockstep.core.state.InputCounters;
import io.lockstep.deploy.admin.RuleSource;
import io.lockstep.openflow.channel.ChannelCounters;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Asks the node, on its control loop, for the flow tables of the switches that it masters, and
 * reads its counters. Waits a second at most; a node that does not answer knows nothing.
 */
final class NodeRules implements RuleSource {
  private static final long PATIENCE_MILLIS = 1000;
  private final Supplier<@Nullable ControllerNode> node;
  private final Supplier<@Nullable ChannelCounters> channels;
  private final Supplier<@Nullable StoreAccess> store;

  /**
   * Asks what runs by then.
   *
   * @param channels of the OpenFlow server
   * @param store of this process
   */
  NodeRules(
      Supplier<@Nullable ControllerNode> node,
      Supplier<@Nullable ChannelCounters> channels,
      Supplier<@Nullable StoreAccess> store) {
    this.node = node;
    this.channels = channels;
    this.store = store;
  }

  @Override
  public Map<String, PlacementReport> tables() {
    return ask(RuleInstaller::reports);
  }

  @Override
  public Map<String, RuleReport> explain(long flowId) {
    return ask(installer -> installer.explain(flowId));
  }

  @Override
  public Map<String, Map<String, Long>> counters() {
    Map<String, Map<String, Long>> counters = new TreeMap<>();
    StoreAccess access = store.get();
    if (access != null) {
      counters.put("lockstep_store_replica_total", access.replicaCounts());
    }
    NetworkRoom room = room();
    if (room == null) {
      return counters;
    }
    NetworkCounters counted = room.counters();
    counters.put(
        "lockstep_packet_ins_total",
        counts(PacketCounters.PacketResult.values(), counted.packets()::of));
    counters.put(
        "lockstep_host_events_total", counts(HostCounters.Event.values(), counted.hosts()::of));
    counters.put(
        "lockstep_switch_reports_held_total",
        counts(InputCounters.Input.values(), counted.inputs()::of));
    counters.put("lockstep_discovery_frames_total", counted.lldp().byVerdict());
    counters.put("lockstep_link_claims_total", counted.linkClaims());
    counters.put(
        "lockstep_punt_entries_total",
        counts(PuntKeeper.Event.values(), event -> counted.puntEntries().getOrDefault(event, 0L)));
    room.counters()
        .applicationEvents()
        .forEach(
            (name, events) ->
                counters.put(
                    "lockstep_application_" + name.replace('-', '_') + "_events_total", events));
    ChannelCounters closed = channels.get();
    if (closed != null) {
      counters.put("lockstep_switch_connections_closed_total", closed.counts().byCause());
    }
    return counters;
  }

  @Override
  public Map<String, Map<String, Long>> applicationCounters() {
    NetworkRoom room = room();
    if (room == null) {
      return Map.of();
    }
    Map<String, Long> decisions = room.counters().applicationDecisions();
    Map<String, Long> failures = new TreeMap<>();
    Map<String, Long> refused = new TreeMap<>();
    for (String name : decisions.keySet()) {
      failures.put(name, 0L);
      refused.put(name, room.counters().applicationEntriesRefused(name));
    }
    room.counters()
        .applicationFailures()
        .all()
        .forEach(one -> failures.put(one.application(), one.count()));
    return new TreeMap<>(
        Map.of(
            "lockstep_application_decisions_total",
            decisions,
            "lockstep_application_entries_refused_total",
            refused,
            "lockstep_application_failures_total",
            failures));
  }

  @Override
  public Map<String, Map<String, Long>> causes() {
    StoreAccess access = store.get();
    return access == null
        ? Map.of()
        : Map.of("lockstep_store_operations_total", access.operations());
  }

  @Override
  public List<DroppedPackets.Count> droppedPackets() {
    NetworkRoom room = room();
    return room == null ? List.of() : room.counters().droppedPackets().counts();
  }

  private static <E extends Enum<E>> Map<String, Long> counts(E[] all, ToLongFunction<E> count) {
    Map<String, Long> counts = new TreeMap<>();
    for (E one : all) {
      counts.put(one.name().toLowerCase(Locale.ROOT), count.applyAsLong(one));
    }
    return counts;
  }

  private @Nullable NetworkRoom room() {
    ControllerNode running = node.get();
    return running == null || !running.services().names().contains(NetworkRoom.class.getName())
        ? null
        : running.services().get(NetworkRoom.class);
  }

  private <T> Map<String, T> ask(Function<RuleInstaller, Map<Long, T>> question) {
    NetworkRoom room = room();
    if (room == null) {
      return Map.of();
    }
    try {
      Map<Long, T> answer = room.askRules(question).get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      Map<String, T> named = new TreeMap<>();
      answer.forEach((dpid, one) -> named.put(String.format(Locale.ROOT, "%016x", dpid), one));
      return named;
    } catch (TimeoutException | ExecutionException e) {
      return Map.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Map.of();
    }
  }
}
