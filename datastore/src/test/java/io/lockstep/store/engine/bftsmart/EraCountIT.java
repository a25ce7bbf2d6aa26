package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The store itself across the ends of eras (docs/adr/0006): a client that tries again soon, and
 * whose replicas are killed there, has each of its operations counted once.
 */
@Timeout(600)
class EraCountIT {
  private static final int PER_ERA = 100;
  private static final int RETRY_MILLIS = 50;
  private static final Command.Increment PLUS_ONE = new Command.Increment("t", Bytes.utf8("k"), 1);

  private final AtomicLong nonces = new AtomicLong(System.nanoTime());

  private static long instance(ReplicaCluster cluster) {
    return IntStream.range(0, ReplicaCluster.SIZE)
        .mapToLong(id -> cluster.status(id).instance())
        .max()
        .orElseThrow();
  }

  @Test
  void incrementsAreCountedOnceAcrossTheEndsOfEras() throws Exception {
    try (ReplicaCluster cluster =
        new ReplicaCluster(3, true).of(ReplicaMain.STORE).withInstancesPerEra(PER_ERA)) {
      cluster.startAll();
      cluster.awaitAllOperational();
      ClientConfig config =
          new ClientConfig(
              ReplicaCluster.NAME, cluster.members(), 7, 16, 1 << 20, RETRY_MILLIS, 60_000);
      try (BatchingStoreClient client =
          BatchingStoreClient.open(
              BftSmartClient.connect(config),
              new ClientOptions(
                  "era-count", 120_000, 60_000, 1 << 16, Map.of("t", TableSpec.values())),
              System::nanoTime,
              nonces::getAndIncrement)) {
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        for (int era = 1; era <= 4; era++) {
          long end = era * (long) PER_ERA;
          submitUntil(cluster, client, replies, end - 3);
          int killed = era % 2 == 0 ? cluster.leader() : cluster.follower();
          if (era > 1) {
            cluster.kill(killed);
          }
          submitUntil(cluster, client, replies, end + 3);
          if (era > 1) {
            cluster.start(killed);
            cluster.awaitOperational(killed);
          }
        }
        assertThat(replies.stream().map(EraCountIT::value))
            .as("each counted once; those in flight together take effect in any order")
            .containsExactlyInAnyOrderElementsOf(
                LongStream.rangeClosed(1, replies.size()).boxed().toList());
        cluster.awaitAllOperational();
      }
    }
  }

  /** Operations keep coming, whether they are answered or not. */
  private static void submitUntil(
      ReplicaCluster cluster,
      BatchingStoreClient client,
      List<CompletableFuture<Reply>> replies,
      long instance) {
    Await.until(
        Duration.ofSeconds(60),
        () -> "instance " + instance + " is not reached: " + cluster.describe(),
        () -> {
          for (int i = 0; i < 3; i++) {
            replies.add(client.submit(PLUS_ONE));
          }
          return instance(cluster) >= instance;
        });
  }

  private static long value(CompletableFuture<Reply> reply) {
    Reply ended = reply.orTimeout(60, TimeUnit.SECONDS).join();
    assertThat(ended).isInstanceOf(Reply.Counter.class);
    return ((Reply.Counter) ended).value();
  }
}
