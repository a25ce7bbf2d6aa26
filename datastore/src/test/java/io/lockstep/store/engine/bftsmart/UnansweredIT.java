package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.log.DecisionLog;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Replicas are killed after they have logged and before they have replied. The client tries again;
 * the store counts every operation once. Until then nobody is told of what the disks may not have.
 */
@Timeout(600)
class UnansweredIT {
  private static final int OPERATIONS = 50;
  private static final Command.Increment PLUS_ONE = new Command.Increment("t", Bytes.utf8("k"), 1);

  private final AtomicLong nonces = new AtomicLong(System.nanoTime());
  private ReplicaCluster cluster;
  private BatchingStoreClient client;

  @BeforeEach
  void start() throws IOException {
    cluster = new ReplicaCluster(3, true).of(ReplicaMain.STORE);
    cluster.startAll();
    cluster.awaitAllOperational();
    client = connect(7);
    assertThat(value(client.submit(PLUS_ONE))).isEqualTo(1);
  }

  private BatchingStoreClient connect(int id) {
    ClientConfig config =
        new ClientConfig(ReplicaCluster.NAME, cluster.members(), id, 16, 1 << 20, 500, 60_000);
    return BatchingStoreClient.open(
        BftSmartClient.connect(config),
        // What finds no place in the window waits until the replicas are back.
        new ClientOptions("unanswered", 120_000, 120_000, 1024, Map.of("t", TableSpec.values())),
        System::nanoTime,
        nonces::getAndIncrement);
  }

  @AfterEach
  void stop() throws InterruptedException {
    client.close();
    cluster.close();
  }

  private static Reply ended(CompletableFuture<Reply> reply) {
    return reply.orTimeout(60, TimeUnit.SECONDS).join();
  }

  private static long value(CompletableFuture<Reply> reply) {
    Reply ended = ended(reply);
    assertThat(ended).isInstanceOf(Reply.Counter.class);
    return ((Reply.Counter) ended).value();
  }

  /**
   * @param meanwhile done while the operations are decided everywhere and answered nowhere
   */
  private List<CompletableFuture<Reply>> submitUnanswered(Runnable meanwhile) throws Exception {
    for (int id = 0; id < 3; id++) {
      assertThat(cluster.ask(id, "hold")).isEqualTo("ok");
    }
    long before = cluster.status(0).instance();
    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    for (int i = 0; i < OPERATIONS; i++) {
      replies.add(client.submit(PLUS_ONE));
    }
    for (int id = 0; id < 3; id++) {
      int replica = id;
      Await.until(
          Duration.ofSeconds(60),
          cluster::describe,
          () -> cluster.status(replica).instance() > before);
    }
    meanwhile.run();
    assertThat(replies).noneMatch(CompletableFuture::isDone);
    cluster.kill(0, 1, 2);
    int logged = 0;
    for (int id = 0; id < 3; id++) {
      try (DecisionLog log = cluster.openLog(id)) {
        logged += log.last().instance() > before ? 1 : 0;
      }
    }
    System.out.println(logged + " of 3 disks have what was never answered");
    return replies;
  }

  private void countedOnce(List<CompletableFuture<Reply>> replies) {
    assertThat(replies.stream().map(UnansweredIT::value))
        .as("each counted once; those in flight together take effect in any order")
        .containsExactlyInAnyOrderElementsOf(
            java.util.stream.LongStream.rangeClosed(2, OPERATIONS + 1).boxed().toList());
    assertThat(value(client.submit(new Command.Increment("t", Bytes.utf8("k"), 0))))
        .isEqualTo(OPERATIONS + 1);
  }

  @Test
  void readsAreAnsweredWithoutTheDiskUnlessTheyTellWhatItDoesNotHave() throws Exception {
    Command.Get old = new Command.Get("t", Bytes.utf8("old"));
    Command.Get counter = new Command.Get("t", Bytes.utf8("k"));
    Reply written = ended(client.submit(new Command.Put("t", old.key(), Bytes.utf8("v"))));
    Reply found = new Reply.Found(Bytes.utf8("v"), ((Reply.Applied) written).version());
    List<CompletableFuture<Reply>> told = new ArrayList<>();
    List<CompletableFuture<Reply>> replies;
    // Another client: what is read in one request is answered together.
    try (BatchingStoreClient other = connect(8)) {
      assertThat(ended(other.submit(old))).isEqualTo(found);
      replies =
          submitUnanswered(
              () -> {
                told.add(client.submit(counter));
                for (int i = 0; i < 10; i++) {
                  assertThat(ended(other.submit(old))).isEqualTo(found);
                }
                assertThat(told.get(0)).isNotDone();
              });
    }
    cluster.startAll();
    cluster.awaitAllOperational();
    countedOnce(replies);
    assertThat(ended(told.get(0))).isInstanceOf(Reply.Found.class);
  }

  @Test
  void allKilledBetweenLogAndReply() throws Exception {
    List<CompletableFuture<Reply>> replies = submitUnanswered(() -> {});
    cluster.startAll();
    cluster.awaitAllOperational();
    countedOnce(replies);
  }

  @Test
  void oneOfThemComesBackWithoutItsDiskAndTheOthersWithTheirs() throws Exception {
    List<CompletableFuture<Reply>> replies = submitUnanswered(() -> {});
    cluster.wipe(1);
    cluster.startAll();
    cluster.awaitAllOperational();
    countedOnce(replies);
  }
}
