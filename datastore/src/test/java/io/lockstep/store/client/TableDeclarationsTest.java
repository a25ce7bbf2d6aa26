package io.lockstep.store.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.Reply.Reason;
import io.lockstep.store.TableSpec;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.SnapshotBytes;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A client declares its tables in every session, before anything else. In simulated time. */
class TableDeclarationsTest {
  private static final Bytes KEY = Bytes.utf8("k");
  private static final Map<String, TableSpec> TABLES =
      Map.of(
          "a-groups", TableSpec.references("b-macs"),
          "b-macs", TableSpec.reference("c-devices"),
          "c-devices", TableSpec.columns());

  private final SimulatedLoop loop = new SimulatedLoop();
  private final StoreStateMachine machine = new StoreStateMachine(List.of());
  private final Random random = new Random(1);
  private final SimulatedCluster cluster = new SimulatedCluster(loop, random, List.of(machine));

  TableDeclarationsTest() {
    cluster.heal();
  }

  @Test
  void tablesAreThereBeforeTheFirstCommand() {
    BatchingStoreClient client = open("node", TABLES);
    CompletableFuture<Reply> early = client.submit(new Command.Put("b-macs", KEY, KEY));
    loop.run(1_000);
    assertThat(early.join()).isInstanceOf(Reply.Applied.class);
    Reply all = run(client, new Command.Scan("sys.tables", Bytes.empty(), null, 10));
    assertThat(((Reply.Entries) all).entries()).hasSize(3);
  }

  @Test
  void storeThatBeganAnewGetsItsTablesBackWithTheNextSession() {
    byte[] empty = SnapshotBytes.of(machine);
    BatchingStoreClient client = open("node", TABLES);
    loop.run(1_000);
    long before = client.session().sessionId();
    SnapshotBytes.restore(machine, empty);
    loop.run(12_000);
    assertThat(client.session().sessionId()).isNotZero().isNotEqualTo(before);
    assertThat(run(client, new Command.Put("b-macs", KEY, KEY))).isInstanceOf(Reply.Applied.class);
  }

  @Test
  void sessionsOfAStoreThatBeganAnewAreNotTakenForThoseOfBefore() {
    byte[] empty = SnapshotBytes.of(machine);
    BatchingStoreClient first = open("first", Map.of("t", TableSpec.values()));
    loop.run(1_000);
    long before = first.session().sessionId();
    assertThat(run(first, new Command.Increment("t", KEY, 1))).isInstanceOf(Reply.Counter.class);
    SnapshotBytes.restore(machine, empty);
    // The other one's session is opened at the very index of the first one's.
    BatchingStoreClient second = open("second", Map.of("t", TableSpec.values()));
    loop.run(12_000);
    assertThat(List.of(first.session().sessionId(), second.session().sessionId()))
        .doesNotHaveDuplicates()
        .doesNotContain(before, 0L);
  }

  @Test
  void lostAnswerIsAskedForAgain() {
    SimulatedCluster.Connection connection = cluster.connect(4);
    BatchingStoreClient client = open(connection, "node", TABLES);
    for (int i = 0; i < 40 && client.session().sessionId() == 0; i++) {
      loop.run(1);
    }
    connection.setCut(true);
    CompletableFuture<Reply> early = client.submit(new Command.Put("b-macs", KEY, KEY));
    loop.run(2_500);
    assertThat(early).isNotDone();
    connection.setCut(false);
    loop.run(5_000);
    assertThat(early.join()).isInstanceOf(Reply.Applied.class);
  }

  @Test
  void refusalIsTheAnswerToEveryCommand() {
    run(open("first", Map.of("t", TableSpec.columns())), new Command.KeepAlive());
    BatchingStoreClient client =
        open("second", Map.of("t", TableSpec.values(), "u", TableSpec.values()));
    Reply.Rejected refused =
        new Reply.Rejected(
            Reason.WRONG_KIND,
            "the store refused table \"t\" of this client: table \"t\" is declared as COLUMNS"
                + " already, not as VALUES");
    assertThat(run(client, new Command.Put("u", KEY, KEY))).isEqualTo(refused);
    assertThat(run(client, new Command.KeepAlive())).isEqualTo(refused);
    loop.run(20_000);
    assertThat(client.session().sessionId()).isNotZero();
    assertThat(run(client, new Command.Get("u", KEY))).isEqualTo(refused);
  }

  @Test
  void whatCannotBeDeclaredIsRefusedAtOnce() {
    ClientOptions options = ClientOptions.of("node");
    assertThatThrownBy(
            () ->
                options.withTables(
                    Map.of("a", TableSpec.reference("b"), "b", TableSpec.references("a"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("circle");
    assertThatThrownBy(() -> options.withTables(Map.of("No", TableSpec.values())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("not the name of a table")
        .hasMessageEndingWith(": \"No\"");
    assertThatThrownBy(() -> options.withTables(Map.of("sys.t", TableSpec.values())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the store's own");
  }

  private Reply run(BatchingStoreClient client, Command command) {
    CompletableFuture<Reply> reply = client.submit(command);
    loop.run(2_000);
    return reply.join();
  }

  private BatchingStoreClient open(String owner, Map<String, TableSpec> tables) {
    return open(cluster.connect(4), owner, tables);
  }

  private BatchingStoreClient open(
      SimulatedCluster.Connection connection, String owner, Map<String, TableSpec> tables) {
    ClientOptions options = ClientOptions.of(owner).withTimeToLiveMillis(20_000).withTables(tables);
    return BatchingStoreClient.open(connection, options, loop::nowNanos, random::nextLong);
  }
}
