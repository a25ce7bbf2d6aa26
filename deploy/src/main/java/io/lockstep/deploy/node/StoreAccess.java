package io.lockstep.deploy.node;

import io.lockstep.core.cluster.ClusterComponents;
import io.lockstep.core.cluster.ListedProcess;
import io.lockstep.core.recording.StoreTraffic;
import io.lockstep.core.state.StoreFeed;
import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.keys.LinkKeys;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.StoreClient;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.ChangeHints;
import io.lockstep.store.engine.OrderingClient;
import io.lockstep.store.engine.OrderingReplica;
import io.lockstep.store.engine.StepDownOutcome;
import io.lockstep.store.engine.bftsmart.BftSmartClient;
import io.lockstep.store.engine.bftsmart.BftSmartReplica;
import io.lockstep.store.engine.bftsmart.ClientConfig;
import io.lockstep.store.engine.bftsmart.ReplicaConfig;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Limits;
import io.lockstep.store.log.DecisionLog;
import io.lockstep.store.machine.ReplacedMachines;
import io.lockstep.store.typed.StoreAddress;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The store as one process sees it: the replica that runs here, if any, and a client. */
final class StoreAccess {
  /** Of the node's commands that wait for the store. */
  private static final long QUEUE_BYTES = 32 << 20;

  /** The same of a replica's, which publishes a list of members and no more. */
  private static final long REPLICA_QUEUE_BYTES = 4 << 20;

  /** A replica's session carries no mastership, so it may be noticed late that it is gone. */
  private static final int REPLICA_TIME_TO_LIVE_MILLIS = 15_000;

  /** A leader change takes some round trips and syncs; of a stop's 9 s this much may be spent. */
  private static final int STEP_DOWN_MILLIS = 1_000;

  private static final Logger log = LoggerFactory.getLogger(StoreAccess.class);

  /** Above the numbers of all nodes. */
  private static final int FIRST_REPLICA_CLIENT = 1 << 20;

  private final NodeSettings settings;
  private final @Nullable LinkKeys keys;
  private final @Nullable OrderingReplica replica;
  private final @Nullable StoreStateMachine machine;

  /** The engine's client, once one is open. */
  private volatile @Nullable OrderingClient connected;

  private StoreAccess(
      NodeSettings settings,
      @Nullable LinkKeys keys,
      @Nullable OrderingReplica replica,
      @Nullable StoreStateMachine machine) {
    this.settings = settings;
    this.keys = keys;
    this.replica = replica;
    this.machine = machine;
  }

  /** Access without a replica in this process. */
  static StoreAccess remote(NodeSettings settings, @Nullable LinkKeys keys) {
    return new StoreAccess(settings, keys, null, null);
  }

  /**
   * Starts the replica of this process.
   *
   * @param keys of this process; null where it has none
   * @param components what can be called in the replicas; the same on each
   * @param onHalt told why when the replica stops because it differs from the others
   * @param onRefused told why when it stops because its directory is an old copy
   * @throws OperatorException where its directory cannot be used
   */
  static StoreAccess withReplica(
      NodeSettings settings,
      @Nullable LinkKeys keys,
      List<MicroComponent> components,
      Consumer<String> onHalt,
      Consumer<String> onRefused)
      throws OperatorException {
    ReplicaConfig config =
        ReplicaConfig.of(
                settings.cluster(), settings.replicaNumber(), settings.storeAddress().members())
            .withKeys(keys)
            .with(
                Limits.usual()
                    .withSnapshotLogBytes((long) settings.store().snapshotMegabytes() << 20));
    int stateMegabytes =
        StateSize.megabytes(settings.store().stateMegabytes(), Runtime.getRuntime().maxMemory());
    // Opened here, so that a directory that cannot be used is told as the operator's business.
    DecisionLog kept = ReplicaLog.open(settings, config.replicaId());
    StoreStateMachine machine = new StoreStateMachine(components, stateMegabytes);
    return new StoreAccess(
        settings,
        keys,
        BftSmartReplica.start(config, machine, onFailure -> kept, onHalt, onRefused),
        machine);
  }

