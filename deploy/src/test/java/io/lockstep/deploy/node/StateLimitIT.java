package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.NodeProcess;
import io.lockstep.deploy.testbed.ThreeReplicas;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.Row;
import io.lockstep.store.TableSpec;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.Limits;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replicas on the default heap whose state is at its limit, of values, keys, rows and small entries
 * at their bounds: they refuse what makes it larger, carry out all else, and start again.
 */
class StateLimitIT {
  private static final int DEADLINE_SECONDS = 120;
  private static final String TABLE = "test.limit";
  private static final String ROWS = "test.rows";

  /** Values of 1 MiB that are on their way at once: more would wait for order, not for room. */
  private static final int LARGE_AT_ONCE = 4;

  private static final int SMALL_AT_ONCE = 2_000;
  private static final int LONG_KEYS_IN_A_BATCH = 900;
  private static final int LEASE_MILLIS = 6_000;

  @TempDir private Path directory;

  private static BatchingStoreClient client(ThreeReplicas replicas) {
    return replicas.client(
        77,
        ClientOptions.of("filler")
            .withTimeToLiveMillis(60_000)
            .withTables(Map.of(TABLE, TableSpec.values(), ROWS, TableSpec.columns())));
  }

  /** A command that was handed over, and can be handed over again: it is harmless to repeat. */
  private record Asked(Command command, CompletableFuture<Reply> reply) {
    static Asked of(BatchingStoreClient client, Command command) {
      return new Asked(command, client.submit(command));
    }

    /**
     * Its answer; asks again until it is known, since beside other work a client may give up before
     * its turn comes.
     */
    Reply answer(BatchingStoreClient client) throws Exception {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
      Reply known = reply.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
      while (isLate(known) && System.nanoTime() < deadline) {
        known = client.submit(command).get(DEADLINE_SECONDS, TimeUnit.SECONDS);
      }
      return known;
    }
  }

  private static Reply ask(BatchingStoreClient client, Command command) throws Exception {
    return Asked.of(client, command).answer(client);
  }

  private static boolean isLate(Reply reply) {
    return reply instanceof Reply.Unknown
        || (reply instanceof Reply.Rejected refused && refused.reason() == Reply.Reason.NOT_SENT);
  }

  private static boolean hasNoRoom(Reply reply) {
    return reply instanceof Reply.Rejected refused && refused.reason() == Reply.Reason.NO_ROOM;
  }

  private static Bytes key(String kind, int number) {
    return Bytes.utf8(kind + (10_000_000 + number));
  }

  private static Bytes longKey(int number) {
    byte[] key = new byte[Limits.KEY_BYTES];
    ByteBuffer.wrap(key).putInt(number);
    return Bytes.wrap(key);
  }

  /** Writes until there is no room; gives how many were written. All refusals are for room. */
  private static int fill(BatchingStoreClient client, int atOnce, IntFunction<Command> command)
      throws Exception {
    ArrayDeque<Asked> underWay = new ArrayDeque<>();
    int written = 0;
    boolean full = false;
    for (int number = 0; !full || !underWay.isEmpty(); ) {
      while (!full && underWay.size() < atOnce) {
        underWay.add(Asked.of(client, command.apply(number++)));
      }
      Reply reply = underWay.remove().answer(client);
      if (reply instanceof Reply.Applied) {
        written++;
      } else {
        assertThat(hasNoRoom(reply)).as("%s", reply).isTrue();
        full = true;
      }
    }
    return written;
  }

  private static void assertHealthy(ThreeReplicas replicas) {
    for (NodeProcess replica : replicas.all()) {
      assertThat(replica.running()).as(replica.lastLines()).isTrue();
      assertThat(replica.logLines()).noneMatch(line -> line.contains("OutOfMemoryError"));
    }
  }

  @Test
  void replicasAtTheLimitRefuseGrowthLiveAndStartAgain() throws Exception {
    Bytes large = Bytes.wrap(new byte[Limits.VALUE_BYTES]);
    try (ThreeReplicas replicas = ThreeReplicas.start(directory)) {
      replicas.all().forEach(replica -> replica.awaitLog("the cluster is at version 2"));
      try (BatchingStoreClient client = client(replicas)) {
        Row row = Row.of(Map.of("c", Bytes.wrap(new byte[Limits.VALUE_BYTES - 100])));
        assertThat(ask(client, new Command.PutColumns(ROWS, key("r", 0), row)))
            .isInstanceOf(Reply.Applied.class);
        int values = fill(client, LARGE_AT_ONCE, n -> new Command.Put(TABLE, key("v", n), large));
        int keys =
            fill(client, SMALL_AT_ONCE, n -> new Command.Put(TABLE, longKey(n), Bytes.empty()));
        int small =
            fill(client, SMALL_AT_ONCE, n -> new Command.Put(TABLE, key("s", n), Bytes.empty()));
        System.out.println(values + " values, " + keys + " keys, " + small + " small entries");
        assertThat(values).isBetween(30, 60);
        assertHealthy(replicas);

        overwriteAndRead(client, large, values, keys);
        assertHealthy(replicas);
      }
      replicas.restartAll();
      try (BatchingStoreClient client = client(replicas)) {
        Reply refused = ask(client, new Command.Put(TABLE, key("new", 0), large));
        assertThat(hasNoRoom(refused)).as("%s", refused).isTrue();
        assertThat(ask(client, new Command.Get(TABLE, key("v", 3))))
            .isInstanceOfSatisfying(
                Reply.Found.class, kept -> assertThat(kept.value()).isEqualTo(large));
        leaseOutlivesItsTimeToLive(replicas);
        for (int number = 0; number < 4; number++) {
          assertThat(ask(client, new Command.Remove(TABLE, key("v", number))))
              .isInstanceOf(Reply.Applied.class);
        }
        assertThat(ask(client, new Command.Put(TABLE, key("new", 0), large)))
            .isInstanceOf(Reply.Applied.class);
      }
      assertHealthy(replicas);
    }
  }

