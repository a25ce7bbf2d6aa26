package io.lockstep.store.engine.bftsmart;

import bftsmart.tom.core.messages.TOMMessage;
import io.lockstep.store.engine.LeaderClock;
import io.lockstep.store.engine.OrderedService;
import io.lockstep.store.engine.ReplicaStatus;
import io.lockstep.store.engine.UnknownRulesException;
import io.lockstep.store.log.Chain;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.DecisionLog;
import io.lockstep.store.log.MemoryLog;
import io.lockstep.store.log.StoredSnapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data of a replica: its log, the state after the decisions in it, and the snapshots of that
 * state. It appends each decision to the log before it applies the decision, so the state is never
 * ahead of the log. If either fails, the replica halts, because it must not skip a decision.
 *
 * <p>Decisions arrive on the replica's loop. The parts name their threads.
 */
final class ReplicaMemory {
  private static final Logger log = LoggerFactory.getLogger(ReplicaMemory.class);

  private final ReplicaHost host;
  private final DecisionLog decisions;
  private final LeaderClock clock;
  private final OrderedState state;
  private final SnapshotMaker snapshots;
  private final Chain chain = new Chain();
  private final AtomicLong records = new AtomicLong();

  ReplicaMemory(
      ReplicaHost host,
      OrderedService service,
      DecisionLog decisions,
      LeaderClock clock,
      OrderedState.Replies replies,
      BackgroundJobs snapshotJobs) {
    this.host = host;
    this.decisions = decisions;
    this.clock = clock;
    this.state = new OrderedState(service, decisions, clock, replies);
    // In memory a snapshot adds no durability, and takes as much room as the state.
    long everyBytes = durable() ? host.config().limits().snapshotLogBytes() : Long.MAX_VALUE;
    this.snapshots = new SnapshotMaker(state, decisions, everyBytes, snapshotJobs);
  }

  DecisionLog log() {
    return decisions;
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
    return !(decisions instanceof MemoryLog);
  }

  /** A summary for the replica's status. Any thread. */
  ReplicaStatus.Memory status() {
    return new ReplicaStatus.Memory(
        durable(), snapshots.lastInstance(), snapshots.loggedBytes(), decisions.setAside());
  }

  /** See {@link io.lockstep.store.engine.OrderingReplica#counts}. Any thread. */
  Map<String, Long> counts() {
    return Map.of(
        "instances", state.instances(),
        "requests", state.requests(),
        "records", records.get(),
        "syncs", decisions.syncs());
  }

  /** Logs and applies the decision that the library has just made. */
  void decided(LibraryStack stack, TOMMessage[] requests) {
    if (host.stopped()) {
      return;
    }
    Decision decision;
    try {
      decision = append(stack.decided(), stack.decisionRegency(), stack.decidedValue());
    } catch (IOException | RuntimeException e) {
      log.error("replica {} cannot log instance {}", id(), stack.decided(), e);
      host.halt("instance " + stack.decided() + " could not be logged: " + e);
      return;
    }
    apply(decision, requests, true);
    stack.applied();
    if (host.config().members().size() == 1 && stack.exhausted()) {
      stack.goOnAlone(decision);
    }
  }

  private Decision append(long instance, int regency, byte[] value) throws IOException {
    Decision decision = chain.next(decisions.last(), regency, value);
    if (decision.instance() != instance) {
      throw new IllegalStateException(
          "instance " + instance + " decided after " + decisions.last().instance());
    }
    decisions.append(decision);
    records.incrementAndGet();
    snapshots.logged(value.length);
    return decision;
  }

  /**
   * Applies a peer's decision that is in the log.
   *
   * @param reply whether this replica sends replies to the requests in it
   */
  void learned(Decision decision, boolean reply) {
    records.incrementAndGet();
    apply(decision, null, reply);
    snapshots.logged(decision.value().length);
  }

  private void apply(Decision decision, TOMMessage @Nullable [] requests, boolean reply) {
    if (host.stopped()) {
      return;
    }
    try {
      state.apply(decision, requests, reply);
    } catch (UnknownRulesException newer) {
      // Another start of the same release would end alike.
      host.refuse("instance " + decision.instance() + ": " + newer.getMessage());
    } catch (RuntimeException | Error e) {
      log.error("replica {} cannot apply instance {}", id(), decision.instance(), e);
      host.halt("instance " + decision.instance() + " could not be applied: " + e);
    }
  }

  /**
   * Promises a regency in the log, if it is higher than the last promise. Halts the replica where
   * that fails.
   */
  void promise(int regency) {
    if (regency <= decisions.regency()) {
      return;
    }
    try {
      decisions.promise(regency);
    } catch (IOException e) {
      host.halt("cannot promise regency " + regency + ": " + e);
      throw new UncheckedIOException(e);
    }
  }

  /** Rebuilds the state from the log. */
  void rebuild() throws IOException {
    long after = state.rebuild();
    try (StoredSnapshot snapshot = decisions.latestSnapshot()) {
      snapshots.found(snapshot, after);
    }
  }

  /**
   * Rebuilds the state from a log that was replaced. The replica ends where that state is of a
   * version of the cluster that this release does not know: another start would end alike.
   */
  void replaced() throws IOException {
    try {
      rebuild();
    } catch (UnknownRulesException newer) {
      host.refuse(String.valueOf(newer.getMessage()));
    }
  }

  private int id() {
    return host.config().replicaId();
  }
}