  /**
   * Opens the client of a node; whoever opens it closes it.
   *
   * @param traffic records what the client does by itself
   */
  BatchingStoreClient openClient(StoreTraffic traffic) {
    return open(
        traffic.around(connect(clientNumber(settings))),
        ClientOptions.of(settings.nodeId())
            .withTimeToLiveMillis(settings.timeouts().leaseMillis())
            .withTables(Components.tables(settings))
            .withQueueBytes(QUEUE_BYTES));
  }

  /**
   * What keeps the views of a node current, through its client.
   *
   * @param recorded the same client, or what stands around it
   */
  StoreFeed feed(BatchingStoreClient client, StoreClient recorded) {
    return feed(client, recorded, settings.timeouts().leaseMillis());
  }

  /** The same of a replica that is a process of its own. */
  StoreFeed replicaFeed(BatchingStoreClient client) {
    return feed(client, client, REPLICA_TIME_TO_LIVE_MILLIS);
  }

  private StoreFeed feed(BatchingStoreClient client, StoreClient asked, int timeToLiveMillis) {
    ChangeHints hints = machine == null ? client.hints() : machine.hints();
    return StoreFeed.hinted(asked, client.loop(), timeToLiveMillis, hints);
  }

  /** The same of a replica that is a process of its own. */
  BatchingStoreClient openReplicaClient() {
    return open(
        connect(FIRST_REPLICA_CLIENT + settings.replicaNumber()),
        ClientOptions.of(ListedProcess.replicaName(settings.nodeId()))
            .withTimeToLiveMillis(REPLICA_TIME_TO_LIVE_MILLIS)
            .withTables(ClusterComponents.tables())
            .withQueueBytes(REPLICA_QUEUE_BYTES));
  }

  private static BatchingStoreClient open(OrderingClient engine, ClientOptions options) {
    SecureRandom random = new SecureRandom();
    return BatchingStoreClient.open(engine, options, System::nanoTime, random::nextLong);
  }

  private OrderingClient connect(int clientNumber) {
    StoreAddress address = settings.storeAddress();
    OrderingClient opened =
        BftSmartClient.connect(
            ClientConfig.of(address.cluster(), address.members(), clientNumber)
                .withDeadlineMillis(settings.timeouts().storeRequestMillis())
                .withKeys(keys));
    connected = opened;
    return opened;
  }

  /** The client goes to these machines from now on. */
  void moved(ReplacedMachines machines) {
    OrderingClient client = connected;
    if (client != null) {
      client.moved(machines);
    }
  }

  /** The replica in this process, or null. */
  @Nullable OrderingReplica replica() {
    return replica;
  }

  /** The state of that replica, or null. */
  @Nullable StoreStateMachine machine() {
    return machine;
  }

  /** The keys of this process, or null. */
  @Nullable LinkKeys keys() {
    return keys;
  }

  /** The name of the replica with this number. */
  String replicaName(int number) {
    List<NodeSettings.Replica> inOrder = settings.replicasInOrder();
    return number >= 0 && number < inOrder.size() ? inOrder.get(number).id() : "?";
  }

  /**
   * Before this process stops: the replica gives the store's lead to another. Waits until another
   * leads, {@value #STEP_DOWN_MILLIS} ms at most; then the others find a leader when this one ends.
   */
  void stepDown() throws InterruptedException {
    if (replica == null) {
      return;
    }
    CompletableFuture<StepDownOutcome> steppedDown = replica.stepDown();
    try {
      StepDownOutcome outcome = steppedDown.get(STEP_DOWN_MILLIS, TimeUnit.MILLISECONDS);
      if (outcome == StepDownOutcome.NO_SUCCESSOR) {
        log.info("this replica leads the store until it ends: no other can take the lead");
      }
    } catch (TimeoutException e) {
      log.warn(
          "no other replica took the lead of the store within {} ms; stopping goes on",
          STEP_DOWN_MILLIS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("stepping down failed", e.getCause());
    }
  }

  void closeReplica() throws Exception {
    if (replica != null) {
      replica.close();
    }
  }

  /** The same each time the process starts, and different from other nodes'. */
  private static int clientNumber(NodeSettings settings) {
    return settings.members().stream()
        .map(NodeSettings.Member::id)
        .sorted()
        .toList()
        .indexOf(settings.nodeId());
  }
}
