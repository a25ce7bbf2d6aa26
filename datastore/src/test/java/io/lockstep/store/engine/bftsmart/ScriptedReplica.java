package io.lockstep.store.engine.bftsmart;

import bftsmart.communication.SystemMessage;
import bftsmart.communication.client.CommunicationSystemServerSide;
import bftsmart.communication.client.RequestReceiver;
import bftsmart.consensus.Consensus;
import bftsmart.consensus.TimestampValuePair;
import bftsmart.reconfiguration.ServerViewController;
import bftsmart.reconfiguration.views.MemoryBasedViewStorage;
import bftsmart.tom.core.TOMLayer;
import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.core.messages.TOMMessageType;
import bftsmart.tom.leaderchange.LCMessage;
import bftsmart.tom.util.TOMUtil;
import io.lockstep.store.engine.LeaderClock;
import io.lockstep.store.engine.ReplicaStatus.Phase;
import io.lockstep.store.engine.StepDownOutcome;
import io.lockstep.store.engine.bftsmart.library.NetworkEdges;
import io.lockstep.store.engine.bftsmart.library.ReplicaTransport;
import io.lockstep.store.engine.bftsmart.library.StampedBatch;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.DecisionLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A replica as it is, library included, without sockets, loop and clock: {@link ScriptedCluster}
 * brings it what the test wants, on the test's thread. The library's threads sleep, as always; its
 * timers are not heard, and {@link #repeatWish} does what they do.
 */
final class ScriptedReplica implements ReplicaHost {
  private static final long REPEAT_MILLIS = 500;

  /** So that no two starts have the same one. */
  private static final AtomicLong NONCES = new AtomicLong();

  final int id;
  final DecisionLog log;
  private final ScriptedCluster cluster;
  private final ReplicaConfig config;
  private final RecordingService service = new RecordingService();
  private final ReplicaMemory memory;
  private final MachineView machines;
  private final PeerTable peers;
  private final PendingRequests pending;
  private final RecoveryGate gate = new RecoveryGate();
  private final Thread script = Thread.currentThread();
  private @Nullable ReplicaAgent agent;
  private @Nullable TOMLayer library;
  private Phase phase = Phase.STARTING;
  private boolean accepts;
  private boolean refused;
  private @Nullable String halted;
  private @Nullable LCMessage wish;
  private long wishedAtMillis;
  private @Nullable StepDownOutcome steppedDown;

  /**
   * @param remembered from lives before
   */
  ScriptedReplica(ScriptedCluster cluster, ReplicaConfig config, ScriptedMemory remembered) {
    this.cluster = cluster;
    this.config = config;
    this.id = config.replicaId();
    this.log =
        remembered.open(step -> cluster.diskWork(this, step), failure -> halt(failure.toString()));
    this.memory =
        new ReplicaMemory(
            this,
            service,
            log,
            new LeaderClock(
                () -> TimeUnit.MILLISECONDS.toNanos(cluster.nowMillis()),
                () -> cluster.wallMillis(id)),
            (decision, regency, requests, replies) ->
                requests.forEach(
                    request ->
                        cluster.acknowledgements.vouched(
                            id, decision, regency, request.getSequence())),
            jobs());
    this.machines = new MachineView(config, log::joined);
    this.peers = new PeerTable(id, config.members().size(), config.timing().leaderTimeoutMillis());
    this.pending =
        new PendingRequests(
            null,
            id,
            config.limits(),
            requests -> agent().decided(requests),
            () -> TimeUnit.MILLISECONDS.toNanos(cluster.nowMillis()));
    try {
      memory.state().rebuild();
      machines.install(service.machines());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread builder = new Thread(() -> new EngineServiceReplica(new View(), gate), "script-start");
    // The library's threads inherit this.
    builder.setDaemon(true);
    builder.start();
    while (builder.isAlive()) {
      try {
        builder.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private BackgroundJobs jobs() {
    return new BackgroundJobs(work -> cluster.later(this, work), this::halt);
  }

  ReplicaAgent agent() {
    if (agent == null) {
      throw new IllegalStateException("replica " + id + " was not built");
    }
    return agent;
  }

  /** By what the library tells proposed values apart here. */
  MessageDigest digestOfValues() {
    return library().md;
  }

  /** In the running instance. */
  @Nullable TimestampValuePair accepted() {
    return running().getQuorumWrites();
  }

  /** The values that it has seen in the running instance, and would report to a new leader. */
  List<byte[]> seen() {
    return running().getWriteSet().stream().map(TimestampValuePair::getValue).toList();
  }

  private Consensus running() {
    return library().execManager.getConsensus(library().getInExec());
  }

  private TOMLayer library() {
    if (library == null) {
      throw new IllegalStateException("replica " + id + " was not built");
    }
    return library;
  }

  private void assemble(TOMLayer tom) {
    library = tom;
    StateTransferServer server =
        new StateTransferServer(
            log, memory.snapshots()::ask, (peer, note) -> send(new int[] {peer}, note), jobs());
    agent =
        new ReplicaAgent(
            this,
            tom,
            memory,
            peers,
            pending,
            gate,
            server,
            jobs(),
            work -> cluster.later(this, work),
            cluster::nowMillis);
  }

  /** A message from a peer or from itself. */
  void receive(SystemMessage message) {
    message.authenticated = true;
    agent().received(message);
  }

  /** A request of a client with that many bytes. */
  void request(int client, int sequence, int bytes) {
    request(client, sequence, java.nio.ByteBuffer.allocate(bytes).putInt(sequence).array());
  }

  void request(int client, int sequence, byte[] content) {
    TOMMessage request =
        new TOMMessage(client, 1, sequence, sequence, content, 0, TOMMessageType.ORDERED_REQUEST);
    request.serializedMessage = TOMMessage.messageToBytes(request);
    if (accepts) {
      agent().stack().accept(request);
    }
  }

  /** The library repeats a STOP until it has brought a regency, or has been given up. */
  void repeatWish() {
    LCMessage repeated = wish;
    boolean wishes = agent().stack().asked() != agent().stack().regency();
    if (repeated != null
        && wishes
        && repeated.getReg() == agent().stack().asked()
        && cluster.nowMillis() - wishedAtMillis >= REPEAT_MILLIS) {
      wishedAtMillis = cluster.nowMillis();
      for (int peer = 0; peer < config.members().size(); peer++) {
        if (peer != id) {
          cluster.send(id, new int[] {peer}, repeated);
        }
      }
    }
  }

  Phase doing() {
    return phase;
  }

  @Nullable String halted() {
    return halted;
  }

  long last() {
    return log.last().instance();
  }

  /** All of its history, which no snapshot has cut. */
  List<Decision> decisions() {
    try {
      return Objects.requireNonNull(log.after(-1, Integer.MAX_VALUE));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Learns what follows its history from a peer. */
  void learn(int peer, List<Decision> decisions) {
    receive(new PeerMessage(peer, new PeerNote.Tail(List.copyOf(decisions))));
    cluster.runWork();
  }

  /** The regency that it takes part in, and its history. */
  String position() {
    return agent().stack().installed() + " " + HexFormat.of().formatHex(log.last().chain());
  }

  /** Asks for a regency as the monitor does. */
  void ask(int regency) {
    agent().promise(regency);
    agent().stack().askFor(regency);
  }

  /** Prepares its end, as a process does that stops. */
  void leave() {
    onLoop(() -> agent().stepDown().leave(outcome -> steppedDown = outcome));
  }

  void setWilling(boolean willing) {
    onLoop(() -> agent().stepDown().setWilling(willing));
  }

  private void onLoop(Runnable job) {
    receive(new PeerMessage(id, new PeerNote.JobDone(job)));
    cluster.runWork();
  }

  @Nullable StepDownOutcome steppedDown() {
    return steppedDown;
  }

  void close() {
    agent().stack().shutdown();
  }

  @Override
  public ReplicaConfig config() {
    return config;
  }

  @Override
  public boolean stopped() {
    return halted != null;
  }

  @Override
  public void phase(Phase now) {
    phase = now;
    accepts = now == Phase.OPERATIONAL;
  }

  @Override
  public void keepClients() {}

  @Override
  public void ticked(long nowMillis) {}

  @Override
  public void watchLoop() {}

  @Override
  public MachineView machines() {
    return machines;
  }

  @Override
  public void machinesInstalled() {
    cluster.machines.installed(id);
  }

  @Override
  public void send(int[] targets, PeerNote note) {
    cluster.send(id, targets, new PeerMessage(id, note));
  }

  @Override
  public void toSelf(PeerNote note) {
    cluster.send(id, new int[] {id}, new PeerMessage(id, note));
  }

  @Override
  public void halt(String reason) {
    if (halted == null) {
      halted = reason;
      phase = Phase.HALTED;
    }
  }

  @Override
  public void refuse(String reason) {
    refused = true;
    halt(reason);
  }

  /** Whether it has ended because its log is an old copy. */
  boolean refused() {
    return refused;
  }

  @Override
  public long nonce() {
    return NONCES.incrementAndGet();
  }

  @Override
  public String toString() {
    Decision last = log.last();
    return id
        + " "
        + phase
        + (halted == null ? "" : " (" + halted + ")")
        + " in regency "
        + agent().stack().installed()
        + " with "
        + last.instance()
        + "@"
        + last.regency();
  }

  private final class View extends ServerViewController
      implements NetworkEdges, StampedBatch.Stamps {
    View() {
      super(EngineViewController.configuration(config), new MemoryBasedViewStorage());
    }

    @Override
    public void setTomLayer(TOMLayer tom) {
      super.setTomLayer(tom);
      assemble(tom);
    }

    @Override
    public long nowMillis() {
      return memory.clock().nowMillis();
    }

    @Override
    public void proposed(byte[] value) {
      memory.clock().proposed(value);
    }

    @Override
    public ReplicaTransport openReplicaLinks(LinkedBlockingQueue<SystemMessage> unused) {
      return new ReplicaTransport() {
        @Override
        public void send(int[] targets, SystemMessage message) {
          if (Thread.currentThread() == script) {
            if (message instanceof LCMessage change && change.getType() == TOMUtil.STOP) {
              wish = change;
              wishedAtMillis = cluster.nowMillis();
            }
            for (SystemMessage leaving : agent().leaving(message)) {
              cluster.send(id, targets, leaving);
            }
          }
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public CommunicationSystemServerSide openClientPort() {
      return new CommunicationSystemServerSide() {
        @Override
        public void setRequestReceiver(RequestReceiver unused) {}

        @Override
        public void send(int[] targets, TOMMessage message, boolean headers) {}

        @Override
        public int[] getClients() {
          return new int[0];
        }

        @Override
        public void shutdown() {}
      };
    }
  }
}