  /** In a full store too a session opens and is renewed. */
  private static void leaseOutlivesItsTimeToLive(ThreeReplicas replicas) throws Exception {
    ClientOptions options =
        ClientOptions.of("holder")
            .withTimeToLiveMillis(LEASE_MILLIS)
            .withTables(Map.of(TABLE, TableSpec.values()));
    try (BatchingStoreClient holder = replicas.client(78, options)) {
      assertThat(ask(holder, new Command.Get(TABLE, key("v", 3)))).isInstanceOf(Reply.Found.class);
      long session = holder.session().sessionId();
      assertThat(session).isNotZero();
      // Without renewals the session would end in this time.
      Thread.sleep(LEASE_MILLIS * 3L / 2);
      assertThat(ask(holder, new Command.Get(TABLE, key("v", 3)))).isInstanceOf(Reply.Found.class);
      assertThat(holder.session().sessionId()).as("the session of before").isEqualTo(session);
    }
  }

  /** Writes what is there already, under as many of the longest keys as a batch has room for. */
  private static Command longestBatch(int keys) {
    List<Command> puts = new ArrayList<>();
    for (int number = 0; number < Math.min(keys, LONG_KEYS_IN_A_BATCH); number++) {
      puts.add(new Command.Put(TABLE, longKey(number), Bytes.empty()));
    }
    return new Command.Batch(List.of(), puts);
  }

  /**
   * Every large value twice over, so that histories, snapshots and queues have their fill; and what
   * copies or records the most for each byte that is asked: rows, and batches that read and write.
   */
  private static void overwriteAndRead(
      BatchingStoreClient client, Bytes large, int values, int keys) throws Exception {
    assertThat(ask(client, longestBatch(keys))).isInstanceOf(Reply.Batched.class);
    ArrayDeque<Asked> underWay = new ArrayDeque<>();
    for (int i = 0; i < 2 * values; i++) {
      underWay.add(Asked.of(client, new Command.Put(TABLE, key("v", i % values), large)));
      if (underWay.size() == LARGE_AT_ONCE) {
        assertThat(underWay.remove().answer(client)).isInstanceOf(Reply.Applied.class);
      }
    }
    List<CompletableFuture<Reply>> reads = new ArrayList<>();
    underWay.forEach(one -> reads.add(one.reply()));
    for (int i = 0; i < 200; i++) {
      reads.add(client.submit(new Command.GetColumns(ROWS, key("r", 0), List.of())));
      reads.add(client.submit(new Command.Scan(TABLE, Bytes.empty(), null, Limits.RANGE_ENTRIES)));
      reads.add(client.submit(new Command.ReadChanges(List.of(TABLE), 0, Limits.RANGE_ENTRIES)));
      reads.add(client.submit(new Command.Replace(TABLE, key("v", i % values), 1, large)));
      Command get = new Command.Get(TABLE, key("v", i % values));
      Command put = new Command.Put(TABLE, longKey(0), Bytes.empty());
      reads.add(client.submit(new Command.Batch(List.of(), List.of(get, put))));
    }
    int answered = 0;
    for (CompletableFuture<Reply> read : reads) {
      Reply reply = read.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
      // On a slow machine some may wait longer than the client does.
      answered += reply instanceof Reply.Unknown || reply instanceof Reply.Rejected ? 0 : 1;
    }
    System.out.println(answered + " of " + reads.size() + " reads were answered in time");
    assertThat(answered).isPositive();
    assertThat(ask(client, new Command.KeepAlive())).isInstanceOf(Reply.Applied.class);
  }

  @Test
  void smallestLimitOfAllFilesCountsAndChangesWithThem() throws Exception {
    try (ThreeReplicas replicas = ThreeReplicas.prepare(directory)) {
      replicas.configure(1, "store: {stateMegabytes: 80}");
      replicas.configure(2, "store: {stateMegabytes: 80}");
      replicas.configure(3, "store: {stateMegabytes: 64}");
      replicas.startAll();
      replicas
          .all()
          .forEach(replica -> replica.awaitLog("version 2, and its state may take 64 MB"));
      NodeProcess third = replicas.all().get(2);
      replicas
          .all()
          .get(0)
          .awaitLog("replica 2 limits the state to 64 MB, this replica 0 to 80 MB");

      third.kill();
      replicas.configure(3, "store: {stateMegabytes: 80}");
      third.start();
      replicas
          .all()
          .forEach(replica -> replica.awaitLog("version 2, and its state may take 80 MB"));
      assertHealthy(replicas);
    }
  }

  @Test
  void limitThatTheHeapCannotHoldIsRefusedWithItsRemedy() throws Exception {
    try (ThreeReplicas replicas = ThreeReplicas.prepare(directory)) {
      replicas.configure(1, "store: {stateMegabytes: 500}");
      NodeProcess replica = replicas.all().get(0);
      replica.start();
      replica.awaitLog("does not fit into a heap of");
      assertThat(replica.process().waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(replica.process().exitValue()).isEqualTo(ExitCode.NEEDS_PERSON);
    }
  }
}
