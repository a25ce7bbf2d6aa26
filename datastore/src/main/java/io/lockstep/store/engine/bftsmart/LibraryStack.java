package io.lockstep.store.engine.bftsmart;

import bftsmart.communication.MessageHandler;
import bftsmart.communication.ServerCommunicationSystem;
import bftsmart.consensus.Consensus;
import bftsmart.consensus.Epoch;
import bftsmart.reconfiguration.ServerViewController;
import bftsmart.tom.core.ExecutionManager;
import bftsmart.tom.core.Synchronizer;
import bftsmart.tom.core.TOMLayer;
import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.leaderchange.LCMessage;
import bftsmart.tom.util.BatchReader;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.DecisionLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The library's objects of one replica, with some replaced by ours. It offers the operations that
 * recovery needs, each in an order of steps that the library tolerates.
 *
 * <p>Owned by the replica's loop except where a method says otherwise.
 */
final class LibraryStack {
  /** No regency has begun since this replica has taken part. */
  static final int NOT_BEGUN = -1;

  private final TOMLayer tom;
  private final ExecutionManager executions;
  private final ServerViewController view;
  private final PendingRequests pending;
  private final RecoveryGate gate;
  private final LeaderChangeRules rules;
  private final ConsensusRecords records;
  private final Acceptances acceptances;
  private final DeliveryGate delivery;
  private final Proposals proposals;
  private final Runnable begun;
  private final LibraryNumbers numbers;
  private final Set<LCMessage> early;
  private volatile int installed = NOT_BEGUN;

  /**
   * Puts our parts into a stack that has been built but not started. The library calls this through
   * the view controller's {@code setTomLayer}. Only at that moment does every part exist while no
   * thread runs.
   *
   * @param instancesPerEra how many instances the library numbers in a row
   * @param repliesWait whether replies wait for the log
   */
  LibraryStack(
      TOMLayer tom,
      long instancesPerEra,
      PendingRequests pending,
      RecoveryGate gate,
      MessageHandler handler,
      ReportedHistories histories,
      Executor loop,
      DecisionLog log,
      Proposals.RulesDue rulesDue,
      LongSupplier clockMillis,
      BooleanSupplier repliesWait,
      Runnable begun) {
    this.tom = tom;
    this.executions = tom.execManager;
    this.numbers = new LibraryNumbers(executions, instancesPerEra);
    this.view = tom.controller;
    this.pending = pending;
    this.gate = gate;
    this.begun = begun;
    this.delivery = new DeliveryGate(tom.getDeliveryThread());
    this.proposals =
        new Proposals(tom, pending, gate, loop, log, numbers, rulesDue, clockMillis, repliesWait);
    tom.clientsManager = pending;
    this.rules =
        new LeaderChangeRules(
            tom, view, tom.md, histories, this::reporting, this::regencyInstalled);
    LibraryFields.set(Synchronizer.class, "lcManager", tom.getSynchronizer(), rules);
    handler.setAcceptor(tom.acceptor);
    LibraryFields.set(
        ServerCommunicationSystem.class, "messageHandler", tom.getCommunication(), handler);
    this.early = LibraryFields.typed(Synchronizer.class, "outOfContextLC", tom.getSynchronizer());
    this.records = new ConsensusRecords(tom, view);
    this.acceptances = new Acceptances(tom, executions, view);
    // Without a leader this replica cannot propose while it recovers.
    executions.setNewLeader(-1);
  }

  /**
   * The number of the leader's term. While {@link #suspended}, that of the term that is about to
   * begin. Any thread; may be slightly old.
   */
  int regency() {
    return rules.getLastReg();
  }

  /** The last term that has begun here. Any thread; may be slightly old. */
  int installed() {
    return installed;
  }

  /** The leader, or -1. Any thread; may be slightly old. */
  int leader() {
    return executions.getCurrentLeader();
  }

  /** The last decided instance. */
  long decided() {
    return numbers.era().instance(tom.getLastExec());
  }

  /** Whether this era's numbers are used up: this replica has to continue in the next one. */
  boolean exhausted() {
    return decided() >= numbers.era().last();
  }

  /** How the library numbers instances now. Any thread. */
  LibraryNumbers numbers() {
    return numbers;
  }

