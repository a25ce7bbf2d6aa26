package io.lockstep.store.engine.bftsmart;

import bftsmart.consensus.Consensus;
import bftsmart.consensus.Decision;
import bftsmart.consensus.Epoch;
import bftsmart.tom.core.ExecutionManager;
import bftsmart.tom.core.TOMLayer;
import io.lockstep.store.engine.Rules;
import io.lockstep.store.log.DecisionLog;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Proposes pending requests while this replica leads and no instance runs. Replaces the library's
 * proposing thread, which sleeps because {@link PendingRequests#havePendingRequests} is false.
 *
 * <p>While the log lags, the next proposal waits, at most until the next tick after the log has
 * caught up. Otherwise the loop would wait for the log, and the leader would fall silent. Large
 * batches wait earlier ({@link LargeBatches}), and small ones for the end of a short sync ({@link
 * SharedSyncs}).
 *
 * <p>Owned by the replica's loop.
 */
final class Proposals {

  /** Names the rules to put in force before anything else is proposed. */
  interface RulesDue {
    /** Null if there are none. */
    @Nullable Rules get();
  }

  private final TOMLayer tom;
  private final ExecutionManager executions;
  private final PendingRequests pending;
  private final RecoveryGate gate;
  private final Executor loop;
  private final DecisionLog log;
  private final LibraryNumbers numbers;
  private final RulesDue rulesDue;
  private final LongSupplier clockMillis;
  private final BooleanSupplier repliesWait;
  private final LargeBatches largeBatches = new LargeBatches();
  private final SharedSyncs sharedSyncs = new SharedSyncs();
  private final int self;
  private final boolean alone;
  private boolean due;

  /** Whether the log will wake the loop when it has caught up. */
  private boolean wakes;

  /**
   * @param clockMillis monotonic
   * @param repliesWait whether replies wait for the log
   */
  Proposals(
      TOMLayer tom,
      PendingRequests pending,
      RecoveryGate gate,
      Executor loop,
      DecisionLog log,
      LibraryNumbers numbers,
      RulesDue rulesDue,
      LongSupplier clockMillis,
      BooleanSupplier repliesWait) {
    this.tom = tom;
    this.executions = tom.execManager;
    this.pending = pending;
    this.gate = gate;
    this.loop = loop;
    this.log = log;
    this.numbers = numbers;
    this.rulesDue = rulesDue;
    this.clockMillis = clockMillis;
    this.repliesWait = repliesWait;
    this.self = tom.controller.getStaticConf().getProcessId();
    this.alone = tom.controller.getCurrentViewN() == 1;
  }

  /** Proposes once the loop has read the other messages that have arrived. */
  void soon() {
    if (!due && mayPropose()) {
      due = true;
      loop.execute(
          () -> {
            due = false;
            now();
          });
    }
  }

  /** Proposes, if it is this replica's turn. */
  void now() {
    while (mayPropose()) {
      Rules rules = rulesDue.get();
      long last = log.last().instance();
      long durable = log.durable().instance();
      boolean mayBeLarge = largeBatches.admits(last, durable, clockMillis.getAsLong());
      int mostBytes = mayBeLarge ? Integer.MAX_VALUE : LargeBatches.LARGE_BYTES;
      if (rules == null && !pending.hasUnproposed(mostBytes)) {
        if (largeBatches.waitsForDisk() && pending.hasUnproposed(Integer.MAX_VALUE)) {
          wakeWhenDurable();
        }
        return;
      }
      if (rules == null && sharesSync(last, durable)) {
        wakeWhenDurable();
        return;
      }
      int instance = tom.getLastExec() + 1;
      tom.setInExec(instance);
      Consensus consensus = executions.getConsensus(instance);
      byte[] value =
          rules == null
              ? batch(consensus, mostBytes)
              : RulesRequest.propose(tom, consensus.getDecision(), rules);
      if (mayBeLarge) {
        long named = numbers.era().instance(instance);
        largeBatches.proposed(named, value.length, clockMillis.getAsLong());
      } else {
        largeBatches.proposedSmall();
      }
      if (alone) {
        decide(consensus, value);
      } else {
        executions.getProposer().startConsensus(instance, value);
      }
    }
  }

  private boolean sharesSync(long last, long durable) {
    return sharedSyncs.waits(
        last, durable, repliesWait.getAsBoolean(), pending.size(), clockMillis.getAsLong());
  }

  /** Wakes the loop for requests that wait only for the disk, before the next tick. */
  private void wakeWhenDurable() {
    if (wakes) {
      return;
    }
    wakes = true;
    log.whenDurable(
        () -> {
          try {
            loop.execute(
                () -> {
                  wakes = false;
                  now();
                });
          } catch (RejectedExecutionException e) {
            // The replica has ended, so it proposes nothing more.
          }
        });
  }

  private byte[] batch(Consensus consensus, int mostBytes) {
    pending.boundBatches(mostBytes);
    try {
      return tom.createPropose(consensus.getDecision());
    } finally {
      // No bound for a new leader's first batch, which the library itself proposes.
      pending.boundBatches(Integer.MAX_VALUE);
    }
  }

  private boolean mayPropose() {
    return executions.getCurrentLeader() == self
        && tom.getInExec() == -1
        && !executions.stopped()
        && !gate.isRetrievingState()
        && numbers.era().names(tom.getLastExec() + 1)
        && log.keepsUp();
  }

  /** Decides at once, because a single replica needs no acceptances. */
  private void decide(Consensus consensus, byte[] value) {
    Epoch epoch = consensus.getEpoch(0, tom.controller);
    epoch.propValue = value;
    epoch.propValueHash = tom.computeHash(value);
    consensus.addWritten(value);
    epoch.deserializedPropValue = tom.checkProposedValue(value, true);
    Decision decision = consensus.getDecision();
    decision.firstMessageProposed = epoch.deserializedPropValue[0];
    decision.setDecisionEpoch(epoch);
    tom.getDeliveryThread().delivery(decision);
  }
}
