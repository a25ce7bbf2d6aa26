package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.log.Chain;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.DecisionLog;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decisions known to this replica. It appends every decision to the log when it is made, with
 * its regency, and before it is applied. So the state is never ahead of the log.
 *
 * <p>Owned by the replica's loop, except {@link #last}.
 */
final class Ledger {
  private final DecisionLog log;
  private final Chain chain = new Chain();

  Ledger(DecisionLog log) {
    this.log = log;
  }

  /** The last decision. Any thread. */
  Decision last() {
    return log.last();
  }

  /** The chain hash after an instance, for comparison with other replicas; null if unknown. */
  byte @Nullable [] chainAfter(long instance) throws IOException {
    return log.chainAfter(instance);
  }

  /** The regency in which an instance was decided as far as this replica knows, or null. */
  @Nullable Integer regencyOf(long instance) throws IOException {
    if (instance == log.last().instance()) {
      return log.last().regency();
    }
    List<Decision> found = instance < 0 ? null : log.after(instance - 1, 1);
    return found == null || found.isEmpty() ? null : found.get(0).regency();
  }

  /** Appends a decision that this replica has just made. */
  Decision fell(long instance, int regency, byte[] value) throws IOException {
    Decision decision = chain.next(log.last(), regency, value);
    if (decision.instance() != instance) {
      throw new IllegalStateException(
          "instance " + instance + " decided after " + log.last().instance());
    }
    log.append(decision);
    return decision;
  }

  /** Whether a peer's decision continues this history. */
  boolean continues(Decision decision) {
    return chain.follows(log.last(), decision);
  }

  /** Appends a peer's decision. */
  void learn(Decision decision) throws IOException {
    log.append(decision);
  }
}
