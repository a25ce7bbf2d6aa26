package io.lockstep.store.engine.bftsmart;

import bftsmart.communication.SystemMessage;
import bftsmart.tom.core.TOMLayer;
import bftsmart.tom.core.messages.TOMMessage;
import io.lockstep.store.engine.OrderedService;
import io.lockstep.store.engine.ReplicaStatus;
import io.lockstep.store.engine.bftsmart.OrderedState.Decision;
import io.lockstep.store.engine.bftsmart.PeerNote.Beat;
import io.lockstep.store.engine.bftsmart.library.ReplicaTransport;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running replica: owns its parts and brings each note to the part that it concerns.
 *
 * <p>Threads: the library's communication thread (notes, ticks, recovery), its delivery thread
 * ({@link #decided}), its proposer; one event loop for replica links, which also keeps time, and
 * one for clients.
 */
final class ReplicaCore implements Transfer.Host {
  private static final Logger log = LoggerFactory.getLogger(ReplicaCore.class);
  private static final long STUCK_MILLIS = 30_000;
  private static final long LAST_INSTANCE = Integer.MAX_VALUE - 1_000_000L;

  private final ReplicaConfig config;
  private final Consumer<String> onHalt;
  private final OrderedState state;
  private final ClientPort clients;
  private final PeerTable peers;
  private final FailureDetector detector;
  private final PendingRequests pending;
  private final RecoveryGate gate = new RecoveryGate();
  private final AtomicBoolean tickQueued = new AtomicBoolean();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private volatile long tickedAtMillis;
  private volatile @Nullable ReplicaLinks links;
  private volatile @Nullable LibraryStack stack;
  private @Nullable Transfer transfer;
  private @Nullable Rejoin rejoin;
  private @Nullable Watchkeeper watch;
  private volatile ReplicaStatus.Phase phase = ReplicaStatus.Phase.STARTING;

  private ReplicaCore(ReplicaConfig config, OrderedService service, Consumer<String> onHalt) {
    this.config = config;
    this.onHalt = onHalt;
    this.clients = new ClientPort(config);
    this.state = new OrderedState(service, config.limits(), clients);
    this.peers =
        new PeerTable(
            config.replicaId(), config.members().size(), config.timing().leaderTimeoutMillis());
    this.detector =
        new FailureDetector(
            config.members().size(),
            config.timing().beatMillis(),
            config.timing().leaderTimeoutMillis(),
            nowMillis());
    this.pending = new PendingRequests(null, config.replicaId(), config.limits());
  }

  /**
   * Builds the stack, opens both ports and starts; returns when the replica listens, before it is
   * operational.
   *
   * @throws IllegalStateException naming the address if a port cannot be bound
   */
  static ReplicaCore start(ReplicaConfig config, OrderedService service, Consumer<String> onHalt) {
    ReplicaCore core = new ReplicaCore(config, service, onHalt);
    try {
      core.clients.open();
      new EngineServiceReplica(new EngineViewController(config, core), core, core.gate);
    } catch (RuntimeException | Error e) {
      core.close();
      throw e;
    }
    ReplicaLinks links = core.links();
    core.tickedAtMillis = nowMillis();
    links
        .loop()
        .scheduleAtFixedRate(
            core::keepTime, 0, config.timing().beatMillis(), TimeUnit.MILLISECONDS);
    return core;
  }

  // ---------------------------------------------------------------- called while the library
  // builds

  ReplicaTransport openLinks(LinkedBlockingQueue<SystemMessage> inbox) {
    ReplicaLinks opened = ReplicaLinks.open(config, inbox);
    links = opened;
    return opened;
  }

  ClientPort clientPort() {
    return clients;
  }

  void assemble(TOMLayer tom) {
    LibraryStack built = new LibraryStack(tom, pending, gate, new MessageGate(this));
    Transfer moving = new Transfer(state, config.limits().maxSnapshotBytes(), this);
    stack = built;
    transfer = moving;
    rejoin = new Rejoin(config.replicaId(), peers, state, built, moving);
    watch =
        new Watchkeeper(config, peers, state, built, pending, gate, moving, detector, this::halt);
  }

  // ---------------------------------------------------------------- time, on the links' loop

  private void keepTime() {
    if (stopped.get()) {
      return;
    }
    if (tickQueued.compareAndSet(false, true)) {
      links().deliver(new PeerMessage(config.replicaId(), new PeerNote.Tick()));
    } else if (nowMillis() - tickedAtMillis > STUCK_MILLIS) {
      halt("the communication thread has been stuck for " + STUCK_MILLIS + " ms");
    }
    if (!stack().threadsRun()) {
      halt("a thread of the ordering library has ended");
    }
  }

  // ---------------------------------------------------------------- on the communication thread

  boolean recovering() {
    return gate.isRetrievingState();
  }

  LibraryStack stack() {
    return present(stack);
  }

  /** A note from a peer or from this replica itself. */
  void note(int sender, PeerNote note) {
    long now = nowMillis();
    if (note instanceof Beat beat) {
      peers.beat(sender, beat, now);
      detector.heard(sender);
      if (!recovering()) {
        if (beat.operational()) {
          present(watch).heard(sender, beat, now);
        }
        watchLeader(now);
      }
    } else if (note instanceof PeerNote.Tick) {
      tick(now);
    } else if (note instanceof PeerNote.FetchTail fetch) {
      present(transfer).serve(sender, fetch, now);
    } else if (note instanceof PeerNote.FetchSnapshot fetch) {
      present(transfer).serve(sender, fetch, now);
    } else if (note instanceof PeerNote.Tail tail) {
      present(transfer).received(sender, tail);
    } else if (note instanceof PeerNote.SnapshotPiece piece) {
      present(transfer).received(sender, piece, now);
    } else if (note instanceof PeerNote.OtherHistory other) {
      present(transfer).received(sender, other);
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
    if (!recovering() && present(watch).watchLeader(now)) {
      beat();
    }
  }

  private void tick(long now) {
    tickQueued.set(false);
    tickedAtMillis = now;
    if (stopped.get()) {
      return;
    }
    detector.tick(now);
    present(transfer).tick(now);
    if (recovering()) {
      recover(now);
    } else {
      present(watch).tick(now);
    }
    beat();
    if (stack().decided() >= LAST_INSTANCE) {
      halt("instance numbers are used up; restart the whole cluster from a snapshot");
    }
  }

  private void recover(long now) {
    if (present(rejoin).tick(now)) {
      present(watch).begin(now);
      phase = ReplicaStatus.Phase.OPERATIONAL;
      clients.accept(true);
    } else if (present(rejoin).fetching()) {
      phase = ReplicaStatus.Phase.RECOVERING;
    }
  }

  private void beat() {
    Decision last = state.last();
    Beat beat =
        new Beat(
            stack().installed(),
            !recovering(),
            recovering() ? -1 : present(watch).missed(),
            !recovering() && present(watch).leaderSeen(),
            Math.max(stack().decided(), last.instance()),
            last.instance(),
            last.chain());
    int[] others = new int[config.members().size() - 1];
    for (int i = 0; i < others.length; i++) {
      others[i] = i < config.replicaId() ? i : i + 1;
    }
    links().send(others, new PeerMessage(config.replicaId(), beat));
  }

  @Override
  public void send(int peer, PeerNote note) {
    links().send(new int[] {peer}, new PeerMessage(config.replicaId(), note));
  }

  @Override
  public boolean drained() {
    return recovering() || stack().decided() == state.applied();
  }

  @Override
  public void learned(List<Decision> decisions) {
    decisions.forEach(stack()::markOrdered);
    moved();
  }

  @Override
  public void installed() {
    stack().forgetPending();
    moved();
  }

  private void moved() {
    if (recovering()) {
      stack().recoveredTo(state.last());
      recover(nowMillis());
    } else {
      stack().jumpedTo(state.last());
    }
  }

  @Override
  public void differs(int peer, String what) {
    if (recovering()) {
      log.info("replica {} starts over from a snapshot of {}: {}", config.replicaId(), peer, what);
      send(peer, new PeerNote.FetchSnapshot(-1, 0));
    } else {
      present(watch).differs(peer, what, nowMillis());
    }
  }

  // ---------------------------------------------------------------- on the delivery thread

  /** The next decision. Whatever goes wrong here must not be skipped. */
  void decided(int instance, byte[] value, TOMMessage[] requests) {
    if (stopped.get()) {
      return;
    }
    try {
      state.apply(instance, value, requests);
    } catch (RuntimeException | Error e) {
      log.error("replica {} cannot apply instance {}", config.replicaId(), instance, e);
      halt("instance " + instance + " could not be applied: " + e);
    }
  }

  // ---------------------------------------------------------------- any thread

  ReplicaStatus status() {
    long now = nowMillis();
    boolean operational = phase == ReplicaStatus.Phase.OPERATIONAL;
    LibraryStack built = stack;
    return new ReplicaStatus(
        config.replicaId(),
        phase,
        built == null || !operational ? -1 : built.leader(),
        built == null ? 0 : built.regency(),
        state.applied(),
        peers.reachable(now),
        peers.quorum(operational, now));
  }

  /** Stops for good and tells the owner why. */
  void halt(String reason) {
    if (stop()) {
      log.error("replica {} halts: {}", config.replicaId(), reason);
      onHalt.accept(reason);
    }
  }

  void close() {
    stop();
  }

  private boolean stop() {
    if (!stopped.compareAndSet(false, true)) {
      return false;
    }
    phase = ReplicaStatus.Phase.HALTED;
    clients.accept(false);
    clients.shutdown();
    ReplicaLinks open = links;
    if (open != null) {
      open.close();
    }
    LibraryStack built = stack;
    if (built != null) {
      built.shutdown();
    }
    return true;
  }

  private ReplicaLinks links() {
    return present(links);
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
