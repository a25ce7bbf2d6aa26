package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.launch.PortBlock;
import io.lockstep.deploy.testbed.NodeProcess;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.Row;
import io.lockstep.store.TableSpec;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.Limits;
import io.lockstep.store.engine.bftsmart.BftSmartClient;
import io.lockstep.store.engine.bftsmart.ClientConfig;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
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

  @TempDir private Path directory;

  private NodeProcess replica(PortBlock ports, int number, String store) throws IOException {
    Path file = directory.resolve("s" + number + ".yaml");
    int admin = ports.port(10 + number);
    String text =
        """
        cluster: limit
        node: s%d
        members: [{id: n1, host: 127.0.0.1, nodePort: %d}]
        replicas:
          - {id: s1, host: 127.0.0.1, storePort: %d}
          - {id: s2, host: 127.0.0.1, storePort: %d}
          - {id: s3, host: 127.0.0.1, storePort: %d}
        openflow: {host: 127.0.0.1, port: %d}
        admin: {port: %d}
        %s
        """;
    Files.writeString(
        file,
        text.formatted(
            number,
            ports.port(20),
            ports.port(1),
            ports.port(3),
            ports.port(5),
            ports.port(21),
            admin,
            store));
    Path log = directory.resolve("s" + number + ".log");
    return new NodeProcess("s" + number, "replica", file, log, "127.0.0.1:" + admin);
  }

  private static BatchingStoreClient client(PortBlock ports) {
    List<Member> members = new ArrayList<>();
    for (int id = 0; id < 3; id++) {
      members.add(new Member(id, "127.0.0.1", ports.port(1 + 2 * id)));
    }
    return BatchingStoreClient.open(
        BftSmartClient.connect(ClientConfig.of("limit", members, 77)),
        ClientOptions.of("filler")
            .withTimeToLiveMillis(60_000)
            .withTables(Map.of(TABLE, TableSpec.values(), ROWS, TableSpec.columns())),
        System::nanoTime,
        System::nanoTime);
  }

  private static Reply ask(BatchingStoreClient client, Command command) throws Exception {
    return client.submit(command).get(DEADLINE_SECONDS, TimeUnit.SECONDS);
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
    ArrayDeque<CompletableFuture<Reply>> underWay = new ArrayDeque<>();
    int written = 0;
    boolean full = false;
    for (int number = 0; !full || !underWay.isEmpty(); ) {
      while (!full && underWay.size() < atOnce) {
        underWay.add(client.submit(command.apply(number++)));
      }
      Reply reply = underWay.remove().get(DEADLINE_SECONDS, TimeUnit.SECONDS);
      if (reply instanceof Reply.Applied) {
        written++;
      } else {
        assertThat(hasNoRoom(reply)).as("%s", reply).isTrue();
        full = true;
      }
    }
    return written;
  }

  private static void assertHealthy(List<NodeProcess> replicas) {
    for (NodeProcess replica : replicas) {
      assertThat(replica.running()).as(replica.lastLines()).isTrue();
      assertThat(replica.logLines()).noneMatch(line -> line.contains("OutOfMemoryError"));
    }
  }

  @Test
  void replicasAtTheLimitRefuseGrowthLiveAndStartAgain() throws Exception {
    List<NodeProcess> replicas = new ArrayList<>();
    Bytes large = Bytes.wrap(new byte[Limits.VALUE_BYTES]);
    try (PortBlock ports = PortBlock.take()) {
      for (int number = 1; number <= 3; number++) {
        replicas.add(replica(ports, number, ""));
      }
      replicas.forEach(NodeProcess::start);
      replicas.forEach(NodeProcess::awaitReady);
      replicas.forEach(replica -> replica.awaitLog("the state follows rules 2"));
      try (BatchingStoreClient client = client(ports)) {
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

        overwriteAndRead(client, large, values);
        assertHealthy(replicas);
      }
      replicas.forEach(NodeProcess::kill);
      replicas.forEach(NodeProcess::start);
      replicas.forEach(NodeProcess::awaitReady);
      try (BatchingStoreClient client = client(ports)) {
        assertThat(hasNoRoom(ask(client, new Command.Put(TABLE, key("new", 0), large)))).isTrue();
        assertThat(ask(client, new Command.Get(TABLE, key("v", 3))))
            .isInstanceOfSatisfying(
                Reply.Found.class, kept -> assertThat(kept.value()).isEqualTo(large));
        for (int number = 0; number < 4; number++) {
          assertThat(ask(client, new Command.Remove(TABLE, key("v", number))))
              .isInstanceOf(Reply.Applied.class);
        }
        assertThat(ask(client, new Command.Put(TABLE, key("new", 0), large)))
            .isInstanceOf(Reply.Applied.class);
      }
      assertHealthy(replicas);
    } finally {
      replicas.forEach(NodeProcess::close);
    }
  }

  /**
   * Every large value twice over, so that histories, snapshots and queues have their fill; and what
   * copies the most for each byte that is asked: rows, beside writes and alone.
   */
  private static void overwriteAndRead(BatchingStoreClient client, Bytes large, int values)
      throws Exception {
    ArrayDeque<CompletableFuture<Reply>> underWay = new ArrayDeque<>();
    for (int i = 0; i < 2 * values; i++) {
      underWay.add(client.submit(new Command.Put(TABLE, key("v", i % values), large)));
      if (underWay.size() == LARGE_AT_ONCE) {
        assertThat(underWay.remove().get(DEADLINE_SECONDS, TimeUnit.SECONDS))
            .isInstanceOf(Reply.Applied.class);
      }
    }
    List<CompletableFuture<Reply>> reads = new ArrayList<>(underWay);
    for (int i = 0; i < 200; i++) {
      reads.add(client.submit(new Command.GetColumns(ROWS, key("r", 0), List.of())));
      reads.add(client.submit(new Command.Scan(TABLE, Bytes.empty(), null, Limits.RANGE_ENTRIES)));
      reads.add(client.submit(new Command.ReadChanges(List.of(TABLE), 0, Limits.RANGE_ENTRIES)));
      reads.add(client.submit(new Command.Replace(TABLE, key("v", i % values), 1, large)));
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
    List<NodeProcess> replicas = new ArrayList<>();
    try (PortBlock ports = PortBlock.take()) {
      replicas.add(replica(ports, 1, "store: {stateMegabytes: 80}"));
      replicas.add(replica(ports, 2, "store: {stateMegabytes: 80}"));
      replicas.add(replica(ports, 3, "store: {stateMegabytes: 64}"));
      replicas.forEach(NodeProcess::start);
      replicas.forEach(NodeProcess::awaitReady);
      replicas.forEach(replica -> replica.awaitLog("rules 2 and may take 64 MB"));
      replicas.get(0).awaitLog("64 MB by the configuration of replica 2, 80 MB by that of this");

      replicas.get(2).kill();
      replicas.get(2).close();
      replicas.set(2, replica(ports, 3, "store: {stateMegabytes: 80}"));
      replicas.get(2).start();
      replicas.forEach(replica -> replica.awaitLog("rules 2 and may take 80 MB"));
      assertHealthy(replicas);
    } finally {
      replicas.forEach(NodeProcess::close);
    }
  }

  @Test
  void limitThatTheHeapCannotHoldIsRefusedWithItsRemedy() throws Exception {
    try (PortBlock ports = PortBlock.take();
        NodeProcess replica = replica(ports, 1, "store: {stateMegabytes: 500}")) {
      replica.start();
      replica.awaitLog("does not fit into a heap of");
      assertThat(replica.process().waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(replica.process().exitValue()).isEqualTo(1);
    }
  }
}
