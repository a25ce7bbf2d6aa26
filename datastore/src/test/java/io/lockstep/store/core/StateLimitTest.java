package io.lockstep.store.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.Row;
import io.lockstep.store.TableSpec;
import io.lockstep.store.engine.Rules;
import io.lockstep.store.engine.SnapshotBytes;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** At the limit of the state writes that make it larger are refused; all else goes on. */
class StateLimitTest {
  private static final Rules LIMIT = new Rules(2, 1);
  private static final Bytes KEY = Bytes.utf8("k");
  private static final String CLUSTER_TABLE = "cluster.nodes";

  /** Of the limit's half a quarter. */
  private static final long RESERVED_BYTES = 128 << 10;

  /** Puts its argument under as many keys as the argument's first byte says. */
  private static final MicroComponent FILL =
      StoreStateMachineTest.component(
          "fill",
          (transaction, argument) -> {
            for (int i = 0; i < argument.at(0); i++) {
              transaction.put("t", Bytes.utf8("fill" + i), argument);
            }
            return argument;
          });

  /** Moves an entry to a key of the same length. */
  private static final MicroComponent MOVE =
      StoreStateMachineTest.component(
          "move",
          (transaction, key) -> {
            transaction.put("t", Bytes.utf8("m" + key.toUtf8().substring(1)), value(1_000));
            transaction.remove("t", key);
            return Bytes.empty();
          });

  private final Replica replica = new Replica(FILL, MOVE).declare("t");
  private final long session = replica.open(600_000);
  private int filled;

  private static Bytes value(int length) {
    return Bytes.wrap(new byte[length]);
  }

  private static Bytes key(int number) {
    return Bytes.utf8("key" + (1_000 + number));
  }

  private Reply put(Bytes key, int length) {
    return done(new Command.Put("t", key, value(length)));
  }

  /** The next operation; its session acknowledges all before it. */
  private Reply done(Command command) {
    long id = 5_000L + filled++;
    return replica.send(session, id, id, command).replies().get(0);
  }

  private void fill() {
    replica.machine.adopt(LIMIT);
    int number = 0;
    while (number < 1_000 && put(key(number), 1_000) instanceof Reply.Applied) {
      number++;
    }
    assertThat(number).isBetween(300, 600);
    int more = 0;
    while (more < 100 && put(Bytes.utf8("more" + more), 0) instanceof Reply.Applied) {
      more++;
    }
    assertThat(more).isLessThan(100);
  }

