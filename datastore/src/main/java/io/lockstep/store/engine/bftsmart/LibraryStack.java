package io.lockstep.store.engine.bftsmart;

import bftsmart.communication.ServerCommunicationSystem;
import bftsmart.consensus.Consensus;
import bftsmart.consensus.Epoch;
import bftsmart.consensus.TimestampValuePair;
import bftsmart.consensus.messages.ConsensusMessage;
import bftsmart.consensus.messages.MessageFactory;
import bftsmart.reconfiguration.ServerViewController;
import bftsmart.tom.core.DeliveryThread;
import bftsmart.tom.core.ExecutionManager;
import bftsmart.tom.core.Synchronizer;
import bftsmart.tom.core.TOMLayer;
import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.util.BatchReader;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One replica's stack of library objects, with ours in their places, and the operations on it that
 * recovery needs, each in the order of steps that the library survives.
 *
 * <p>Owned by the library's communication thread except where a method says otherwise.
 */
final class LibraryStack {
  private final TOMLayer tom;
  private final ExecutionManager executions;
  private final ServerViewController view;
  private final PendingRequests pending;
  private final RecoveryGate gate;
  private final LeaderChangeRules rules;
  private final Map<Integer, Consensus> consensuses;
  private final ReentrantLock consensusesLock;
  private final Field acceptedField;
  private @Nullable TimestampValuePair lastAccepted;
  private volatile int installed;

  /**
   * Puts our parts into a stack that has been built but not started. Called by the library through
   * the view controller's {@code setTomLayer}, the one moment when every part exists and no thread
   * runs yet.
   */
  LibraryStack(TOMLayer tom, PendingRequests pending, RecoveryGate gate, MessageGate handler) {
    this.tom = tom;
    this.executions = tom.execManager;
    this.view = tom.controller;
    this.pending = pending;
    this.gate = gate;
    tom.clientsManager = pending;
    this.rules = new LeaderChangeRules(tom, view, tom.md, this::regencyInstalled);
    set(Synchronizer.class, "lcManager", tom.getSynchronizer(), rules);
    handler.setAcceptor(tom.acceptor);
    set(ServerCommunicationSystem.class, "messageHandler", tom.getCommunication(), handler);
    this.consensuses = consensusesOf(executions);
    this.consensusesLock =
        (ReentrantLock) get(ExecutionManager.class, "consensusesLock", executions);
    this.acceptedField = field(Consensus.class, "quorumWrites");
    // Without a leader this replica cannot propose while it recovers.
    executions.setNewLeader(-1);
  }

  // ---------------------------------------------------------------- what it knows

  /**
   * Number of the leader's term; while {@link #suspended}, of the one that is about to begin. Any
   * thread; may be slightly old.
   */
  int regency() {
    return rules.getLastReg();
  }

  /** The last term that has begun here. Any thread; may be slightly old. */
  int installed() {
    return installed;
  }

  /** The leader, -1 where unknown. Any thread; may be slightly old. */
  int leader() {
    return executions.getCurrentLeader();
  }

  /** The last decided instance; those up to it are applied or queued for it. */
  long decided() {
    return tom.getLastExec();
  }

  /** Whether normal operation is suspended by a leader change. */
  boolean suspended() {
    return executions.stopped();
  }

  /** The term that this replica has asked for, or the current one. */
  int asked() {
    return rules.getNextReg();
  }

  /** Whether the proposal for an instance has arrived and waits for its turn. */
  boolean holdsProposal(long instance) {
    return executions.receivedOutOfContextPropose((int) instance);
  }

  /** Whether all of the library's threads run. Any thread. */
  boolean threadsRun() {
    return tom.isAlive() && tom.getCommunication().isAlive() && tom.getDeliveryThread().isAlive();
  }

  // ---------------------------------------------------------------- leader changes

  /** Asks for a regency, higher than the current one and any that was asked for. */
  void askFor(int regency) {
    skipTo(regency - 1);
    tom.getSynchronizer().triggerTimeout(new ArrayList<>());
  }

