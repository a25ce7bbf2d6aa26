package io.lockstep.deploy.node;

import io.lockstep.store.engine.OrderingReplica;
import io.lockstep.store.engine.ReplicaStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log when a peer's replica is lost or back, when this one's phase or the leader
 * changes: once for each change, however long it lasts.
 */
final class PeerWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PeerWatch.class);
  private static final long PERIOD_MILLIS = 1_000;

  private final Supplier<ReplicaStatus> status;
  private final int replicas;
  private final IntFunction<String> name;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread created = new Thread(task, "peer-watch");
            created.setDaemon(true);
            return created;
          });

  // Owned by the thread.
  private ReplicaStatus.Phase phase = ReplicaStatus.Phase.STARTING;
  private int leader = -1;
  private boolean[] reachable;
  private boolean quorum;
  private boolean told;
  private boolean failed;

  private @Nullable Future<?> schedule;

  PeerWatch(OrderingReplica replica, int replicas, IntFunction<String> name) {
    this(replica::status, replicas, name);
  }

  PeerWatch(Supplier<ReplicaStatus> status, int replicas, IntFunction<String> name) {
    this.status = status;
    this.replicas = replicas;
    this.name = name;
    this.reachable = new boolean[replicas];
  }

  void start() {
    // The first look comes late enough for peers that start at the same time.
    start(2_000, PERIOD_MILLIS);
  }

  void start(long firstMillis, long periodMillis) {
    schedule =
        thread.scheduleWithFixedDelay(
            this::lookAndLog, firstMillis, periodMillis, TimeUnit.MILLISECONDS);
  }

  /** Lets no exception out: it would silently end the schedule. */
  private void lookAndLog() {
    try {
      look().forEach(log::info);
      failed = false;
    } catch (RuntimeException e) {
      if (!failed) {
        log.error("cannot see which replicas are reachable; looks again and again", e);
      }
      failed = true;
    }
  }

  /** What changed since the last look, readable. */
  List<String> look() {
    ReplicaStatus now = status.get();
    List<String> changes = new ArrayList<>();
    boolean[] heard = new boolean[replicas];
    now.reachable().stream().filter(id -> id >= 0 && id < replicas).forEach(id -> heard[id] = true);
    for (int id = 0; id < replicas; id++) {
      if (id == now.replicaId() || (told && heard[id] == reachable[id])) {
        continue;
      }
      if (!heard[id]) {
        changes.add("replica " + name.apply(id) + " is unreachable");
      } else if (told) {
        changes.add("replica " + name.apply(id) + " is reachable again");
      }
    }
    if (now.phase() != phase) {
      changes.add("this replica is " + now.phase().name().toLowerCase(Locale.ROOT));
    }
    if (now.quorum() != quorum) {
      changes.add(now.quorum() ? "a majority of the replicas works" : "no majority: no quorum");
    }
    if (now.leaderId() != leader && now.leaderId() >= 0) {
      changes.add("replica " + name.apply(now.leaderId()) + " leads");
    }
    phase = now.phase();
    quorum = now.quorum();
    leader = now.leaderId();
    reachable = heard;
    told = true;
    return changes;
  }

  @Override
  public void close() {
    if (schedule != null) {
      schedule.cancel(true);
    }
    thread.shutdownNow();
  }
}
