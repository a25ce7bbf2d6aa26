package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.LeaderClock;
import io.lockstep.store.engine.OrderedService;
import io.lockstep.store.engine.ReplicaStatus;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.DecisionLog;
import io.lockstep.store.log.MemoryLog;
import io.lockstep.store.log.StoredSnapshot;
import java.io.IOException;

/**
 * The data of a replica: its log, its decisions, the state after them, and the snapshots of that
 * state. The parts name their threads.
 */
final class ReplicaMemory {
  private final DecisionLog log;
  private final Ledger ledger;
  private final LeaderClock clock;
  private final OrderedState state;
  private final SnapshotMaker snapshots;

  ReplicaMemory(
      ReplicaConfig config,
      OrderedService service,
      DecisionLog log,
      LeaderClock clock,
      OrderedState.Replies replies,
      BackgroundJobs snapshotting) {
    this.log = log;
    this.ledger = new Ledger(log);
    this.clock = clock;
    this.state = new OrderedState(service, log, clock, replies);
    // In memory a snapshot adds no durability, and takes as much room as the state.
    long everyBytes = durable() ? config.limits().snapshotLogBytes() : Long.MAX_VALUE;
    this.snapshots = new SnapshotMaker(state, log, everyBytes, snapshotting);
  }

  DecisionLog log() {
    return log;
  }

  Ledger ledger() {
    return ledger;
  }

  /** The clock for this replica's proposals. Any thread. */
  LeaderClock clock() {
    return clock;
  }

  OrderedState state() {
    return state;
  }

  SnapshotMaker snapshots() {
    return snapshots;
  }

  /** Whether the log outlives the process. */
  boolean durable() {
    return !(log instanceof MemoryLog);
  }

  /** A summary for the replica's status. Any thread. */
  ReplicaStatus.Memory status() {
    return new ReplicaStatus.Memory(
        durable(), snapshots.lastInstance(), snapshots.loggedBytes(), log.setAside());
  }

  /** Logs a decision that this replica has just made. */
  Decision fell(long instance, int regency, byte[] value) throws IOException {
    Decision decision = ledger.fell(instance, regency, value);
    logged(decision);
    return decision;
  }

  /** Counts a decision that is in the log. */
  void logged(Decision decision) {
    snapshots.logged(decision.value().length);
  }

  /** Rebuilds the state from the log. */
  void rebuild() throws IOException {
    long after = state.rebuild();
    try (StoredSnapshot snapshot = log.latestSnapshot()) {
      snapshots.found(snapshot, after);
    }
  }
}