  /**
   * Leaves out the regencies up to this one, so that the library takes part in the change to the
   * next; it only ever goes from one regency to the one after it. Until that change comes off, the
   * old leader is followed as before.
   */
  void skipTo(int regency) {
    if (regency <= rules.getLastReg() && rules.getNextReg() <= rules.getLastReg()) {
      return;
    }
    rules.setLastReg(regency);
    rules.setNextReg(regency);
    rules.removeStops(regency);
    rules.clearCurrentRequestTimedOut();
    tom.getSynchronizer().removeSTOPretransmissions(regency);
  }

  /** Takes over a regency that the others have installed without this replica. */
  void adopt(int regency) {
    rules.setLastReg(regency);
    rules.setNextReg(regency);
    installed = regency;
    int leader = rules.getNewLeader();
    rules.removeStops(regency);
    rules.clearCurrentRequestTimedOut();
    rules.clearRequestsFromSTOP();
    executions.setNewLeader(leader);
    tom.getSynchronizer().removeSTOPretransmissions(regency);
    pending.forgetProposals();
    resume();
    tom.processOutOfContext();
    if (leader == view.getStaticConf().getProcessId()) {
      tom.imAmTheLeader();
    }
  }

  /** A replica that restarted as the leader knows nothing of its own proposals: it hands over. */
  void handOver(int regency) {
    rules.setLastReg(regency);
    rules.setNextReg(regency);
    installed = regency;
    rules.getNewLeader();
    askFor(regency + 1);
  }

  /**
   * Sends again what this replica has last said in the running instance: the proposal if it leads,
   * and its acceptance. The library sends each once, so that an instance whose messages were lost
   * with a link or with a quorum would wait for ever.
   */
  void sayAgain() {
    int instance = tom.getInExec();
    TimestampValuePair accepted = lastAccepted;
    if (instance < 0 || executions.stopped() || accepted == null) {
      return;
    }
    Consensus consensus = executions.getConsensus(instance);
    Epoch epoch = consensus.getLastEpoch();
    boolean current = sameAcceptance(consensus) && accepted.getTimestamp() == installed;
    if (epoch == null || epoch.propValue == null || !current || consensus.isDecided()) {
      return;
    }
    int[] others = view.getCurrentViewOtherAcceptors();
    MessageFactory messages = tom.acceptor.getFactory();
    if (leader() == view.getStaticConf().getProcessId() && epoch.getTimestamp() == 0) {
      tom.getCommunication().send(others, messages.createPropose(instance, 0, epoch.propValue));
    }
    tom.getCommunication()
        .send(others, messages.createAccept(instance, epoch.getTimestamp(), accepted.getValue()));
  }

  @SuppressWarnings("ReferenceEquality") // the same object means the same acceptance
  private boolean sameAcceptance(Consensus consensus) {
    return consensus.getQuorumWrites() == lastAccepted;
  }

  private void regencyInstalled() {
    installed = rules.getLastReg();
    pending.forgetProposals();
    dropConsensusesAbove(decided() + 1);
  }

  /**
   * Stamps the value that this replica has just accepted with the current regency, after each
   * consensus message. The library stamps every acceptance outside a leader change with 0, so that
   * a new leader could not tell which of two is newer.
   */
  void stampAcceptance() {
    int instance = tom.getInExec();
    if (instance < 0) {
      return;
    }
    Consensus consensus = executions.getConsensus(instance);
    TimestampValuePair accepted = consensus.getQuorumWrites();
    if (accepted == null || sameAcceptance(consensus)) {
      return;
    }
    lastAccepted = accepted;
    if (accepted.getTimestamp() < installed) {
      lastAccepted = new TimestampValuePair(installed, accepted.getValue());
      try {
        acceptedField.set(consensus, lastAccepted);
      } catch (IllegalAccessException e) {
        throw new IllegalStateException("cannot stamp an acceptance", e);
      }
    }
  }

  /** Passes requests that wait for too long on to the leader. */
  void forward(List<TOMMessage> requests) {
    requests.forEach(tom::forwardRequestToLeader);
  }

  /** Takes a request that a peer forwarded to this replica as the leader. */
  void acceptForwarded(TOMMessage request) {
    pending.allowAgain(request);
    tom.requestReceived(request);
  }

  // ---------------------------------------------------------------- jumps

