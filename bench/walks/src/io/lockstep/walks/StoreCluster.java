package io.lockstep.walks;

import io.lockstep.deploy.launch.PortBlock;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.ReplicaStatus;
import io.lockstep.store.engine.bftsmart.BftSmartClient;
import io.lockstep.store.engine.bftsmart.BftSmartReplica;
import io.lockstep.store.engine.bftsmart.ClientConfig;
import io.lockstep.store.engine.bftsmart.LogOpener;
import io.lockstep.store.engine.bftsmart.ReplicaConfig;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.log.disk.DiskLog;
import io.lockstep.store.log.disk.DiskLogOptions;
import io.lockstep.store.log.disk.FileStorage;
import io.lockstep.store.log.disk.Identity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Three replicas with logs on files, and their client, in this process. */
final class StoreCluster implements AutoCloseable {
  static final int REPLICAS = 3;

  private static final String NAME = "walks";
  private static final String TABLE = "t";

  private final PortBlock ports = PortBlock.take();
  private final List<Member> members = new ArrayList<>();
  private final Map<Integer, BftSmartReplica> replicas = new TreeMap<>();
  private final Path directory;
  private final BatchingStoreClient client;

  private StoreCluster(Path directory) {
    this.directory = directory;
    for (int id = 0; id < REPLICAS; id++) {
      members.add(new Member(id, "127.0.0.1", ports.port(1 + 2 * id)));
    }
    client =
        BatchingStoreClient.open(
            BftSmartClient.connect(ClientConfig.of(NAME, members, 1)),
            ClientOptions.of(NAME)
                .withTimeToLiveMillis(60_000)
                .withTables(Map.of(TABLE, TableSpec.values())),
            System::nanoTime,
            new Random()::nextLong);
  }

  /** A cluster of which all replicas take part. */
  static StoreCluster start() throws Exception {
    StoreCluster cluster = new StoreCluster(Files.createTempDirectory("lockstep-walks"));
    boolean started = false;
    try {
      for (int id = 0; id < REPLICAS; id++) {
        Files.createDirectories(cluster.directoryOf(id));
        cluster.start(id);
      }
      for (int id = 0; id < REPLICAS; id++) {
        cluster.awaitOperational(id);
      }
      started = true;
      return cluster;
    } finally {
      if (!started) {
        cluster.close();
      }
    }
  }

  /** Opens a replica's log and starts the replica. */
  void start(int id) {
    LogOpener log =
        onFailure ->
            DiskLog.open(
                FileStorage.open(directoryOf(id)),
                new Identity(NAME, id),
                DiskLogOptions.usual(),
                failure -> onFailure.accept(failure.toString()));
    replicas.put(
        id,
        BftSmartReplica.start(
            ReplicaConfig.of(NAME, id, members),
            new StoreStateMachine(List.of()),
            log,
            reason -> System.err.println("replica " + id + " halts: " + reason)));
  }

  /** Until the replica takes part. */
  void awaitOperational(int id) throws Exception {
    Await.until(
        "replica " + id + " takes part",
        () -> status(id).phase() == ReplicaStatus.Phase.OPERATIONAL);
  }

  ReplicaStatus status(int id) {
    return replicas.get(id).status();
  }

  void stop(int id) {
    replicas.get(id).close();
  }

  /** Writes one entry. */
  CompletableFuture<Reply> put(String key) {
    return client.submit(new Command.Put(TABLE, bytes(key), bytes("value")));
  }

  private static Bytes bytes(String text) {
    return Bytes.copyOf(text.getBytes(StandardCharsets.UTF_8));
  }

  private Path directoryOf(int id) {
    return directory.resolve("replica-" + id);
  }

  @Override
  public void close() throws IOException {
    client.close();
    replicas.values().forEach(BftSmartReplica::close);
    ports.close();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
