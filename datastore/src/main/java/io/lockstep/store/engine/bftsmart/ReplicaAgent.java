package io.lockstep.store.engine.bftsmart;

import bftsmart.communication.SystemMessage;
import bftsmart.tom.core.TOMLayer;
import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.leaderchange.LCMessage;
import io.lockstep.store.engine.ReplicaStatus.Phase;
import io.lockstep.store.engine.bftsmart.PeerNote.Beat;
import io.lockstep.store.log.Decision;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a replica does on its loop: brings each note to the part that it concerns, comes back by the
 * rules, watches, and logs and applies decisions where they fall.
 *
 * <p>Owned by the loop, except {@link #stack} and {@link #watchLoop}.
 */
final class ReplicaAgent implements Transfer.Host, Watchkeeper.Host {
  private static final Logger log = LoggerFactory.getLogger(ReplicaAgent.class);

  private final ReplicaCore core;
  private final ReplicaConfig config;
  private final ReplicaMemory memory;
  private final PeerTable peers;
  private final FailureDetector detector;
  private final RecoveryGate gate;
  private final TransferServer server;
  private final Aside restoring;
  private final Transfer transfer;
  private final LibraryStack stack;
  private final MessageGate messages;
  private final LeaderChanges changes;
  private final Rejoin rejoin;
  private final Watchkeeper watch;
  private final ProposalWindow window = new ProposalWindow();

  /** Puts our parts into the library's stack, see {@link LibraryStack}. */
  ReplicaAgent(
      ReplicaCore core,
      TOMLayer tom,
      ReplicaMemory memory,
      PeerTable peers,
      PendingRequests pending,
      RecoveryGate gate,
      TransferServer server,
      Aside restoring,
      Executor loop) {
    this.core = core;
    this.config = core.config();
    this.memory = memory;
    this.peers = peers;
    this.gate = gate;
    this.server = server;
    this.restoring = restoring;
    int self = config.replicaId();
    int members = config.members().size();
    Ledger ledger = memory.ledger();
    this.detector =
        new FailureDetector(
            members,
            config.timing().beatMillis(),
            config.timing().leaderTimeoutMillis(),
            nowMillis());
    Standings standings = new Standings(ledger);
    this.messages = new MessageGate(this, standings);
    this.transfer = new Transfer(memory.log(), ledger, this);
    this.stack =
        new LibraryStack(
            tom,
            config.instancesPerEra(),
            pending,
            gate,
            messages,
            standings,
            loop,
            this::regencyBegun);
    this.changes = new LeaderChanges(self, members, stack, standings, this);
    this.rejoin = new Rejoin(self, members, peers, memory.log(), ledger, stack, transfer);
    this.watch =
        new Watchkeeper(
            config, peers, memory.state(), ledger, stack, pending, gate, transfer, detector, this);
  }

  LibraryStack stack() {
    return stack;
  }

  LeaderChanges changes() {
    return changes;
  }

  @Override
  public boolean recovering() {
    return gate.isRetrievingState();
  }

  /** A message from a peer or from this replica itself. */
  void received(SystemMessage message) {
    messages.processData(message);
    rollOver();
    stack.propose();
  }

  /** Any thread. */
  void watchLoop() {
    core.watchLoop();
  }

  /**
   * Whether a consensus message may reach the library: it is of this era, and not so far ahead that
   * it would have to be kept for long.
   */
  boolean mayNeed(long instance) {
    return stack.numbers().covers(instance)
        && window.admits(instance, memory.ledger().last().instance());
  }

  /** A note from a peer or from this replica itself. */
  void note(int sender, PeerNote note) throws IOException {
    if (core.stopped() || server.handle(sender, note)) {
      return;
    }
    long now = nowMillis();
    if (note instanceof Beat beat) {
      peers.beat(sender, beat, now);
      detector.heard(sender);
      if (!recovering() && !stack.exhausted()) {
        watch.reached(sender, beat, now);
      }
      if (!recovering() && !stack.exhausted()) {
        if (beat.operational()) {
          watch.heard(sender, beat, now);
        }
        watchLeader(now);
      }
    } else if (note instanceof PeerNote.Tick) {
      tick(now);
    } else if (note instanceof PeerNote.Tail tail) {
      transfer.received(sender, tail);
    } else if (note instanceof PeerNote.SnapshotPiece piece) {
      transfer.received(sender, piece, now);
    } else if (note instanceof PeerNote.SnapshotOffer offer) {
      transfer.received(sender, offer, now);
    } else if (note instanceof PeerNote.OtherHistory other) {
      transfer.received(sender, other);
    } else if (note instanceof PeerNote.Common common) {
      transfer.received(sender, common, now);
    } else if (note instanceof PeerNote.Call call) {
      call.work().run();
    } else if (note instanceof PeerNote.Refused) {
      peers.forget(sender);
      detector.refused(sender);
      watchLeader(now);
    } else {
      peers.forget(sender);
      if (note instanceof PeerNote.LinkUp) {
        detector.linkUp(sender);
      }
    }
  }

  /** Where this replica gives the leader up, the others hear of it at once. */
  private void watchLeader(long now) {
    if (!recovering() && watch.watchLeader(now)) {
      sendBeat();
    }
  }

  private void tick(long now) throws IOException {
    core.ticked(now);
    detector.tick(now);
    rollOver();
    if (recovering()) {
      recover(now);
    } else if (!stack.exhausted()) {
      messages.processPending();
      watch.tick(now);
    }
    sendBeat();
  }

  /**
   * Where the library's numbers are used up and all that was decided is applied: leaves, and comes
   * back by the rules with new numbers. The others do so at the same instance.
   */
  void rollOver() {
    if (!recovering() && !core.stopped() && stack.exhausted() && drained()) {
      goOnInNextEra();
    }
  }

  private void goOnInNextEra() {
    log.info(
        "replica {} goes on in the next era after instance {}",
        config.replicaId(),
        memory.ledger().last().instance());
    core.keepClients();
    leave();
  }

  private void recover(long now) throws IOException {
    Rejoin coming = rejoin;
    if (!transfer.busy() && coming.tick(beat(), now)) {
      watch.begin(now);
      for (LCMessage change : changes.release()) {
        messages.leaderChange(change);
      }
    } else if (coming.fetching()) {
      core.phase(Phase.RECOVERING);
    }
  }

  /** A regency has begun in which this replica takes part. */
  private void regencyBegun() {
    core.phase(Phase.OPERATIONAL);
  }

  @Override
  public void stepBack(String why) {
    if (recovering() || core.stopped()) {
      return;
    }
    log.warn("replica {} steps back: {}", config.replicaId(), why);
    leave();
  }

  private void leave() {
    core.phase(Phase.RECOVERING);
    stack.stepBack();
    rejoin.begin();
    sendBeat();
    transfer.aside("catching up with the log", memory.state()::catchUp, () -> {});
  }

  @Override
  public void promise(int regency) {
    if (regency <= memory.log().regency()) {
      return;
    }
    try {
      memory.log().promise(regency);
    } catch (IOException e) {
      halt("cannot promise regency " + regency + ": " + e);
      throw new UncheckedIOException(e);
    }
  }

  private Beat beat() {
    Decision last = memory.ledger().last();
    boolean takesPart = !recovering();
    boolean begun = takesPart && stack.installed() != LibraryStack.NOT_BEGUN;
    return new Beat(
        stack.installed(),
        begun,
        takesPart ? watch.missed() : -1,
        begun && watch.leaderSeen(),
        memory.log().joined(),
        memory.log().regency(),
        takesPart && !begun ? memory.log().regency() : -1,
        last.instance(),
        last.regency(),
        last.chain());
  }

  private void sendBeat() {
    int[] others = new int[config.members().size() - 1];
    for (int i = 0; i < others.length; i++) {
      others[i] = i < config.replicaId() ? i : i + 1;
    }
    core.links().send(others, new PeerMessage(config.replicaId(), beat()));
  }

  @Override
  public void send(int peer, PeerNote note) {
    core.links().send(new int[] {peer}, new PeerMessage(config.replicaId(), note));
  }

  // ---------------------------------------------------------------- transfer

  @Override
  public boolean drained() {
    return memory.ledger().last().instance() == memory.state().applied();
  }

  @Override
  public void learned(int peer, List<Decision> learned) throws IOException {
    boolean takesPart = !recovering();
    int regency = stack.installed();
    for (Decision decision : learned) {
      apply(decision, null, takesPart && decision.regency() == regency);
      memory.logged(decision);
      stack.markOrdered(decision);
    }
    long now = nowMillis();
    if (takesPart && !stack.numbers().covers(memory.ledger().last().instance() + 1)) {
      goOnInNextEra();
    } else if (takesPart) {
      stack.jumpedTo(memory.ledger().last());
      changes.settle();
      watch.learned(peer, now);
      if (window.takeOutpaced()) {
        transfer.fetch(peer, now);
      }
    } else {
      stack.recoveredTo(memory.ledger().last());
      rejoin.verified(peer);
      recover(now);
    }
  }

  @Override
  public void differs(int peer, long instance, int regency) throws IOException {
    if (recovering()) {
      rejoin.differs(peer);
    } else {
      watch.differs(peer, instance, regency, nowMillis());
    }
  }

  @Override
  public void same() {
    rejoin.replaced();
  }

  @Override
  public void outrun() {
    stepBack("the others no longer have the decisions that it lacks");
  }

  @Override
  public void aside(String what, Aside.Job job, Runnable then) {
    boolean taken =
        restoring.run(
            what,
            () -> {
              job.run();
              core.toSelf(new PeerNote.Call(then));
            });
    if (!taken && !core.stopped()) {
      halt(what + ": too much waits to be restored");
    }
  }

  @Override
  public void replaced(String how) {
    transfer.aside(
        "restoring the state",
        memory::rebuild,
        () -> {
          log.info(
              "replica {} {}; restored instance {}",
              config.replicaId(),
              how,
              memory.state().applied());
          stack.forgetPending();
          stack.recoveredTo(memory.ledger().last());
          rejoin.replaced();
        });
  }

  // ---------------------------------------------------------------- decisions

  /** A decision has just fallen in the library: it goes into the log before anything else. */
  void decisionFell(TOMMessage[] requests) {
    if (core.stopped()) {
      return;
    }
    Decision decision;
    try {
      decision = memory.fell(stack.decided(), stack.decisionRegency(), stack.decidedValue());
    } catch (IOException | RuntimeException e) {
      log.error("replica {} cannot log instance {}", config.replicaId(), stack.decided(), e);
      halt("instance " + stack.decided() + " could not be logged: " + e);
      return;
    }
    apply(decision, requests, true);
    stack.applied();
    if (config.members().size() == 1 && stack.exhausted()) {
      stack.goOnAlone(decision);
    }
  }

  /** Applies a decision. Whatever goes wrong here must not be skipped. */
  void apply(Decision decision, TOMMessage @Nullable [] requests, boolean reply) {
    if (core.stopped()) {
      return;
    }
    try {
      memory.state().apply(decision, requests, reply);
    } catch (RuntimeException | Error e) {
      log.error("replica {} cannot apply instance {}", config.replicaId(), decision.instance(), e);
      halt("instance " + decision.instance() + " could not be applied: " + e);
    }
  }

  @Override
  public void halt(String why) {
    core.halt(why);
  }

  private static long nowMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }
}
