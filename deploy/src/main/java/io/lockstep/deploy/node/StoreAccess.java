package io.lockstep.deploy.node;

import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.OrderingClient;
import io.lockstep.store.engine.OrderingReplica;
import io.lockstep.store.engine.bftsmart.BftSmartClient;
import io.lockstep.store.engine.bftsmart.BftSmartReplica;
import io.lockstep.store.engine.bftsmart.ClientConfig;
import io.lockstep.store.engine.bftsmart.ReplicaConfig;
import io.lockstep.store.engine.local.LocalEngine;
import io.lockstep.store.log.MemoryLog;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The store as one process sees it: the replica that runs here, if any, and a client. */
final class StoreAccess {
  /** Requests outstanding at most where one process orders alone. */
  private static final int LOCAL_WINDOW = 1024;

  private final NodeSettings settings;
  private final @Nullable OrderingReplica replica;

  private StoreAccess(NodeSettings settings, @Nullable OrderingReplica replica) {
    this.settings = settings;
    this.replica = replica;
  }

  /** Access without a replica in this process. */
  static StoreAccess remote(NodeSettings settings) {
    return new StoreAccess(settings, null);
  }

  /**
   * Starts the replica of this process.
   *
   * @param components what can be called in the replicas; the same on each
   * @param onHalt told why when the replica stops because it differs from the others
   */
  static StoreAccess withReplica(
      NodeSettings settings, List<MicroComponent> components, Consumer<String> onHalt) {
    StoreStateMachine machine = new StoreStateMachine(components);
    if (settings.replicas().size() == 1) {
      return new StoreAccess(settings, LocalEngine.start(machine));
    }
    ReplicaConfig config =
        ReplicaConfig.of(settings.cluster(), ownNumber(settings), members(settings));
    return new StoreAccess(
        settings,
        BftSmartReplica.start(
            config, machine, onFailure -> new MemoryLog(MemoryLog.Bounds.STANDARD), onHalt));
  }

  /** Opens a client; whoever opens it closes it. */
  BatchingStoreClient openClient() {
    ClientOptions options =
        ClientOptions.of(settings.nodeId())
            .withTimeToLiveMillis(settings.timeouts().leaseMillis())
            .withTables(Components.tables());
    SecureRandom random = new SecureRandom();
    return BatchingStoreClient.open(connect(), options, System::nanoTime, random::nextLong);
  }

  private OrderingClient connect() {
    if (replica instanceof LocalEngine alone) {
      return alone.connect(LOCAL_WINDOW);
    }
    ClientConfig usual =
        ClientConfig.of(settings.cluster(), members(settings), clientNumber(settings));
    return BftSmartClient.connect(
        new ClientConfig(
            usual.clusterId(),
            usual.members(),
            usual.clientId(),
            usual.window(),
            usual.maxRequestBytes(),
            usual.retryMillis(),
            settings.timeouts().storeRequestMillis()));
  }

  /** The replica in this process, or null. */
  @Nullable OrderingReplica replica() {
    return replica;
  }

  /** The name of the replica with this number. */
  String replicaName(int number) {
    List<NodeSettings.Replica> inOrder = settings.replicasInOrder();
    return number >= 0 && number < inOrder.size() ? inOrder.get(number).id() : "?";
  }

  void closeReplica() throws Exception {
    if (replica != null) {
      replica.close();
    }
  }

  private static List<ReplicaConfig.Member> members(NodeSettings settings) {
    List<NodeSettings.Replica> inOrder = settings.replicasInOrder();
    List<ReplicaConfig.Member> members = new ArrayList<>();
    for (int i = 0; i < inOrder.size(); i++) {
      members.add(new ReplicaConfig.Member(i, inOrder.get(i).host(), inOrder.get(i).storePort()));
    }
    return members;
  }

  private static int ownNumber(NodeSettings settings) {
    List<NodeSettings.Replica> inOrder = settings.replicasInOrder();
    return IntStream.range(0, inOrder.size())
        .filter(i -> inOrder.get(i).id().equals(settings.nodeId()))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("the settings were checked"));
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
