package io.lockstep.core.flow.placed;

import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.GroupMod;
import io.lockstep.core.southbound.PortGroup;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.store.logging.BoundedLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.PortCriterion;

/**
 * Writes what each port of a switch with a fixed pipeline needs before packets pass: its group,
 * then its entries in their order, each step confirmed by a barrier. It does so where a reading
 * shows that something is missing, and before flow-mods where a port is new. What the switch
 * refuses is logged and tried again with the next reading. What a port that is gone had stays: no
 * packet can match it. Control loop only.
 */
final class PortPreparation {
  private static final BoundedLog log = BoundedLog.of(PortPreparation.class);
  private static final CompletableFuture<Boolean> DONE = CompletableFuture.completedFuture(true);

  private final SwitchConnection connection;
  private final FixedEntries entries;
  private final Executor loop;

  /** The ports that have all they need, as far as the last reading and the switch's answers say. */
  private final Set<Long> prepared = new HashSet<>();

  PortPreparation(SwitchConnection connection, FixedEntries entries, Executor loop) {
    this.connection = connection;
    this.entries = entries;
    this.loop = loop;
  }

  private Set<Long> ports() {
    Set<Long> ports = new HashSet<>();
    connection.ports().stream()
        .map(port -> port.portNumber())
        .filter(FixedEntries::isPhysical)
        .forEach(port -> ports.add(port.toLong()));
    return ports;
  }

  /** Prepares ports that came since the last reading. Completes on the control loop. */
  CompletableFuture<Boolean> newPorts() {
    Set<Long> ports = ports();
    ports.removeAll(prepared);
    return ports.isEmpty() ? DONE : prepare(ports, List.of(), List.of());
  }

  /** Prepares all ports that lack something. Completes on the control loop. */
  CompletableFuture<Boolean> afterReading(List<FlowStats> seen, List<PortGroup> groups) {
    prepared.clear();
    return prepare(ports(), seen, groups);
  }

  private CompletableFuture<Boolean> prepare(
      Set<Long> ports, List<FlowStats> seen, List<PortGroup> groups) {
    Map<Long, List<FlowStats>> seenAt = byPort(seen);
    Set<PortGroup> present = new HashSet<>(groups);
    Set<Integer> ids = new HashSet<>();
    groups.forEach(group -> ids.add(group.id()));
    List<GroupMod> groupMods = new ArrayList<>();
    for (long port : ports) {
      PortGroup wanted = entries.group(port);
      if (wanted != null && !present.contains(wanted)) {
        boolean other = ids.contains(wanted.id());
        groupMods.add(
            new GroupMod(other ? GroupMod.Operation.MODIFY : GroupMod.Operation.ADD, wanted));
      }
    }
    CompletableFuture<Boolean> step =
        groupMods.isEmpty()
            ? DONE
            : connection
                .groupModsConfirmed(groupMods)
                .thenApplyAsync(outcomes -> confirmed("groups", outcomes), loop);
    for (int i = 0; i < entries.portEntries(); i++) {
      List<FlowMod> mods = new ArrayList<>();
      for (long port : ports) {
        FlowMod mod = entries.portEntry(i, port);
        if (!FixedEntries.isThere(mod, seenAt.getOrDefault(port, List.of()))) {
          mods.add(mod);
        }
      }
      if (!mods.isEmpty()) {
        step = step.thenComposeAsync(ok -> send(mods, ok), loop);
      }
    }
    prepared.addAll(ports);
    return step;
  }

  /** The entries of ports by their port: a switch may have thousands of both. */
  private static Map<Long, List<FlowStats>> byPort(List<FlowStats> seen) {
    Map<Long, List<FlowStats>> byPort = new HashMap<>();
    for (FlowStats entry : seen) {
      if (entry.cookie() == Cookies.PORT_ENTRY
          && entry.selector().getCriterion(Criterion.Type.IN_PORT) instanceof PortCriterion at) {
        byPort.computeIfAbsent(at.port().toLong(), any -> new ArrayList<>()).add(entry);
      }
    }
    return byPort;
  }

  private CompletableFuture<Boolean> send(List<FlowMod> mods, boolean before) {
    return connection
        .flowModsConfirmed(mods)
        .thenApplyAsync(outcomes -> confirmed("entries", outcomes) && before, loop);
  }

  private boolean confirmed(String what, List<FlowModOutcome> outcomes) {
    for (FlowModOutcome outcome : outcomes) {
      if (!(outcome instanceof FlowModOutcome.Installed)) {
        log.warn(
            connection.deviceId(),
            "{}: the {} that its ports need are not all there: {}",
            connection.deviceId(),
            what,
            outcome.why());
        return false;
      }
    }
    return true;
  }
}
