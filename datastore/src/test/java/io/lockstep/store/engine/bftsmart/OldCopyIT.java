package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.log.disk.Backup;
import io.lockstep.store.log.disk.Identity;
import io.lockstep.store.log.disk.Restore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A replica's process on an old copy of its directory (docs/adr/0014). Every test ends with all
 * replicas equal and every acknowledged request found on each of them.
 */
@Timeout(600)
class OldCopyIT {
  private static final int CONCURRENCY = 16;
  private static final String OLD_COPY = "is an old copy of this replica's directory";

  @RegisterExtension
  static final SharedCluster shared =
      new SharedCluster(() -> new ReplicaCluster(ReplicaCluster.SIZE, true));

  @TempDir private Path elsewhere;
  private ReplicaCluster cluster;
  private Load load;

  @BeforeEach
  void takeShared() {
    cluster = shared.cluster();
    cluster.expectError(OLD_COPY);
    load = shared.load();
    load.run(CONCURRENCY).awaitMore(500);
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  private void putBack(int id, Path copy) throws IOException {
    cluster.wipe(id);
    copy(copy, cluster.directory(id));
  }

  /** Stops a replica with more than in the copy of its directory that is made on the way. */
  private Path oldCopyOf(int id) throws Exception {
    cluster.kill(id);
    Path copy = elsewhere.resolve("copy");
    copy(cluster.directory(id), copy);
    cluster.start(id);
    cluster.awaitAllOperational();
    load.awaitMore(500);
    cluster.kill(id);
    return copy;
  }

  private void startRefused(int id) throws IOException {
    String namesTheDirectory = cluster.directory(id) + " " + OLD_COPY;
    long before = cluster.logged(id, namesTheDirectory);
    cluster.start(id);
    assertThat(cluster.awaitEnd(id)).as("exit status").isEqualTo(ReplicaMain.REFUSED);
    assertThat(cluster.logged(id, namesTheDirectory)).isGreaterThan(before);
  }

  /** The remedy that the message names. */
  private void refill(int id) throws Exception {
    cluster.wipe(id);
    cluster.start(id);
    cluster.awaitAllOperational();
    load.awaitMore(500);
    load.drain();
    cluster.verify(load.acknowledged());
  }

  @Test
  void oldCopyIsRefusedAndTheOthersGoOn() throws Exception {
    int id = cluster.follower();
    Path copy = oldCopyOf(id);
    putBack(id, copy);
    startRefused(id);
    load.awaitMore(500);
    startRefused(id);
    load.awaitMore(500);
    refill(id);
  }

  @Test
  void oldCopyIsRefusedAlsoAfterAllWereStopped() throws Exception {
    int id = cluster.leader();
    Path copy = oldCopyOf(id);
    cluster.kill((id + 1) % 3, (id + 2) % 3);
    putBack(id, copy);
    cluster.start((id + 1) % 3, (id + 2) % 3);
    startRefused(id);
    cluster.kill((id + 1) % 3, (id + 2) % 3);
    cluster.start((id + 1) % 3, (id + 2) % 3);
    startRefused(id);
    cluster.awaitOperational((id + 1) % 3, (id + 2) % 3);
    load.awaitMore(500);
    refill(id);
  }

  @Test
  void allReplicasRestoredFromABackupGoOnFromThere() throws Exception {
    load.drain();
    cluster.kill(0, 1, 2);
    Path backup = elsewhere.resolve("backup");
    Backup.write(cluster.directory(0), backup);
    cluster.startAll();
    cluster.awaitAllOperational();
    cluster.kill(0, 1, 2);
    for (int id : List.of(0, 1, 2)) {
      cluster.wipe(id);
      Restore.into(backup, cluster.directory(id), new Identity(ReplicaCluster.NAME, id));
    }
    cluster.startAll();
    cluster.awaitAllOperational();
    load.run(CONCURRENCY).awaitMore(500);
    // Restarts of restored replicas are as any others.
    int id = cluster.follower();
    cluster.kill(id);
    cluster.start(id);
    cluster.awaitAllOperational();
    load.drain();
    cluster.verify(load.acknowledged());
  }

  @Test
  void singleReplicaRestoredFromABackupBesideOthersIsRefused() throws Exception {
    int id = cluster.follower();
    cluster.kill(id);
    Path backup = elsewhere.resolve("backup");
    Backup.write(cluster.directory(id), backup);
    cluster.start(id);
    cluster.awaitAllOperational();
    load.awaitMore(500);
    cluster.kill(id);
    cluster.wipe(id);
    Restore.into(backup, cluster.directory(id), new Identity(ReplicaCluster.NAME, id));
    startRefused(id);
    refill(id);
  }
}
