package io.lockstep.deploy.metrics;

import io.lockstep.store.core.StateUse;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.ClusterVersions;
import io.lockstep.store.engine.OrderingReplica;
import io.lockstep.store.engine.ReplicaMeasures;
import io.lockstep.store.engine.ReplicaStatus;
import io.lockstep.store.engine.ReplicaStatus.Phase;
import io.lockstep.store.measure.DurationHistogram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The replica of this process: its part in the cluster, its log, its state. */
final class ReplicaFamilies {
  private ReplicaFamilies() {}

  static void add(
      MetricFamilies families, OrderingReplica replica, ReplicaStatus status, int replicas) {
    MetricFamilies.Samples phases =
        families.gauge(
            "lockstep_replica_phase", "1 for the phase that the replica is in, else 0.", "phase");
    for (Phase phase : Phase.values()) {
      phases.add(status.phase() == phase ? 1 : 0, ClientFamilies.lower(phase));
    }
    families
        .gauge("lockstep_replica_leads", "Whether this replica proposes the order of operations.")
        .add(status.leaderId() == status.replicaId() ? 1 : 0);
    families
        .gauge(
            "lockstep_replica_leader_known",
            "Whether this replica takes part and knows which replica leads.")
        .add(status.leaderId() >= 0 ? 1 : 0);
    families
        .counter(
            "lockstep_replica_leader_changes_total",
            "Number of the leader's term; it outlives processes, and each change adds one or more.")
        .add(status.regency());
    families
        .gauge("lockstep_replica_quorum", "Whether this replica and a majority work together.")
        .add(status.quorum() ? 1 : 0);
    families.gauge("lockstep_replica_members", "Replicas of the cluster.").add(replicas);
    families
        .gauge("lockstep_replica_reachable_members", "Replicas heard of recently, with this one.")
        .add(status.reachable().size());
    families
        .gauge("lockstep_replica_operational_members", "Those of them that take part.")
        .add(status.operational().size());
    families
        .gauge("lockstep_replica_last_instance", "The last decision that this replica applied.")
        .add(status.lastInstance());
    addVersions(families, replica.versions(), status.replicaId());
    addLog(families, replica, status);
  }

  private static void addVersions(MetricFamilies families, ClusterVersions versions, int replica) {
    families
        .gauge("lockstep_replica_cluster_version", "The version that the cluster is at.")
        .add(versions.active());
    if (replica < versions.newest().size()) {
      families
          .gauge("lockstep_replica_newest_version", "The newest version that this release knows.")
          .add(versions.newest().get(replica));
    }
  }

  private static void addLog(
      MetricFamilies families, OrderingReplica replica, ReplicaStatus status) {
    Map<String, Long> counts = replica.counts();
    families
        .counter(
            "lockstep_replica_instances_total",
            "Decisions that this replica applied, those included that it replayed at its start.")
        .add(counts.getOrDefault("instances", 0L));
    families
        .counter("lockstep_replica_requests_total", "Requests of clients in these decisions.")
        .add(counts.getOrDefault("requests", 0L));
    families
        .counter(
            "lockstep_replica_log_records_total",
            "Decisions that this replica appended to its log.")
        .add(counts.getOrDefault("records", 0L));
    ReplicaMeasures measures = replica.measures();
    DurationHistogram.Reading syncs = measures.syncs();
    if (syncs != null) {
      families
          .durations(
              "lockstep_replica_log_sync_duration_seconds",
              "How long the disk took to make bytes durable.")
          .add(syncs);
    }
    families
        .durations(
            "lockstep_replica_snapshot_duration_seconds", "How long it took to write a snapshot.")
        .add(measures.snapshots());
    families
        .gauge("lockstep_replica_snapshot_bytes", "Size of the newest snapshot; 0 for none.")
        .add(measures.lastSnapshotBytes());
    families
        .gauge(
            "lockstep_replica_snapshot_instance",
            "The last decision in the newest snapshot; -1 for none.")
        .add(status.memory().snapshotInstance());
    families
        .gauge(
            "lockstep_replica_log_since_snapshot_bytes",
            "Decisions in the log since the newest snapshot, or since the start.")
        .add(status.memory().bytesSinceSnapshot());
    families
        .gauge(
            "lockstep_replica_files_set_aside",
            "Damaged files that the replica set aside at its start.")
        .add(status.memory().setAside().size());
    MetricFamilies.Samples refused =
        families.counter(
            "lockstep_replica_connections_refused_total",
            "Connections and handshakes that the replica refused, by its port.",
            "port");
    measures.refusedConnections().forEach((port, count) -> refused.add(count, port));
  }

  /** The files of the log and the room on their disk; nothing for a state in memory. */
  static void addFiles(MetricFamilies families, @Nullable Path directory) {
    if (directory == null) {
      return;
    }
    MetricFamilies.Samples readable =
        families.gauge(
            "lockstep_replica_directory_readable",
            "Whether the directory of the log can be listed; if not, nothing is known of its disk.");
    List<Path> files;
    FileStore disk;
    try (Stream<Path> listed = Files.list(directory)) {
      files = listed.toList();
      disk = Files.getFileStore(directory);
      families
          .gauge("lockstep_replica_disk_free_bytes", "Room on the disk of the log.")
          .add(disk.getUsableSpace());
      families
          .gauge("lockstep_replica_disk_size_bytes", "Size of the disk of the log.")
          .add(disk.getTotalSpace());
    } catch (IOException | UncheckedIOException unreadable) {
      // The other families are absent then, and no alert on them comes: this one does.
      readable.add(0);
      return;
    }
    readable.add(1);
    long segments = 0;
    long logBytes = 0;
    for (Path file : files) {
      if (String.valueOf(file.getFileName()).startsWith("log-")) {
        segments++;
        logBytes += size(file);
      }
    }
    families.gauge("lockstep_replica_log_segments", "Files of the log.").add(segments);
    families.gauge("lockstep_replica_log_bytes", "Size of the files of the log.").add(logBytes);
  }

  /** 0 for a file that a snapshot made superfluous meanwhile. */
  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (NoSuchFileException removed) {
      return 0;
    } catch (IOException unreadable) {
      return 0;
    }
  }

  static void addState(MetricFamilies families, StoreStateMachine machine) {
    MetricFamilies.Samples used =
        families.gauge(
            "lockstep_replica_state_bytes", "What the state takes of memory, by part.", "part");
    MetricFamilies.Samples limits =
        families.gauge(
            "lockstep_replica_state_limit_bytes",
            "What each part may take under the cluster's rules; +Inf for no limit.",
            "part");
    StateUse use = machine.use();
    Map.of("entries", use.entries(), "changes", use.changes(), "replies", use.replies())
        .forEach(
            (part, one) -> {
              used.add(one.bytes(), part);
              limits.add(
                  one.limitBytes() == Long.MAX_VALUE
                      ? Double.POSITIVE_INFINITY
                      : (double) one.limitBytes(),
                  part);
            });
    MetricFamilies.Samples operations =
        families.counter(
            "lockstep_store_operations_total",
            "Operations that the replica applied, by what they were for; beyond 256 causes other.",
            "cause");
    machine.operations().forEach((cause, count) -> operations.add(count, cause));
  }
}
