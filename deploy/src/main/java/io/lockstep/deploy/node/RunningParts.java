package io.lockstep.deploy.node;

import io.lockstep.core.cluster.ReplicaMembership;
import io.lockstep.core.node.ControllerNode;
import io.lockstep.core.node.NodeStatus;
import io.lockstep.deploy.admin.AdminServer;
import io.lockstep.deploy.metrics.MetricSources;
import io.lockstep.keys.LinkKeys;
import io.lockstep.openflow.channel.ChannelCounters;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.OrderingReplica;
import io.lockstep.store.engine.ReplicaStatus;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The parts of this process as far as they run, and whether the process takes part in its cluster.
 * The thread that starts them adds them, one after the other; any thread reads. {@link #moment}
 * waits a second at most.
 */
final class RunningParts implements MetricSources {
  private static final long PATIENCE_MILLIS = 1000;

  private final boolean replicaOnly;
  private volatile @Nullable StoreAccess store;
  private volatile @Nullable BatchingStoreClient client;
  private volatile @Nullable ControllerNode node;
  private volatile @Nullable ReplicaMembership membership;
  private volatile @Nullable ChannelCounters channels;
  private volatile @Nullable AdminServer admin;

  /**
   * Nothing runs yet.
   *
   * @param replicaOnly whether there never will be a node in this process
   */
  RunningParts(boolean replicaOnly) {
    this.replicaOnly = replicaOnly;
  }

  void adminOpened(AdminServer opened) {
    admin = opened;
  }

  /** The store of this process, with the replica that runs here, if any. */
  void storeStarted(StoreAccess started) {
    store = started;
  }

  /** The client of the store of this process. */
  void clientOpened(BatchingStoreClient opened) {
    client = opened;
  }

  void nodeStarted(ControllerNode started) {
    node = started;
  }

  /** Where there is no node. */
  void membershipStarted(ReplicaMembership started) {
    membership = started;
  }

  void openFlowStarted(ChannelCounters counters) {
    channels = counters;
  }

  @Override
  public @Nullable OrderingReplica replica() {
    StoreAccess access = store;
    return access == null ? null : access.replica();
  }

  @Override
  public @Nullable StoreStateMachine machine() {
    StoreAccess access = store;
    return access == null ? null : access.machine();
  }

  @Override
  public @Nullable LinkKeys keys() {
    StoreAccess access = store;
    return access == null ? null : access.keys();
  }

  @Override
  public @Nullable BatchingStoreClient client() {
    return client;
  }

  @Override
  public @Nullable ControllerNode node() {
    return node;
  }

  @Override
  public @Nullable ChannelCounters channels() {
    return channels;
  }

  @Override
  public Map<String, Long> adminRefusals() {
    AdminServer opened = admin;
    return opened == null ? Map.of() : opened.refusals();
  }

  /** What a replica without a node knows of the members; null where there is a node, or not yet. */
  @Nullable ReplicaMembership membership() {
    return membership;
  }

  @Override
  public boolean ready(@Nullable NodeStatus status, @Nullable ReplicaStatus replicaStatus) {
    return notReadyBecause(node, status, replicaStatus) == null;
  }

  /**
   * The state of this process at one moment.
   *
   * @param node null where it does not run yet, or does not answer
   * @param notReadyBecause null where it is ready
   */
  record Moment(
      @Nullable NodeStatus node,
      @Nullable ReplicaStatus replica,
      @Nullable String notReadyBecause,
      boolean quorum) {}

  /** Asks the node and the replica. */
  Moment moment() {
    OrderingReplica ordering = replica();
    ReplicaStatus replicaStatus = ordering == null ? null : ordering.status();
    ControllerNode running = node;
    NodeStatus status = running == null ? null : status(running);
    boolean quorum =
        (status == null ? replicaOnly && replicaStatus != null : status.quorum())
            && (replicaStatus == null || replicaStatus.quorum());
    return new Moment(
        status, replicaStatus, notReadyBecause(running, status, replicaStatus), quorum);
  }

  private static @Nullable NodeStatus status(ControllerNode running) {
    try {
      return running.status().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      return null; // told as the reason why the node is not ready
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  private @Nullable String notReadyBecause(
      @Nullable ControllerNode running,
      @Nullable NodeStatus status,
      @Nullable ReplicaStatus replicaStatus) {
    if (replicaStatus != null && replicaStatus.phase() != ReplicaStatus.Phase.OPERATIONAL) {
      return "the replica is " + replicaStatus.phase().name().toLowerCase(Locale.ROOT);
    }
    if (replicaStatus != null && !replicaStatus.quorum()) {
      return "no quorum";
    }
    if (running == null) {
      return replicaOnly ? membersDiffer(membership) : "the node is starting";
    }
    if (status == null) {
      return "the control loop does not answer";
    }
    if (!status.quorum()) {
      return status.reason().isEmpty() ? "no quorum" : status.reason();
    }
    if (!running.current().isDone()) {
      return "the views of the store are not filled yet";
    }
    String unreadable = status.domainVersions().unreadable();
    String because = unreadable.isEmpty() ? status.membersDiffer() : unreadable;
    return because.isEmpty() ? null : because;
  }

  private static @Nullable String membersDiffer(@Nullable ReplicaMembership joined) {
    String because = joined == null ? "" : joined.notReady();
    return because.isEmpty() ? null : because;
  }
}