  /** From now on this replica takes part, having applied everything up to {@code last}. */
  void becomeOperational(OrderedState.Decision last) {
    int instance = (int) last.instance();
    tom.setLastExec(instance);
    installDecision(last);
    tom.setNoExec();
    dropConsensusesAbove(instance);
    executions.removeOutOfContexts(instance);
    // The delivery thread waits under this lock; the flag must change while it is held.
    DeliveryThread delivery = tom.getDeliveryThread();
    delivery.deliverLock();
    gate.open();
    delivery.canDeliver();
    delivery.deliverUnlock();
  }

  /** While recovering: the state has moved to {@code last}. */
  void recoveredTo(OrderedState.Decision last) {
    tom.setLastExec((int) last.instance());
    installDecision(last);
  }

  /** While operational, with nothing queued for delivery: the state has jumped to {@code last}. */
  void jumpedTo(OrderedState.Decision last) {
    int instance = (int) last.instance();
    tom.setLastExec(instance);
    installDecision(last);
    tom.setInExec(-1);
    dropConsensusesAbove(instance);
    executions.removeOutOfContexts(instance);
    if (instance > 3) {
      executions.removeConsensus(instance - 3);
    }
    int wanted = gate.wanted();
    if (wanted != RecoveryGate.NONE && instance >= wanted) {
      gate.satisfied();
      if (instance == wanted) {
        tom.getSynchronizer().resumeLC();
      } else {
        resume();
      }
    } else if (executions.stopped()) {
      resume();
    }
    tom.processOutOfContext();
  }

  /** Tells the table of pending requests what a decision learned from a peer contained. */
  void markOrdered(OrderedState.Decision decision) {
    pending.requestsOrdered(new BatchReader(decision.value(), false).deserialiseRequests(view));
  }

  /** Forgets pending requests, which a snapshot may contain. */
  void forgetPending() {
    pending.clear();
  }

  /** Stops the library's threads and sockets. Any thread. */
  void shutdown() {
    tom.shutdown();
  }

  /** What was held back during a leader change must not overtake what is out of context. */
  private void resume() {
    if (!executions.stopped()) {
      return;
    }
    for (ConsensusMessage held : new ArrayList<>(executions.getStoppedMsgs())) {
      if (held.getNumber() > tom.getLastExec()) {
        executions.addOutOfContextMessage(held);
      }
    }
    executions.clearStopped();
    executions.restart();
  }

  /**
   * Makes the library's record of the last instance complete. Without it this replica's report in a
   * leader change says that it decided nothing, and an acknowledged instance may be decided again.
   */
  private void installDecision(OrderedState.Decision last) {
    if (last.instance() < 0 || last.value().length == 0) {
      return;
    }
    Consensus consensus = executions.getConsensus((int) last.instance());
    if (consensus.isDecided()) {
      return;
    }
    Epoch epoch = consensus.getEpoch(0, true, view);
    epoch.propValue = last.value();
    epoch.propValueHash = tom.computeHash(last.value());
    epoch.deserializedPropValue = new BatchReader(last.value(), false).deserialiseRequests(view);
    epoch.addToProof(
        tom.acceptor.getFactory().createAccept((int) last.instance(), 0, epoch.propValueHash));
    consensus.decided(epoch, false);
  }

  private void dropConsensusesAbove(long instance) {
    consensusesLock.lock();
    try {
      consensuses.keySet().removeIf(key -> key > instance);
    } finally {
      consensusesLock.unlock();
    }
  }

  // ---------------------------------------------------------------- private parts of the library

  @SuppressWarnings("unchecked")
  private static Map<Integer, Consensus> consensusesOf(ExecutionManager executions) {
    return (Map<Integer, Consensus>) get(ExecutionManager.class, "consensuses", executions);
  }

  private static Field field(Class<?> type, String name) {
    try {
      Field field = type.getDeclaredField(name);
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException("the ordering library has no " + type + "." + name, e);
    }
  }

  private static Object get(Class<?> type, String name, Object from) {
    try {
      return field(type, name).get(from);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("cannot read " + type + "." + name, e);
    }
  }

  private static void set(Class<?> type, String name, Object on, Object value) {
    try {
      field(type, name).set(on, value);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("cannot replace " + type + "." + name, e);
    }
  }
}
