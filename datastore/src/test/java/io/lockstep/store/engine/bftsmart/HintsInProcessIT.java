package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ChangeFeed;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.log.DecisionLog;
import io.lockstep.store.log.disk.DiskLog;
import io.lockstep.store.log.disk.DiskLogOptions;
import io.lockstep.store.log.disk.FileStorage;
import io.lockstep.store.log.disk.Identity;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three replicas on disk with a feed beside each, as in three nodes: when all have seen a change.
 */
@Timeout(240)
class HintsInProcessIT {
  private static final String CLUSTER = "hints";
  private static final int LEASE_MILLIS = 3_000;
  private static final long SELDOM_MILLIS = LEASE_MILLIS * 15L / 64;
  private static final int WRITES = 300;
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir private Path directory;

  private final List<Member> members = ReplicaPorts.members(3);
  private final List<BftSmartReplica> replicas = new ArrayList<>();
  private final List<BatchingStoreClient> clients = new ArrayList<>();
  private final List<ChangeFeed> feeds = new ArrayList<>();
  private final List<AtomicLong> seen = new ArrayList<>();

  HintsInProcessIT() throws IOException {}

  /** Notes the newest value that a feed delivered. */
  private record Seen(AtomicLong newest) implements ChangeFeed.Listener {
    @Override
    public void snapshot(Map<String, List<Entry>> entries, long index) {}

    @Override
    public void changes(List<Change> changes, long upToIndex) {
      for (Change change : changes) {
        Bytes value = change.value();
        if (value != null) {
          newest.set(Long.parseLong(value.toUtf8()));
        }
      }
    }
  }

  private DecisionLog log(int id) throws IOException {
    return DiskLog.open(
        FileStorage.open(directory.resolve("r" + id)),
        new Identity(CLUSTER, id),
        DiskLogOptions.usual(),
        failure -> {});
  }

  private void start(int id) {
    StoreStateMachine machine = new StoreStateMachine(List.of());
    replicas.add(
        BftSmartReplica.start(
            ReplicaConfig.of(CLUSTER, id, members), machine, onFailure -> log(id), halted -> {}));
    BatchingStoreClient client =
        BatchingStoreClient.open(
            BftSmartClient.connect(ClientConfig.of(CLUSTER, members, 1 + id)),
            ClientOptions.of("n" + id)
                .withTimeToLiveMillis(LEASE_MILLIS)
                .withTables(Map.of("t", TableSpec.values())),
            System::nanoTime,
            System::nanoTime);
    clients.add(client);
    seen.add(new AtomicLong(-1));
    ChangeFeed feed =
        new ChangeFeed(client, client.loop(), List.of("t"), SELDOM_MILLIS, new Seen(seen.get(id)));
    feed.follow(machine.hints(), SELDOM_MILLIS);
    feed.start();
    feeds.add(feed);
  }

  /** Writes a value at one node; returns after how many nanoseconds all have seen it. */
  private long writeAndSee(int node, long value) throws Exception {
    long from = System.nanoTime();
    Command.Put put = new Command.Put("t", Bytes.utf8("k"), Bytes.utf8(Long.toString(value)));
    Reply reply = clients.get(node).submit(put).get(60, TimeUnit.SECONDS);
    assertThat(reply).isInstanceOf(Reply.Applied.class);
    long deadline = from + LONG.toNanos();
    while (!seen.stream().allMatch(one -> one.get() == value)) {
      assertThat(System.nanoTime() - deadline).as("value %s not seen", value).isNegative();
      Thread.onSpinWait();
    }
    return System.nanoTime() - from;
  }

  private double median(int first) throws Exception {
    double[] millis = new double[WRITES];
    for (int i = 0; i < WRITES; i++) {
      millis[i] = writeAndSee(i % 3, first + i) / 1e6;
    }
    Arrays.sort(millis);
    System.out.printf(
        "a change is seen on three nodes after: median %.2f ms, p99 %.2f ms, longest %.2f ms%n",
        millis[WRITES / 2], millis[WRITES * 99 / 100], millis[WRITES - 1]);
    return millis[WRITES / 2];
  }

  @Test
  void changeIsSeenOnAllNodesAndEachInstanceIsOneRecordAtMost() throws Exception {
    try {
      for (int id = 0; id < 3; id++) {
        start(id);
      }
      Await.until(
          LONG, () -> "no snapshot", () -> feeds.stream().allMatch(feed -> feed.upToIndex() >= 0));
      double cold = median(0);
      double warm = median(WRITES);
      assertThat(cold).isLessThan(SELDOM_MILLIS / 2.0);
      // 5 ms where nothing else runs.
      assertThat(warm).as("median").isLessThan(50);
      for (BftSmartReplica replica : replicas) {
        Map<String, Long> counts = replica.counts();
        assertThat(counts.get("instances")).isGreaterThanOrEqualTo(WRITES);
        assertThat(counts.get("requests")).isGreaterThanOrEqualTo(2 * WRITES);
        assertThat(counts.get("records")).isPositive();
        assertThat(counts.get("syncs")).isPositive();
      }
    } finally {
      feeds.forEach(ChangeFeed::close);
      clients.forEach(BatchingStoreClient::close);
      replicas.forEach(BftSmartReplica::close);
    }
  }
}
