package io.lockstep.store.engine.bftsmart;

import bftsmart.communication.SystemMessage;
import bftsmart.tom.core.TOMLayer;
import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.leaderchange.LCMessage;
import io.lockstep.store.engine.ReplicaStatus.Phase;
import io.lockstep.store.engine.bftsmart.PeerNote.Beat;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.DecisionLog;
import io.lockstep.store.logging.BoundedLog;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * The work of a replica on its loop: passes each note to the part that handles it, rejoins by the
 * rules, and watches the cluster.
 *
 * <p>Owned by the loop, except {@link #stack} and {@link #watchLoop}.
 */
final class ReplicaAgent implements StateTransfer.Host, ClusterMonitor.Host {
  private static final BoundedLog log = BoundedLog.of(ReplicaAgent.class);

  private final ReplicaHost host;
  private final LongSupplier clockMillis;
  private final ReplicaConfig config;
  private final ReplicaMemory memory;
  private final PeerTable peers;
  private final FailureDetector detector;
  private final RecoveryGate gate;
  private final StateTransferServer server;
  private final BackgroundJobs restoreJobs;
  private final StateTransfer transfer;
  private final LibraryStack stack;
  private final MessageGate messages;
  private final BeatSender beats;
  private final StartRegister starts;
  private final LeaderChanges changes;
  private final Rejoin rejoin;
  private final ClusterMonitor monitor;
  private final ProposalWindow window = new ProposalWindow();
  private final RulesAgreement agreement;
  private final MachineChange machines;

  /**
   * Puts our parts into the library's stack, see {@link LibraryStack}.
   *
   * @param clockMillis monotonic
   */
  ReplicaAgent(
      ReplicaHost host,
      TOMLayer tom,
      ReplicaMemory memory,
      PeerTable peers,
      PendingRequests pending,
      RecoveryGate gate,
      StateTransferServer server,
      BackgroundJobs restoreJobs,
      Executor loop,
      LongSupplier clockMillis) {
    this.host = host;
    this.clockMillis = clockMillis;
    this.config = host.config();
    this.memory = memory;
    this.peers = peers;
    this.gate = gate;
    this.server = server;
    this.restoreJobs = restoreJobs;
    int self = config.replicaId();
    int members = config.members().size();
    DecisionLog decisions = memory.log();
    this.detector = FailureDetector.of(members, config.timing(), clockMillis.getAsLong());
    this.starts = new StartRegister(host, decisions);
    this.machines = new MachineChange(host, memory);
    this.agreement = new RulesAgreement(self, members, memory.state(), this::send);
    ReportedHistories histories = new ReportedHistories(decisions);
    this.messages = new MessageGate(this, histories, memory.clock(), clockMillis);
    this.transfer = new StateTransfer(decisions, this);
    this.stack =
        new LibraryStack(
            tom,
            config.instancesPerEra(),
            pending,
            gate,
            messages,
            histories,
            work -> loop.execute(() -> messages.guarded("a proposal", work::run)),
            memory.log(),
            agreement,
            clockMillis,
            memory.state()::repliesWait,
            this::regencyBegun);
    this.changes = new LeaderChanges(self, members, stack, histories, this);
    this.rejoin = new Rejoin(self, members, peers, decisions, stack, transfer, starts);
    this.monitor =
        new ClusterMonitor(
            config,
            peers,
            memory.state(),
            decisions,
            stack,
            pending,
            gate,
            transfer,
            detector,
            this);
    this.beats = new BeatSender(host, memory, stack, gate, monitor, starts);
  }

  LibraryStack stack() {
    return stack;
  }

  LeaderChanges changes() {
    return changes;
  }

  MachineChange machines() {
    return machines;
  }

  StepDown stepDown() {
    return monitor.stepDown();
  }

  /** See {@link LeaderChanges#leaving}; none while machines change. */
  List<SystemMessage> leaving(SystemMessage message) {
    return machines.pending() ? List.of() : changes.leaving(message);
  }

  @Override
  public boolean recovering() {
    return gate.isRetrievingState();
  }

  void received(SystemMessage message) {
    messages.processData(message);
  }

  /** Called after each message: continues the work that it has made possible. */
  void handled() {
    changes.settle();
    rollOver();
    if (stepDown().step(takesPart(), clockMillis.getAsLong())) {
      beats.send();
    }
    stack.propose();
  }

  long tickMillis() {
    return monitor.tickMillis(takesPart(), clockMillis.getAsLong());
  }

  private boolean takesPart() {
    return !recovering() && !stack.exhausted();
  }

  void watchLoop() {
    host.watchLoop();
  }

  /**
   * Whether a consensus message may reach the library: it belongs to this era, and is not too far
   * ahead to be kept.
   */
  boolean mayNeed(InstanceMessage message) {
    return !machines.pending()
        && stack.numbers().covers(message.instance())
        && window.admits(
            message.instance(), message.value().length, memory.log().last().instance());
  }

  /** Handles a note from a peer or from this replica itself. */
  void note(int sender, PeerNote note) throws IOException {
    long now = clockMillis.getAsLong();
    if (host.stopped()
        || machines.handle(sender, note)
        || server.handle(sender, note)
        || starts.handle(sender, note)
        || agreement.handle(sender, note)
        || transfer.handle(sender, note, now)) {
      return;
    }
    if (note instanceof Beat beat) {
      peers.beat(sender, beat, now);
      detector.heard(sender);
      if (takesPart()) {
        monitor.reached(sender, beat, now);
      }
      if (takesPart()) {
        if (beat.operational()) {
          monitor.heard(sender, beat, now);
        }
        watchLeader(now);
      }
    } else if (note instanceof PeerNote.Tick) {
      tick(now);
    } else if (note instanceof PeerNote.JobDone done) {
      done.then().run();
    } else {
      monitor.linkChanged(sender, note);
      if (note instanceof PeerNote.Refused) {
        watchLeader(now);
      }
    }
  }

  /** Sends a beat at once when this replica begins to suspect the leader. */
  private void watchLeader(long now) {
    if (!recovering() && monitor.watchLeader(now)) {
      beats.send();
    }
  }

  private void tick(long now) throws IOException {
    host.ticked(now);
    detector.tick(now);
    rollOver();
    if (recovering()) {
      recover(now);
    } else if (!stack.exhausted()) {
      messages.processPending();
      monitor.tick(now);
    }
    beats.send();
  }

  /** Leaves and rejoins, as the others do at the same instance: adr/0006, adr/0044. */
  void rollOver() {
    boolean due = machines.pending() || (stack.exhausted() && drained());
    if (due && !recovering() && !host.stopped()) {
      goOnInNextEra();
    }
  }

  private void goOnInNextEra() {
    log.info(
        config.replicaId(),
        "replica {} goes on {} after instance {}",
        config.replicaId(),
        machines.pending() ? "with other machines" : "in the next era",
        memory.log().last().instance());
    host.keepClients();
    leave();
  }

  private void recover(long now) throws IOException {
    // A job may be rebuilding the state from the beginning.
    if (!transfer.busy() && machines.waits(stack, changes)) {
      return;
    }
    if (!transfer.busy() && rejoin.tick(beats.own(), now)) {
      monitor.begin(now);
      for (LCMessage change : changes.release()) {
        messages.leaderChange(change);
      }
    } else if (rejoin.fetching()) {
      host.phase(Phase.RECOVERING);
    }
  }

  private void regencyBegun() {
    host.phase(Phase.OPERATIONAL);
    // Others that wait for it need not wait for the next beat.
    beats.send();
  }

  @Override
  public void stepBack(String why) {
    if (recovering() || host.stopped()) {
      return;
    }
    log.warn(config.replicaId(), "replica {} steps back: {}", config.replicaId(), why);
    leave();
  }

  private void leave() {
    host.phase(Phase.RECOVERING);
    stack.stepBack();
    rejoin.begin();
    beats.send();
    transfer.inBackground("catching up with the log", memory.state()::catchUp, machines::look);
  }

  @Override
  public void promise(int regency) {
    memory.promise(regency);
  }

  @Override
  public void send(int peer, PeerNote note) {
    host.send(new int[] {peer}, note);
  }

  @Override
  public boolean mayLearn() {
    return drained() && (recovering() || stack.mayLearn());
  }

  private boolean drained() {
    return memory.log().last().instance() == memory.state().applied();
  }

  @Override
  public void learned(int peer, List<Decision> learned) throws IOException {
    boolean takesPart = !recovering();
    // A replica that has reported to a new leader must not vouch for decisions that it did not
    // report.
    boolean vouches = takesPart && !stack.suspended();
    int regency = stack.installed();
    for (Decision decision : learned) {
      memory.learned(decision, vouches && decision.regency() == regency);
      stack.markOrdered(decision);
    }
    machines.look();
    long now = clockMillis.getAsLong();
    if (takesPart
        && (machines.pending() || !stack.numbers().covers(memory.log().last().instance() + 1))) {
      goOnInNextEra();
    } else if (takesPart) {
      if (!stack.jumpedTo(memory.log().last())) {
        stepBack("it has missed the beginning of regency " + stack.regency());
        return;
      }
      changes.settle();
      monitor.learned(peer, now);
      if (window.takeOutpaced()) {
        transfer.fetch(peer, now);
      }
    } else {
      stack.recoveredTo(memory.log().last());
      rejoin.verified(peer);
      recover(now);
    }
  }

  @Override
  public void differs(int peer, long instance, int regency) throws IOException {
    if (recovering()) {
      rejoin.differs(peer);
    } else {
      monitor.differs(peer, instance, regency, clockMillis.getAsLong());
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
  public void inBackground(String what, BackgroundJobs.Job job, Runnable then) {
    boolean taken =
        restoreJobs.run(
            what,
            () -> {
              job.run();
              host.toSelf(new PeerNote.JobDone(then));
            });
    if (!taken && !host.stopped()) {
      halt("too many jobs wait for the thread that restores the state: " + what);
    }
  }

  @Override
  public void replaced(String how) {
    transfer.inBackground(
        "restoring the state",
        memory::replaced,
        () -> {
          log.info(
              config.replicaId(),
              "replica {} {}; restored instance {}",
              config.replicaId(),
              how,
              memory.state().applied());
          machines.look();
          stack.forgetPending();
          stack.recoveredTo(memory.log().last());
          rejoin.replaced();
        });
  }

  void decided(TOMMessage[] requests) {
    memory.decided(stack, requests);
    machines.look();
  }

  @Override
  public void halt(String why) {
    host.halt(why);
  }
}
