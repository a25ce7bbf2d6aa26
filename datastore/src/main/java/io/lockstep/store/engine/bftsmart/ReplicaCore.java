package io.lockstep.store.engine.bftsmart;

import bftsmart.communication.SystemMessage;
import bftsmart.tom.core.TOMLayer;
import io.lockstep.store.engine.ClusterVersions;
import io.lockstep.store.engine.LeaderClock;
import io.lockstep.store.engine.OrderedService;
import io.lockstep.store.engine.ReplicaMeasures;
import io.lockstep.store.engine.ReplicaStatus;
import io.lockstep.store.engine.StepDownOutcome;
import io.lockstep.store.engine.bftsmart.library.ReplicaTransport;
import io.lockstep.store.log.DecisionLog;
import io.netty.channel.EventLoop;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running replica from its start to its end.
 *
 * <p>Threads: one event loop does all work between a client's request and its reply: sockets,
 * proposals, consensus ({@link ReplicaAgent}), the state, and time. Handing work between threads
 * would cost more than the work. Other threads make snapshots, serve peers and restore the state,
 * one each. A log on disk has its own. The library's threads sleep, except one that checks whether
 * the loop still runs ({@link #watchLoop}).
 */
final class ReplicaCore implements ReplicaHost {
  private static final Logger log = LoggerFactory.getLogger(ReplicaCore.class);

  private final ReplicaConfig config;
  private final Consumer<String> onHalt;
  private final Consumer<String> onRefused;
  private final SecureRandom random = new SecureRandom();
  private final EventLoop loop =
      new NioEventLoopGroup(1, new DefaultThreadFactory("replica", true)).next();
  private final Inbox inbox;
  private final ClientPort clients;
  private final int requestVersion;
  private final ReplicaMemory memory;
  private final MachineView machines;
  private final PeerTable peers;
  private final PendingRequests pending;
  private final RecoveryGate gate = new RecoveryGate();
  private final BackgroundJobs restoreJobs = new BackgroundJobs("replica-restore", this::halt);
  private final BackgroundJobs serveJobs = new BackgroundJobs("replica-serve", this::halt);
  private final BackgroundJobs snapshotJobs = new BackgroundJobs("replica-snapshot", this::halt);
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicBoolean stepsDown = new AtomicBoolean();
  private final CompletableFuture<StepDownOutcome> steppedDown = new CompletableFuture<>();
  private volatile long tickedAtMillis;
  private volatile @Nullable ReplicaLinks links;
  private volatile @Nullable ReplicaAgent agent;

  /** Owned by the loop. */
  private boolean keepsClients;

  private volatile ReplicaStatus.Phase phase = ReplicaStatus.Phase.STARTING;

  private ReplicaCore(
      ReplicaConfig config,
      OrderedService service,
      LogOpener opener,
      Consumer<String> onHalt,
      Consumer<String> onRefused) {
    this.config = config;
    this.onHalt = onHalt;
    this.onRefused = onRefused;
    this.inbox =
        new Inbox(loop, config.limits().maxQueuedMessages(), config.limits().maxLinkBytes());
    this.clients = new ClientPort(config, loop, request -> agent().stack().accept(request));
    clients.give(service.hints());
    DecisionLog log;
    try {
      log = opener.open(this::halt);
    } catch (IOException e) {
      throw new IllegalStateException(
          "replica " + config.replicaId() + " cannot open its log: " + e.getMessage(), e);
    }
    this.requestVersion = service.requestVersion();
    LeaderClock clock = new LeaderClock(System::nanoTime, System::currentTimeMillis);
    this.memory = new ReplicaMemory(this, service, log, clock, clients, snapshotJobs);
    this.machines = new MachineView(config, log::joined);
    this.peers =
        new PeerTable(
            config.replicaId(), config.members().size(), config.timing().leaderTimeoutMillis());
    this.pending =
        new PendingRequests(
            null, config.replicaId(), config.limits(), requests -> agent().decided(requests));
  }

  /**
   * Restores the state, builds the stack, opens both ports and starts; returns when the replica
   * listens, before it is operational.
   *
   * @throws IllegalStateException naming the address if a port cannot be bound, or the file if the
   *     log cannot be read
   */
  static ReplicaCore start(
      ReplicaConfig config,
      OrderedService service,
      LogOpener opener,
      Consumer<String> onHalt,
      Consumer<String> onRefused) {
    ReplicaCore core = new ReplicaCore(config, service, opener, onHalt, onRefused);
    try {
      core.restore();
      core.clients.open();
      new EngineServiceReplica(new EngineViewController(config, core), core.gate);
    } catch (RuntimeException | Error e) {
      core.close();
      throw e;
    }
    // With a fixed delay the loop reads what has arrived before the next tick, even if it was late.
    LoggedFailures.every(core.loop, "a tick", core.agent()::tickMillis, core::tick);
    // Last, because both may end the replica. One that was replaced must not handle a message.
    core.machines
        .ownRefusal(core.machines.machines())
        .ifPresentOrElse(core::refuse, () -> core.inbox.open(core.agent()::received));
    return core;
  }

  private void restore() {
    if (memory.log().last().instance() < 0) {
      return;
    }
    long from = System.nanoTime();
    try {
      memory.rebuild();
    } catch (IOException e) {
      throw new IllegalStateException(
          "replica " + config.replicaId() + " cannot restore its state: " + e.getMessage(), e);
    }
    log.info(
        "replica {} restored instance {} in {} ms",
        config.replicaId(),
        memory.state().applied(),
        (System.nanoTime() - from) / 1_000_000);
    machines.install(memory.state().machines());
  }

  // ---------------------------------------------------------------- while the library builds

  ReplicaTransport openLinks() {
    ReplicaLinks opened =
        ReplicaLinks.open(
            config,
            machines,
            why -> onLoop(() -> refuse(why)),
            requestVersion,
            loop,
            inbox::deliver);
    links = opened;
    return new ReplicaTransport() {
      @Override
      public void send(int[] targets, SystemMessage message) {
        for (SystemMessage leaving : agent().leaving(message)) {
          opened.send(targets, leaving);
        }
      }

      @Override
      public void close() {
        opened.close();
      }
    };
  }

  ClientPort clientPort() {
    return clients;
  }

  LeaderClock clock() {
    return memory.clock();
  }

  void assemble(TOMLayer tom) {
    StateTransferServer server =
        new StateTransferServer(
            memory.log(),
            memory.snapshots()::ask,
            (peer, note) -> agent().send(peer, note),
            serveJobs);
    tickedAtMillis = nowMillis();
    agent =
        new ReplicaAgent(
            this,
            tom,
            memory,
            peers,
            pending,
            gate,
            server,
            restoreJobs,
            loop,
            ReplicaCore::nowMillis);
  }

  private void tick() {
    if (!stopped.get()) {
      toSelf(new PeerNote.Tick());
      if (!agent().stack().threadsRun()) {
        halt("a thread of the ordering library has ended");
      }
    }
  }

  @Override
  public void ticked(long nowMillis) {
    tickedAtMillis = nowMillis;
  }

  /** Halts a replica whose loop is stuck. Any other thread. */
  @Override
  public void watchLoop() {
    int most = config.timing().stuckMillis();
    if (!stopped.get() && nowMillis() - tickedAtMillis > most) {
      halt("the loop has been stuck for " + most + " ms");
    }
  }

  /** Any thread, as all below. */
  ReplicaStatus status() {
    long now = nowMillis();
    boolean operational = phase == ReplicaStatus.Phase.OPERATIONAL;
    ReplicaAgent assembled = agent;
    return new ReplicaStatus(
        config.replicaId(),
        phase,
        assembled == null || !operational ? -1 : assembled.stack().leader(),
        assembled == null ? 0 : Math.max(0, assembled.stack().installed()),
        memory.state().applied(),
        peers.reachable(now),
        peers.operational(operational, now),
        peers.quorum(operational, now),
        memory.status());
  }

  /** See {@link io.lockstep.store.engine.OrderingReplica#setWilling}. */
  void setWilling(boolean willing) {
    onLoop(() -> agent().stepDown().setWilling(willing));
  }

  /** See {@link io.lockstep.store.engine.OrderingReplica#stepDown}. */
  CompletableFuture<StepDownOutcome> stepDown() {
    if (stepsDown.compareAndSet(false, true)) {
      onLoop(() -> agent().stepDown().leave(steppedDown::complete));
    }
    return steppedDown.copy();
  }

  private void onLoop(Runnable work) {
    toSelf(new PeerNote.JobDone(work));
  }

  /** See {@link io.lockstep.store.engine.OrderingReplica#counts}. */
  Map<String, Long> counts() {
    return memory.counts();
  }

  /** See {@link io.lockstep.store.engine.OrderingReplica#versions}. */
  ClusterVersions versions() {
    return memory.state().versions();
  }

  /** See {@link io.lockstep.store.engine.OrderingReplica#measures}. */
  ReplicaMeasures measures() {
    ReplicaLinks open = links;
    return new ReplicaMeasures(
        memory.log().syncTimes(),
        memory.snapshots().times(),
        memory.snapshots().lastBytes(),
        Map.of(
            "client",
            clients.refusals().count(),
            "replica",
            open == null ? 0L : open.refusals().count()));
  }

  @Override
  public ReplicaConfig config() {
    return config;
  }

  @Override
  public MachineView machines() {
    return machines;
  }

  @Override
  public void machinesInstalled() {
    present(links).refresh();
  }

  @Override
  public void phase(ReplicaStatus.Phase now) {
    if (!stopped.get()) {
      phase = now;
      keepsClients &= now != ReplicaStatus.Phase.OPERATIONAL;
      clients.accept(keepsClients || now == ReplicaStatus.Phase.OPERATIONAL);
    }
  }

  /**
   * Lets requests wait here until the replica is operational, so that clients need not time out.
   */
  @Override
  public void keepClients() {
    keepsClients = true;
  }

  /** Whether the replica has stopped, or is about to. */
  @Override
  public boolean stopped() {
    return stopped.get();
  }

  @Override
  public void send(int[] targets, PeerNote note) {
    present(links).send(targets, new PeerMessage(config.replicaId(), note));
  }

  @Override
  public void toSelf(PeerNote note) {
    inbox.deliver(new PeerMessage(config.replicaId(), note));
  }

  /** Stops for good and reports the reason to the owner. */
  @Override
  public void halt(String reason) {
    stop("halts", reason, onHalt);
  }

  @Override
  public void refuse(String reason) {
    stop("refuses to start", reason, onRefused);
  }

  @Override
  public long nonce() {
    return random.nextLong();
  }

  private void stop(String how, String reason, Consumer<String> owner) {
    if (stopped.compareAndSet(false, true)) {
      log.error("replica {} {}: {}", config.replicaId(), how, reason);
      phase = ReplicaStatus.Phase.HALTED;
      clients.end();
      try {
        owner.accept(reason);
      } finally {
        // Last, because it waits for a loop that may be stuck in a decision.
        shutdown();
      }
    }
  }

  /** Stops and closes the log. All decisions are durable then. */
  void close() {
    if (stopped.compareAndSet(false, true)) {
      phase = ReplicaStatus.Phase.HALTED;
      clients.end();
      shutdown();
    }
    memory.log().close();
  }

  private void shutdown() {
    steppedDown.complete(StepDownOutcome.STOPPED);
    // Does not fail: it completes when the loop has ended.
    var unused = loop.shutdownGracefully(0, 500, TimeUnit.MILLISECONDS);
    ReplicaLinks open = links;
    if (open != null) {
      open.close();
    }
    ReplicaAgent assembled = agent;
    if (assembled != null) {
      assembled.stack().shutdown();
    }
    restoreJobs.close();
    serveJobs.close();
    snapshotJobs.close();
  }

  private ReplicaAgent agent() {
    return present(agent);
  }

  private static <T> T present(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("the replica has not been assembled");
    }
    return part;
  }

  private static long nowMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }
}