  private static void isFull(Reply reply) {
    assertThat(reply)
        .isInstanceOfSatisfying(
            Reply.Rejected.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo(Reply.Reason.NO_ROOM);
              assertThat(refused.message())
                  .contains("store.stateMegabytes 1")
                  .contains("remove some, or raise the limit");
            });
  }

  @Test
  void whatMakesTheStateLargerIsRefusedByEveryCommand() {
    replica.declare(session, "rows", TableSpec.columns());
    done(new Command.PutColumns("rows", KEY, Row.of(Map.of("a", value(10)))));
    fill();
    byte[] before = SnapshotBytes.of(replica.machine);
    Row row = Row.of(Map.of("b", value(60_000)));
    isFull(put(Bytes.utf8("new"), 1_000));
    isFull(done(new Command.PutIfAbsent("t", Bytes.utf8("new"), value(1_000))));
    isFull(done(new Command.Put("t", key(0), value(80_000))));
    isFull(done(new Command.Increment("t", Bytes.utf8("n".repeat(1_000)), 1)));
    isFull(done(new Command.PutColumns("rows", KEY, row)));
    isFull(done(new Command.Call("fill", many())));
    isFull(
        done(
            new Command.Batch(
                List.of(), List.of(new Command.Put("t", Bytes.utf8("new"), value(1_000))))));
    Replica other = new Replica(FILL, MOVE);
    SnapshotBytes.restore(other.machine, before);
    long session0 = session;
    for (Command read :
        List.of(
            new Command.Scan("t", Bytes.empty(), null, 10_000),
            new Command.Scan("rows", Bytes.empty(), null, 10_000))) {
      assertThat(replica.run(session0, read)).isEqualTo(other.run(session0, read));
    }
  }

  private static Bytes many() {
    byte[] argument = new byte[10_000];
    argument[0] = 20;
    return Bytes.wrap(argument);
  }

  @Test
  void whatMakesItNoLargerGoesOn() {
    fill();
    assertThat(put(key(0), 1_000)).isInstanceOf(Reply.Applied.class);
    assertThat(put(key(1), 900)).isInstanceOf(Reply.Applied.class);
    assertThat(done(new Command.Call("move", key(2)))).isInstanceOf(Reply.Returned.class);
    Command swap =
        new Command.Batch(
            List.of(),
            List.of(
                new Command.Put("t", Bytes.utf8("key9999"), value(1_000)),
                new Command.Remove("t", key(3))));
    assertThat(done(swap)).isInstanceOf(Reply.Batched.class);
    assertThat(done(new Command.Get("t", key(0)))).isInstanceOf(Reply.Found.class);
    assertThat(done(new Command.KeepAlive())).isInstanceOf(Reply.Applied.class);
    // The limit does not keep a node from coming back, declaring its tables and leaving again.
    long another = replica.open(600_000);
    assertThat(another).isPositive();
    assertThat(replica.run(another, new Command.CreateTable("new", TableSpec.values())))
        .isInstanceOf(Reply.Applied.class);
    assertThat(replica.run(another, new Command.CloseSession(another)))
        .isInstanceOf(Reply.Applied.class);
  }

  @Test
  void aFullStoreStillTakesEntriesThatGrowALittle() {
    fill();
    for (int number = 0; number < 100; number++) {
      assertThat(put(key(number), 1_020)).isInstanceOf(Reply.Applied.class);
    }
    isFull(put(Bytes.utf8("new"), 0));
  }

  @Test
  void removingMakesRoomAndHistoriesDoNotTakeIt() {
    fill();
    for (int round = 0; round < 3_000; round++) {
      assertThat(put(key(round % 7), 1_000)).isInstanceOf(Reply.Applied.class);
    }
    isFull(put(Bytes.utf8("new"), 1_000));
    for (int number = 0; number < 10; number++) {
      assertThat(done(new Command.Remove("t", key(number)))).isInstanceOf(Reply.Applied.class);
    }
    for (int number = 0; number < 9; number++) {
      assertThat(put(Bytes.utf8("new" + number), 1_000)).isInstanceOf(Reply.Applied.class);
    }
  }

  @Test
  void loweringTheLimitRefusesGrowthAndKeepsWhatIsThere() {
    replica.machine.adopt(new Rules(2, 3));
    for (int number = 0; number < 800; number++) {
      assertThat(put(key(number), 1_000)).isInstanceOf(Reply.Applied.class);
    }
    replica.machine.adopt(LIMIT);
    isFull(put(Bytes.utf8("new"), 10));
    isFull(put(key(5), 1_001));
    assertThat(put(key(5), 1_000)).isInstanceOf(Reply.Applied.class);
    assertThat(done(new Command.Remove("t", key(5)))).isInstanceOf(Reply.Applied.class);
    replica.machine.adopt(new Rules(2, 3));
    assertThat(put(Bytes.utf8("new"), 10)).isInstanceOf(Reply.Applied.class);
  }

  private Reply putOfCluster(String key, int length) {
    return done(new Command.Put(CLUSTER_TABLE, Bytes.utf8(key), value(length)));
  }

  /** A batch that puts one entry into a table of the cluster's and one into another. */
  private static Command both(String key, Bytes otherKey, int otherLength) {
    return new Command.Batch(
        List.of(),
        List.of(
            new Command.Put(CLUSTER_TABLE, Bytes.utf8(key), value(100)),
            new Command.Put("t", otherKey, value(otherLength))));
  }

  @Test
  void aFullStoreHasRoomForTheTablesOfTheClusterAndForNoOthers() {
    replica.declare(session, CLUSTER_TABLE, TableSpec.values());
    fill();
    int written = 0;
    while (written < 1_000 && putOfCluster("n" + written, 1_000) instanceof Reply.Applied) {
      written++;
    }
    assertThat(written * 1_130L)
        .as("the reserve, and what is left for entries that grow")
        .isBetween(RESERVED_BYTES, RESERVED_BYTES + 4 * RESERVED_BYTES / 16);
    isFull(putOfCluster("new", 1_000));
    isFull(put(Bytes.utf8("new"), 0));
    assertThat(putOfCluster("n0", 1_000)).isInstanceOf(Reply.Applied.class);
    // What the cluster gives back is kept for it.
    assertThat(done(new Command.Remove(CLUSTER_TABLE, Bytes.utf8("n0"))))
        .isInstanceOf(Reply.Applied.class);
    isFull(put(Bytes.utf8("new"), 0));
    assertThat(putOfCluster("again", 900)).isInstanceOf(Reply.Applied.class);
  }

  @Test
  void aBatchUsesTheReserveForItsPartInTablesOfTheClusterOnly() {
    replica.declare(session, CLUSTER_TABLE, TableSpec.values());
    fill();
    isFull(done(both("n1", Bytes.utf8("new"), 0)));
    isFull(done(both("n1", key(0), 90_000)));
    assertThat(done(new Command.Get(CLUSTER_TABLE, Bytes.utf8("n1"))))
        .isInstanceOf(Reply.Absent.class);
    assertThat(done(both("n1", key(0), 1_000))).isInstanceOf(Reply.Batched.class);
  }

  /** As after an upgrade, too: what is there was written before there was a limit. */
  @Test
  void theReserveIsThereInAStateThatIsLargerThanItsLimit() {
    replica.declare(session, CLUSTER_TABLE, TableSpec.values());
    replica.machine.adopt(new Rules(2, 4));
    for (int number = 0; number < 1_000; number++) {
      assertThat(put(key(number), 1_000)).isInstanceOf(Reply.Applied.class);
    }
    replica.machine.adopt(LIMIT);
    isFull(put(Bytes.utf8("new"), 10));
    assertThat(putOfCluster("n", 1_000)).isInstanceOf(Reply.Applied.class);
  }

  /** A large network in a store that is not full. */
  @Test
  void tablesOfTheClusterTakeMoreThanTheirReserveWhereOthersLeaveRoom() {
    replica.declare(session, CLUSTER_TABLE, TableSpec.values());
    replica.machine.adopt(LIMIT);
    int written = 0;
    while (written < 1_000 && putOfCluster("n" + written, 1_000) instanceof Reply.Applied) {
      written++;
    }
    assertThat(written * 1_130L).isGreaterThan(3 * RESERVED_BYTES);
    isFull(put(Bytes.utf8("new"), 1_000));
  }

  @Test
  void oneTransactionWritesNoMoreThanItsBound() {
    replica.machine.adopt(new Rules(2, 200));
    byte[] argument = new byte[1 << 20];
    argument[0] = 17;
    assertThat(done(new Command.Call("fill", Bytes.wrap(argument))))
        .isInstanceOfSatisfying(
            Reply.Rejected.class,
            refused -> assertThat(refused.message()).contains(Limits.TRANSACTION_BYTES + " bytes"));
    argument[0] = 15;
    assertThat(done(new Command.Call("fill", Bytes.wrap(argument))))
        .isInstanceOf(Reply.Returned.class);
  }

  /** Else replicas would part: one counts what it restored, the other what it did. */
  @Property(tries = 60)
  void restoredReplicaRefusesTheSame(@ForAll long seed) {
    Random random = new Random(seed);
    Replica first = new Replica().declare("t", CLUSTER_TABLE);
    first.machine.adopt(LIMIT);
    Replica second = new Replica();
    long sender = first.open(600_000);
    SnapshotBytes.restore(second.machine, SnapshotBytes.of(first.machine));
    int refused = 0;
    for (int i = 0; i < 300; i++) {
      if (random.nextInt(20) == 0) {
        SnapshotBytes.restore(second.machine, SnapshotBytes.of(first.machine));
      }
      Bytes key = Bytes.copyOf((byte) random.nextInt(40));
      Command command =
          switch (random.nextInt(7)) {
            case 0 -> new Command.Remove("t", key);
            case 5 -> new Command.Remove(CLUSTER_TABLE, key);
            case 6 -> new Command.Put(CLUSTER_TABLE, key, value(random.nextInt(40_000)));
            case 1 ->
                new Command.Batch(
                    List.of(),
                    List.of(
                        new Command.Put("t", key, value(random.nextInt(90_000))),
                        new Command.Remove("t", Bytes.copyOf((byte) random.nextInt(40)))));
            default -> new Command.Put("t", key, value(random.nextInt(90_000)));
          };
      long acknowledged = Math.max(0, i - random.nextInt(4));
      var response = first.send(sender, acknowledged, i, command);
      assertThat(second.send(sender, acknowledged, i, command)).isEqualTo(response);
      refused += response.replies().get(0) instanceof Reply.Rejected ? 1 : 0;
    }
    assertThat(refused).as("seed %d", seed).isPositive();
    assertThat(SnapshotBytes.of(second.machine)).isEqualTo(SnapshotBytes.of(first.machine));
  }
}