  /** Whether normal operation is suspended by a leader change. */
  boolean suspended() {
    return records.suspended();
  }

  /** The term that this replica has asked for, or the current one. */
  int asked() {
    return rules.getNextReg();
  }

  /**
   * Whether this replica may learn a peer's decisions. It may not between its report to a new
   * leader and the beginning of that regency, except the decision that the regency begins with. The
   * report counts, and a replica that continues from it must not know more.
   */
  boolean mayLearn() {
    return !records.suspended() || gate.wanted() != RecoveryGate.NONE;
  }

  /** Whether the proposal for an instance has arrived and waits for its turn. */
  boolean holdsProposal(long instance) {
    return numbers.covers(instance)
        && executions.receivedOutOfContextPropose(numbers.era().number(instance));
  }

  /** Whether all of the library's threads run. Any thread. */
  boolean threadsRun() {
    return tom.isAlive() && tom.getCommunication().isAlive() && tom.getDeliveryThread().isAlive();
  }

  /** Asks for a regency above the current one and above any earlier request. */
  void askFor(int regency) {
    skipTo(regency - 1);
    tom.getSynchronizer().triggerTimeout(new ArrayList<>());
  }

  /**
   * Skips the regencies up to this one, so that the library takes part in the change to the next.
   * The library itself only changes from one regency to the next. Until that change completes, this
   * replica follows the old leader.
   */
  void skipTo(int regency) {
    if (regency <= rules.getLastReg() && rules.getNextReg() <= rules.getLastReg()) {
      return;
    }
    rules.setLastReg(regency);
    rules.setNextReg(regency);
    rules.removeStops(regency);
    rules.clearCurrentRequestTimedOut();
    gate.satisfied();
    tom.getSynchronizer().removeSTOPretransmissions(regency);
  }

  /** Takes part in a regency that others have begun, or in the first one. */
  void adopt(int regency) {
    rules.setLastReg(regency);
    rules.setNextReg(regency);
    installed = regency;
    rules.removeStops(regency);
    rules.clearCurrentRequestTimedOut();
    rules.clearRequestsFromSTOP();
    int leader = LeaderChangeRules.leaderOf(regency, view.getCurrentViewN());
    rules.setNewLeader(leader);
    executions.setNewLeader(leader);
    tom.getSynchronizer().removeSTOPretransmissions(regency);
    pending.forgetProposals();
    records.resume(tom.getLastExec());
    tom.processOutOfContext();
    begun.run();
  }

  /** Whether this replica takes part in a regency, and neither an instance nor a change runs. */
  boolean idle() {
    return installed != NOT_BEGUN && !suspended() && asked() == regency() && tom.getInExec() < 0;
  }

  /** Sends this replica's last messages in the running instance again. */
  void resend() {
    if (!records.suspended()) {
      acceptances.resend(installed);
    }
  }

  /**
   * Prepares a report to a new leader. An earlier change may have waited for a state, which no
   * longer matters.
   */
  private void reporting() {
    acceptances.reporting(installed);
    gate.satisfied();
  }

  private void regencyInstalled(int regency) {
    installed = regency;
    // The library keeps messages that came too early for a skipped regency forever.
    early.removeIf(message -> message.getReg() <= regency);
    pending.forgetProposals();
    records.dropAbove(tom.getLastExec() + 1);
    begun.run();
  }

  /**
   * After a regency has begun: whether it begins with another value than the one that this replica
   * had already decided in that instance.
   */
  boolean contradicted() {
    int instance = tom.getInExec();
    if (instance < 0 || instance > tom.getLastExec()) {
      return false;
    }
    Consensus consensus = executions.getConsensus(instance);
    Epoch decided = consensus.getDecisionEpoch();
    Epoch again = consensus.getLastEpoch();
    if (decided == null
        || again == null
        || Arrays.equals(decided.propValueHash, again.propValueHash)) {
      // Decided before; the library would wait for it forever.
      tom.setInExec(-1);
      records.dropAbove(tom.getLastExec());
      tom.processOutOfContext();
      return false;
    }
    return true;
  }

  /** After each consensus message: records in which regency a value was accepted. */
  void stampAcceptance() {
    acceptances.stamp(installed);
  }

