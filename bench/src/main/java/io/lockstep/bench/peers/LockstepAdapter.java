package io.lockstep.bench.peers;

import io.lockstep.apps.Applications;
import io.lockstep.bench.compare.Cluster;
import io.lockstep.bench.compare.PeerStore;
import io.lockstep.bench.compare.StoreAdapter;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.bftsmart.BftSmartClient;
import io.lockstep.store.engine.bftsmart.BftSmartReplica;
import io.lockstep.store.engine.bftsmart.ClientConfig;
import io.lockstep.store.engine.bftsmart.LogOpener;
import io.lockstep.store.engine.bftsmart.ReplicaConfig;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.log.MemoryLog;
import io.lockstep.store.log.disk.DiskLog;
import io.lockstep.store.log.disk.DiskLogOptions;
import io.lockstep.store.log.disk.FileStorage;
import io.lockstep.store.log.disk.Identity;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Our store under the comparison's load: three replicas, one client. */
public final class LockstepAdapter implements StoreAdapter {
  static final String CLUSTER = "compare";
  private static final int HALTED = 10;

  private static List<Member> members(Cluster cluster) {
    List<Member> members = new ArrayList<>();
    for (int id = 0; id < Cluster.SERVERS; id++) {
      members.add(new Member(id, Cluster.HOST, cluster.port(id, 0), StoreKeys.server(id)));
    }
    return members;
  }

  static StoreStateMachine stateMachine() {
    return new StoreStateMachine(components());
  }

  /** The applications' components and those of the workloads. */
  public static List<MicroComponent> components() {
    List<MicroComponent> components = new ArrayList<>(Applications.microComponents());
    components.addAll(BenchComponents.all());
    return List.copyOf(components);
  }

  @Override
  public AutoCloseable serve(Cluster cluster, int id) {
    return BftSmartReplica.start(
        ReplicaConfig.of(CLUSTER, id, members(cluster)).withKeys(StoreKeys.of(cluster, id)),
        stateMachine(),
        cluster.durable() ? onDisk(cluster, id) : inMemory(),
        reason -> {
          LoggerFactory.getLogger(LockstepAdapter.class).error("the replica halts: {}", reason);
          Runtime.getRuntime().halt(HALTED);
        });
  }

  private static LogOpener inMemory() {
    return onFailure -> new MemoryLog(MemoryLog.Bounds.STANDARD);
  }

  private static LogOpener onDisk(Cluster cluster, int id) {
    return onFailure ->
        DiskLog.open(
            FileStorage.open(cluster.directory(id)),
            new Identity(CLUSTER, id),
            DiskLogOptions.usual(),
            failure -> onFailure.accept(failure.toString()));
  }

  @Override
  public PeerStore connect(Cluster cluster) {
    return connect(
            ClientConfig.of(CLUSTER, members(cluster), 0).withKeys(StoreKeys.ofLoad(cluster)))
        .store();
  }

  /**
   * A client, and the operations of the workloads through it.
   *
   * @param store closes the client when it is closed
   */
  public record Connected(BatchingStoreClient client, PeerStore store) {}

  /** Connects to a cluster whose replicas have the {@link #components}. */
  public static Connected connect(String cluster, List<Member> members) {
    return connect(ClientConfig.of(cluster, members, 0));
  }

  private static Connected connect(ClientConfig config) {
    BatchingStoreClient client =
        BatchingStoreClient.open(
            BftSmartClient.connect(config),
            ClientOptions.of("compare").withTables(Applications.tables()),
            System::nanoTime,
            new SecureRandom()::nextLong);
    return new Connected(client, new LockstepStore(client, System::nanoTime));
  }
}
