package io.lockstep.deploy.node;

import io.lockstep.core.cluster.SummaryTable;
import io.lockstep.core.node.ControllerNode;
import io.lockstep.core.node.NetworkCounters;
import io.lockstep.core.node.NetworkRoom;
import io.lockstep.core.node.NodeStatus;
import io.lockstep.core.node.SummaryRoom;
import io.lockstep.core.packet.DroppedPackets;
import io.lockstep.core.packet.PacketCounters.PacketResult;
import io.lockstep.deploy.admin.SelfReport;
import io.lockstep.deploy.admin.SelfReport.MachineReport;
import io.lockstep.deploy.admin.SelfReport.ReplicaSelf;
import io.lockstep.deploy.admin.SelfReport.StateReport;
import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.deploy.process.ProductVersion;
import io.lockstep.keys.LinkKeys;
import io.lockstep.store.Bytes;
import io.lockstep.store.core.StateUse;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.OrderingReplica;
import io.lockstep.store.engine.ReplicaStatus;
import io.lockstep.store.logging.BoundedLog;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Publishes a summary of this node: when what matters changes, at most once a second, and else
 * every {@value #REST_SECONDS} seconds. One thread of its own.
 */
final class SummaryPublisher implements AutoCloseable {
  private static final BoundedLog log = BoundedLog.of(SummaryPublisher.class);
  private static final long TICK_MILLIS = 1_000;
  private static final int REST_SECONDS = 10;

  private final NodeSettings settings;
  private final RunningParts parts;
  private final StoreAccess store;
  private final ControllerNode node;
  private final NetworkRoom network;
  private final SummaryRoom room;
  private final Map<String, String> sections;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread made = new Thread(task, "summaries");
            made.setDaemon(true);
            return made;
          });

  /** Of the last summary. Owned by the thread. */
  private @Nullable Outline published;

  private long publishedNanos;
  private Map<String, Long> totals = Map.of();

  /** What is published at once when it changes; cheap to take. */
  private record Outline(
      boolean takesPart,
      ReplicaStatus.@Nullable Phase phase,
      int leader,
      List<Integer> reachable) {}

  /** A publisher that does not run. */
  SummaryPublisher(
      NodeSettings settings, RunningParts parts, StoreAccess store, ControllerNode node) {
    this.settings = settings;
    this.parts = parts;
    this.store = store;
    this.node = node;
    this.network = node.services().get(NetworkRoom.class);
    this.room = node.services().get(SummaryRoom.class);
    this.sections = ConfigSections.digests(settings);
  }

  /** Begins. */
  void start() {
    var unused =
        thread.scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void tick() {
    try {
      Outline now = outline();
      long nanos = System.nanoTime();
      boolean isDue = nanos - publishedNanos >= TimeUnit.SECONDS.toNanos(REST_SECONDS);
      if (now.takesPart() && (isDue || !now.equals(published))) {
        publish(now, nanos);
      }
    } catch (RuntimeException e) {
      // The next tick tries again; a node without a summary is listed as one that published none.
      log.error("summary", "the summary of this node was not published: {}", e.toString());
    }
  }

  private Outline outline() {
    OrderingReplica inside = store.replica();
    ReplicaStatus replica = inside == null ? null : inside.status();
    return new Outline(
        node.hasQuorum() && node.current().isDone(),
        replica == null ? null : replica.phase(),
        replica == null ? -1 : replica.leaderId(),
        replica == null ? List.of() : replica.reachable());
  }

  private void publish(Outline now, long nanos) {
    Map<String, Long> counted = counted();
    Map<String, Long> rates = new TreeMap<>();
    double seconds = (nanos - publishedNanos) / 1e9;
    Map<String, Long> before = totals;
    if (!before.isEmpty()) {
      counted.forEach(
          (name, count) ->
              rates.put(name, Math.round((count - before.getOrDefault(name, 0L)) / seconds)));
    }
    SelfReport self = self(parts.moment(), rates);
    Bytes content = PublishedSummaries.encode(self);
    if (content.length() > SummaryTable.MAX_CONTENT_BYTES) {
      // Names of many replicas, or texts in letters of several bytes.
      content = PublishedSummaries.encode(self.withoutTroubles());
    }
    if (room.publish(content)) {
      published = now;
      publishedNanos = nanos;
      totals = counted;
    }
  }

  private Map<String, Long> counted() {
    NetworkCounters counters = network.counters();
    Map<String, Long> counted = new TreeMap<>();
    counted.put("packetIns", counters.packets().of(PacketResult.RECEIVED));
    counted.put("decisions", counters.packets().of(PacketResult.DECIDED));
    counted.put(
        "drops",
        counters.droppedPackets().counts().stream().mapToLong(DroppedPackets.Count::packets).sum());
    StoreStateMachine machine = store.machine();
    counted.put(
        "storeOperations",
        machine == null
            ? 0
            : machine.operations().values().stream().mapToLong(Long::longValue).sum());
    return counted;
  }

  private SelfReport self(RunningParts.Moment moment, Map<String, Long> rates) {
    NodeStatus status = moment.node();
    String own = settings.nodeId();
    Map<String, String> troubles = new TreeMap<>();
    int connected = 0;
    for (NodeStatus.SwitchInfo one :
        status == null ? List.<NodeStatus.SwitchInfo>of() : status.switches()) {
      connected += one.connectedTo().contains(own) ? 1 : 0;
      if (!one.trouble().isEmpty() && troubles.size() < SelfReport.MAX_TROUBLES) {
        troubles.put(String.format(Locale.ROOT, "%016x", one.dpid()), shortened(one.trouble()));
      }
    }
    long mastered =
        status == null
            ? 0
            : status.domains().stream().filter(one -> own.equals(one.master())).count();
    String because = moment.notReadyBecause();
    LinkKeys keys = parts.keys();
    return new SelfReport(
        ProductVersion.text(),
        ManagementFactory.getRuntimeMXBean().getUptime(),
        because == null,
        because == null ? null : shortened(because),
        moment.replica() == null ? null : replica(moment.replica()),
        (int) mastered,
        connected,
        machine(),
        rates,
        sections,
        troubles,
        keys == null ? 0 : keys.own().notAfter().toEpochMilli(),
        state());
  }

  private ReplicaSelf replica(ReplicaStatus status) {
    List<String> reaches = new ArrayList<>();
    List<String> lost = new ArrayList<>();
    List<NodeSettings.Replica> all = settings.replicasInOrder();
    for (int id = 0; id < all.size(); id++) {
      (status.reachable().contains(id) ? reaches : lost).add(all.get(id).id());
    }
    return new ReplicaSelf(
        status.phase().name().toLowerCase(Locale.ROOT),
        status.leaderId() < 0 ? null : store.replicaName(status.leaderId()),
        status.lastInstance(),
        reaches,
        lost);
  }

  private @Nullable StateReport state() {
    StoreStateMachine machine = store.machine();
    if (machine == null) {
      return null;
    }
    StateUse.Part entries = machine.use().entries();
    long limit = entries.limitBytes();
    return new StateReport(entries.bytes(), limit == Long.MAX_VALUE ? 0 : limit);
  }

  private MachineReport machine() {
    Runtime runtime = Runtime.getRuntime();
    Path directory = settings.store().directory();
    boolean isOnDisk = settings.replicaInside() && directory != null;
    double load =
        ManagementFactory.getOperatingSystemMXBean()
                instanceof com.sun.management.OperatingSystemMXBean system
            ? system.getProcessCpuLoad()
            : -1;
    return new MachineReport(
        runtime.totalMemory() - runtime.freeMemory(),
        runtime.maxMemory(),
        load < 0 ? -1 : (int) Math.round(load * 100),
        isOnDisk && directory != null ? directory.toFile().getUsableSpace() : -1);
  }

  private static String shortened(String text) {
    return text.length() <= SelfReport.MAX_CHARS
        ? text
        : text.substring(0, SelfReport.MAX_CHARS - 3) + "...";
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