  /** Forwards requests that have waited for too long to the leader. */
  void forward(List<TOMMessage> requests) {
    requests.forEach(tom::forwardRequestToLeader);
  }

  /** Takes a request that a peer forwarded to this replica as the leader. */
  void acceptForwarded(TOMMessage request) {
    if (pending.forwarded(request)) {
      proposals.soon();
    }
  }

  /** Takes a request of a client. */
  void accept(TOMMessage request) {
    if (pending.requestReceived(request, true)) {
      proposals.soon();
    }
  }

  /** Proposes waiting requests if it is this replica's turn. */
  void propose() {
    proposals.now();
  }

  /**
   * The regency of a decision that is made now. During a leader change it is the new one, because
   * the only decision then is the one that the new leader begins with.
   */
  int decisionRegency() {
    return records.suspended() ? rules.getLastReg() : installed;
  }

  /** Ends the delivery of the applied decision; the library keeps what a peer may still need. */
  void applied() {
    delivery.taken();
    forget(tom.getLastExec());
  }

  private void forget(int number) {
    if (number > 2) {
      executions.removeConsensus(number - 3);
    }
  }

  /** The value that has just been decided. */
  byte[] decidedValue() {
    return executions.getConsensus(tom.getLastExec()).getDecision().getValue();
  }

  /**
   * Makes this replica take part, with everything up to {@code last} applied, but in no regency
   * yet.
   */
  void takePart(Decision last) {
    int number = numbers.goOnAfter(last);
    installed = NOT_BEGUN;
    executions.setNewLeader(-1);
    tom.setLastExec(number);
    records.dropAbove(-1);
    records.install(last, number);
    tom.setNoExec();
    executions.removeOutOfContexts(number);
    gate.open();
  }

  /** Stops taking part. All decisions are applied. */
  void stepBack() {
    executions.setNewLeader(-1);
    gate.close();
    records.dropHeld();
    records.dropAbove(-1);
    executions.removeOutOfContexts(Integer.MAX_VALUE);
    tom.getSynchronizer().removeSTOPretransmissions(Integer.MAX_VALUE);
    installed = NOT_BEGUN;
  }

  /** While recovering: drops every message that peers have sent. */
  void forgetMessages() {
    executions.removeOutOfContexts(Integer.MAX_VALUE);
    early.clear();
    rules.removeStops(Integer.MAX_VALUE);
    rules.removeCollects(Integer.MAX_VALUE);
    rules.removeLastCIDs(Integer.MAX_VALUE);
  }

  /** While recovering: drops proposals up to this decision. */
  void recoveredTo(Decision last) {
    int number = numbers.goOnAfter(last);
    tom.setLastExec(number);
    executions.removeOutOfContexts(number);
  }

  /** In a cluster of one replica: continues in the next era after the last decision of this. */
  void goOnAlone(Decision last) {
    int number = numbers.goOnAfter(last);
    records.dropAbove(-1);
    tom.setLastExec(number);
  }

  /**
   * While operational: continues after {@code last}, which is not the last decision of this era.
   *
   * @return false if this replica has jumped over the beginning of a regency and cannot continue
   */
  boolean jumpedTo(Decision last) {
    int instance = numbers.era().number(last.instance());
    tom.setLastExec(instance);
    records.install(last, instance);
    tom.setInExec(-1);
    records.dropAbove(instance);
    executions.removeOutOfContexts(instance);
    forget(instance);
    int wanted = gate.wanted();
    if (wanted != RecoveryGate.NONE) {
      if (instance < wanted) {
        return true;
      }
      gate.satisfied();
      if (instance > wanted) {
        return false;
      }
      records.keepForLater(instance + 1);
      tom.getSynchronizer().resumeLC();
    }
    tom.processOutOfContext();
    return true;
  }

  /** Removes the requests in a peer's decision from the pending ones. */
  void markOrdered(Decision decision) {
    pending.ordered(new BatchReader(decision.value(), false).deserialiseRequests(view));
  }

  /** Drops pending requests, since a snapshot may contain them. */
  void forgetPending() {
    pending.clear();
  }

  /** Stops the library. Any thread. */
  void shutdown() {
    tom.shutdown();
  }
}
