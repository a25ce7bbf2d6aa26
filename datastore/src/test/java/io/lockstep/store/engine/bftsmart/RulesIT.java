package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cluster goes on to newer rules once all of its replicas know them, and never before. */
@Timeout(600)
class RulesIT {
  private static final String ADOPTED = "the cluster is at version 2";

  private static BatchingStoreClient client(ReplicaCluster cluster) {
    // Its session and its requests outlast the time in which replicas are exchanged.
    ClientConfig config =
        new ClientConfig(ReplicaCluster.NAME, cluster.members(), 5, 16, 1 << 20, 500, 60_000);
    return BatchingStoreClient.open(
        BftSmartClient.connect(config),
        new ClientOptions("rules", 120_000, 60_000, 1024, Map.of("t", TableSpec.values())),
        System::nanoTime,
        System::nanoTime);
  }

  private static Reply ask(BatchingStoreClient client, Command command) throws Exception {
    return client.submit(command).get(60, TimeUnit.SECONDS);
  }

  private static Command put(String key) {
    return new Command.Put("t", Bytes.utf8(key), Bytes.utf8(key));
  }

  private static long adopted(ReplicaCluster cluster, int id) {
    try {
      return cluster.logged(id, ADOPTED);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until all have said so, as often as they should by now. */
  private static void awaitAdopted(ReplicaCluster cluster, int times) {
    for (int id = 0; id < 3; id++) {
      int replica = id;
      Await.until(
          Duration.ofSeconds(60),
          () -> "replica " + replica + " does not go on to rules 2; " + cluster.describe(),
          () -> adopted(cluster, replica) >= times);
    }
  }

  @Test
  void emptyClusterBeginsWithTheNewestRulesAndKeepsThem() throws Exception {
    try (ReplicaCluster cluster = new ReplicaCluster(3, true).of(ReplicaMain.STORE)) {
      cluster.startAll();
      cluster.awaitAllOperational();
      awaitAdopted(cluster, 1);
      cluster.kill(0, 1, 2);
      cluster.startAll();
      cluster.awaitAllOperational();
      awaitAdopted(cluster, 2);
    }
  }

  @Test
  void clusterOfAnOlderProgramGoesOnToNewerRulesWhenItsLastReplicaDoes() throws Exception {
    try (ReplicaCluster cluster = new ReplicaCluster(3, true).of(ReplicaMain.STORE)) {
      cluster.of(ReplicaMain.OLDER_STORE).startAll();
      cluster.awaitAllOperational();
      try (BatchingStoreClient client = client(cluster)) {
        assertThat(ask(client, put("old"))).isInstanceOf(Reply.Applied.class);

        cluster.kill(0, 1);
        cluster.of(ReplicaMain.STORE).start(0, 1);
        cluster.awaitAllOperational();
        assertThat(ask(client, put("mixed"))).isInstanceOf(Reply.Applied.class);
        assertThat(adopted(cluster, 0) + adopted(cluster, 1)).as("rules 2 beside rules 1").isZero();

        cluster.kill(2);
        cluster.start(2);
        cluster.awaitAllOperational();
        awaitAdopted(cluster, 1);
        assertThat(ask(client, put("new"))).isInstanceOf(Reply.Applied.class);
        for (String key : new String[] {"old", "mixed", "new"}) {
          assertThat(ask(client, new Command.Get("t", Bytes.utf8(key))))
              .isInstanceOf(Reply.Found.class);
        }

        // The way back is closed: the older program says why, and the others go on without it.
        cluster.kill(1);
        cluster.of(ReplicaMain.OLDER_STORE).start(1);
        assertThat(cluster.awaitEnd(1)).isNotZero();
        assertThat(
                cluster.logged(1, "at version 2, this release of Lockstep knows versions up to 1"))
            .isPositive();
        assertThat(ask(client, put("without"))).isInstanceOf(Reply.Applied.class);

        // Nor does it take part with an empty directory.
        cluster.wipe(1);
        cluster.start(1);
        assertThat(cluster.awaitEnd(1)).isNotZero();
        cluster.wipe(1);
        cluster.of(ReplicaMain.STORE).start(1);
        cluster.awaitAllOperational();
      }
    }
  }
}
