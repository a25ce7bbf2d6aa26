package io.lockstep.store.core;

import static io.lockstep.store.core.StoreStateMachineTest.component;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.Row;
import io.lockstep.store.TableSpec;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.RowCodec;
import io.lockstep.store.engine.OrderedReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Procedures inside the replicas (section IV-D of the paper): atomic, undone as a whole. */
class MicroComponentTest {
  private static final Bytes KEY = Bytes.utf8("k");
  private static final Bytes OLD = Bytes.utf8("old");
  private static final Bytes NEW = Bytes.utf8("new");

  @Test
  void writesAreOneOperationWithOneVersion() {
    Fixture fixture =
        new Fixture(
            (transaction, argument) -> {
              transaction.put("t", KEY, NEW);
              transaction.increment("c", KEY, 3);
              transaction.increment("c", KEY, 4);
              return argument;
            });
    assertThat(fixture.call()).isEqualTo(new Reply.Returned(Bytes.empty()));
    long index = fixture.replica.machine.index();
    assertThat(fixture.replica.get(fixture.session, "t", "k"))
        .isEqualTo(new Reply.Found(NEW, index));
    assertThat(fixture.changes(List.of("t", "c"), index - 1))
        .containsExactly(
            new Change(index, "c", KEY, Counters.bytesOf(7)), new Change(index, "t", KEY, NEW));
  }

  @Test
  void severalWritesToOneKeyAreOneChange() {
    Fixture fixture =
        new Fixture(
            (transaction, argument) -> {
              transaction.put("t", KEY, NEW);
              transaction.remove("t", KEY);
              transaction.put("t", KEY, OLD);
              transaction.put("gone", KEY, NEW);
              transaction.remove("gone", KEY);
              return argument;
            });
    fixture.call();
    long index = fixture.replica.machine.index();
    assertThat(fixture.changes(List.of("t", "gone"), index - 1))
        .containsExactly(new Change(index, "t", KEY, OLD));
  }

  @Test
  void oneKeyWrittenTwiceIsOneChangeToo() {
    Fixture fixture =
        new Fixture(
            (transaction, argument) -> {
              transaction.put("t", KEY, NEW);
              transaction.put("t", KEY, OLD);
              return argument;
            });
    fixture.call();
    long index = fixture.replica.machine.index();
    assertThat(fixture.changes(List.of("t"), index - 1))
        .containsExactly(new Change(index, "t", KEY, OLD));
  }

  @Test
  void refusalUndoesAnOnlyWrite() {
    assertUndone(
        "not mine",
        (transaction, argument) -> {
          transaction.put("t", KEY, NEW);
          throw new MicroComponent.Refusal("not mine");
        });
  }

  @Test
  void refusalUndoesEverything() {
    assertUndone(
        "not mine",
        (transaction, argument) -> {
          scribble(transaction);
          throw new MicroComponent.Refusal("not mine");
        });
  }

  @Test
  void exceptionUndoesEverythingAndTellsOnlyWhatIsTheSameEverywhere() {
    assertUndone(
        "it failed: java.lang.IllegalStateException",
        (transaction, argument) -> {
          scribble(transaction);
          throw new IllegalStateException("at " + System.nanoTime());
        });
  }

  @Test
  void crossedBoundUndoesEverything() {
    assertUndone(
        "table \"sys.sessions\" can only be read",
        (transaction, argument) -> {
          scribble(transaction);
          transaction.remove("sys.sessions", KEY);
          return argument;
        });
    assertUndone(
        "there is no table \"none\": it must be declared (CreateTable) before it is used",
        (transaction, argument) -> {
          scribble(transaction);
          transaction.put("none", KEY, NEW);
          return argument;
        });
    assertUndone(
        "a result is at most 1048576 bytes",
        (transaction, argument) -> {
          scribble(transaction);
          return Bytes.wrap(new byte[Limits.VALUE_BYTES + 1]);
        });
    assertUndone(
        "a call writes at most 10000 keys",
        (transaction, argument) -> {
          for (long i = 0; i <= Limits.CALL_WRITES; i++) {
            transaction.put("many", Counters.bytesOf(i), NEW);
          }
          return argument;
        });
    assertUndone(
        "not a counter: the value is not 8 bytes long",
        (transaction, argument) -> {
          scribble(transaction);
          transaction.increment("t", KEY, 1);
          return argument;
        });
  }

  @Test
  void errorPassesThrough() {
    Fixture fixture =
        new Fixture(
            (transaction, argument) -> {
              throw new OutOfMemoryError("simulated");
            });
    assertThatThrownBy(fixture::call).isInstanceOf(OutOfMemoryError.class);
  }

  @Test
  void transactionEndsWithTheCall() {
    List<Transaction> leaked = new ArrayList<>();
    Fixture fixture =
        new Fixture(
            (transaction, argument) -> {
              leaked.add(transaction);
              return argument;
            });
    fixture.call();
    assertThatThrownBy(() -> leaked.get(0).put("t", KEY, NEW))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void transactionSeesTablesTimeAndSessions() {
    List<Object> seen = new ArrayList<>();
    Fixture fixture =
        new Fixture(
            (transaction, argument) -> {
              transaction.put("t", Bytes.utf8("l"), NEW);
              seen.add(transaction.index());
              seen.add(transaction.timeMillis());
              seen.add(transaction.callerSession());
              seen.add(transaction.sessionAlive(transaction.callerSession()));
              seen.add(transaction.sessionAlive(99));
              seen.add(transaction.scan("t", Bytes.empty(), null, 10));
              seen.add(transaction.scan("t", Bytes.empty(), null, 1).size());
              seen.add(transaction.scan("made", Bytes.empty(), null, 1).size());
              return argument;
            });
    long before = fixture.replica.machine.index();
    fixture.call();
    assertThat(seen)
        .containsExactly(
            before + 1,
            1_000_000L,
            fixture.session,
            true,
            false,
            List.of(new Entry(KEY, OLD, before), new Entry(Bytes.utf8("l"), NEW, before + 1)),
            1,
            0);
  }

  @Test
  void columnsAndReferencesAreSeenToo() {
    List<Object> seen = new ArrayList<>();
    List<String> all = List.of();
    Fixture fixture =
        new Fixture(
            (transaction, argument) -> {
              transaction.putColumns("rows", KEY, Row.of(Map.of("x", OLD, "y", NEW)));
              seen.add(transaction.getColumns("rows", KEY, List.of("x")));
              seen.add(transaction.removeColumns("rows", KEY, List.of("x")));
              seen.add(transaction.removeColumns("rows", KEY, List.of("x")));
              seen.add(transaction.getColumns("rows", KEY, all));
              transaction.put("to-rows", OLD, KEY);
              seen.addAll(transaction.getThrough("to-rows", OLD, all));
              seen.addAll(transaction.getThrough("to-rows", NEW, all));
              seen.add(transaction.removeColumns("rows", KEY, all));
              seen.add(String.valueOf(transaction.getColumns("rows", KEY, all)));
              return argument;
            });
    fixture.declareRows();
    assertThat(fixture.call()).isEqualTo(new Reply.Returned(Bytes.empty()));
    long index = fixture.replica.machine.index();
    Row left = Row.of(Map.of("y", NEW));
    assertThat(seen)
        .containsExactly(
            Row.of(Map.of("x", OLD)),
            true,
            false,
            left,
            new Entry(KEY, RowCodec.encode(left), index),
            true,
            "null");
    assertThat(fixture.changes(List.of("rows", "to-rows"), index - 1))
        .containsExactly(new Change(index, "to-rows", OLD, KEY));
  }

  @Test
  void whatDoesNotFitTheKindUndoesEverything() {
    assertUndone(
        "Increment does not fit table \"rows\" of kind COLUMNS",
        (transaction, argument) -> {
          scribble(transaction);
          transaction.increment("rows", KEY, 1);
          return argument;
        });
    assertUndone(
        "PutColumns does not fit table \"t\" of kind VALUES",
        (transaction, argument) -> {
          scribble(transaction);
          transaction.putColumns("t", KEY, Row.of(Map.of("x", OLD)));
          return argument;
        });
    assertUndone(
        "a column's name is 1 to 64 bytes, not 0",
        (transaction, argument) -> {
          scribble(transaction);
          transaction.getColumns("rows", KEY, List.of(""));
          return argument;
        });
    assertUndone(
        "GetThrough does not fit table \"rows\" of kind COLUMNS",
        (transaction, argument) -> {
          scribble(transaction);
          transaction.getThrough("rows", KEY, List.of());
          return argument;
        });
  }

  @Test
  void unknownComponentIsRejected() {
    Fixture fixture = new Fixture((transaction, argument) -> argument);
    assertThat(fixture.replica.run(fixture.session, new Command.Call("other", KEY)))
        .isEqualTo(
            new Reply.Rejected(
                Reply.Reason.UNKNOWN_COMPONENT, "no micro component is called other"));
  }

  @Test
  void queryReadsAndLeavesNoRecord() {
    Fixture fixture =
        new Fixture(
            (transaction, argument) ->
                Bytes.utf8(String.valueOf(transaction.get("t", Bytes.utf8("k")))));
    Command query = new Command.Query("it", Bytes.empty());
    Reply first = fixture.replica.send(fixture.session, 0, 7, query).replies().get(0);
    assertThat(first).isInstanceOf(Reply.Returned.class);
    fixture.replica.put(fixture.session, "t", "k", "new");
    Reply copy = fixture.replica.send(fixture.session, 0, 7, query).replies().get(0);
    assertThat(copy).as("a copy reads again").isNotEqualTo(first);
  }

  @Test
  void queryThatWritesIsRefusedAndChangesNothing() {
    List<StoreStateMachineTest.Body> writes =
        List.of(
            (transaction, argument) -> {
              transaction.put("t", KEY, NEW);
              return argument;
            },
            (transaction, argument) -> {
              transaction.remove("t", Bytes.utf8("k"));
              return argument;
            },
            (transaction, argument) -> {
              transaction.increment("t", KEY, 1);
              return argument;
            });
    for (StoreStateMachineTest.Body write : writes) {
      Fixture fixture = new Fixture(write);
      Reply before = fixture.replica.get(fixture.session, "t", "k");
      assertThat(fixture.replica.run(fixture.session, new Command.Query("it", Bytes.empty())))
          .isEqualTo(
              new Reply.Rejected(
                  Reply.Reason.COMPONENT_REFUSED, "a query writes nothing: call it, to write"));
      assertThat(fixture.replica.get(fixture.session, "t", "k")).isEqualTo(before);
    }
  }

  @Test
  void queryThatIsToldTimeIndexOrSessionsRestsOnItsBatch() {
    List<StoreStateMachineTest.Body> told =
        List.of(
            (transaction, argument) -> Bytes.utf8("" + transaction.timeMillis()),
            (transaction, argument) -> Bytes.utf8("" + transaction.index()),
            (transaction, argument) -> Bytes.utf8("" + transaction.sessionAlive(1)));
    for (StoreStateMachineTest.Body body : told) {
      Fixture fixture = new Fixture(body);
      OrderedReply reply =
          fixture.replica.ordered(fixture.session, new Command.Query("it", Bytes.empty()));
      assertThat(reply.restsOn()).isEqualTo(OrderedReply.ITS_BATCH);
    }
  }

  private static void scribble(Transaction transaction) {
    transaction.put("t", KEY, NEW);
    transaction.put("made", KEY, NEW);
    transaction.remove("t", KEY);
    transaction.increment("t", Bytes.utf8("counter"), 1);
    transaction.put("t", KEY, NEW);
  }

  private static void assertUndone(String message, StoreStateMachineTest.Body body) {
    Fixture fixture = new Fixture(body);
    fixture.declareRows();
    Reply before = fixture.replica.get(fixture.session, "t", "k");
    long index = fixture.replica.machine.index();
    assertThat(fixture.call())
        .isEqualTo(new Reply.Rejected(Reply.Reason.COMPONENT_REFUSED, message));
    assertThat(fixture.replica.get(fixture.session, "t", "k")).isEqualTo(before);
    assertThat(fixture.changes(List.of("t", "made", "many"), index)).isEmpty();
    for (String table : List.of("t", "made", "many")) {
      Command scan = new Command.Scan(table, Bytes.empty(), null, 10);
      assertThat(((Reply.Entries) fixture.replica.run(fixture.session, scan)).entries())
          .hasSize(table.equals("t") ? 1 : 0);
    }
  }

  private static final class Fixture {
    final Replica replica;
    final long session;

    Fixture(StoreStateMachineTest.Body body) {
      replica = new Replica(component("it", body)).declare("t", "c", "gone", "made", "many");
      session = replica.open(600_000);
      replica.put(session, "t", "k", "old");
    }

    void declareRows() {
      replica.declare(session, "rows", TableSpec.columns());
      replica.declare(session, "to-rows", TableSpec.reference("rows"));
    }

    Reply call() {
      return replica.run(session, new Command.Call("it", Bytes.empty()));
    }

    List<Change> changes(List<String> tables, long after) {
      Reply reply = replica.run(session, new Command.ReadChanges(tables, after, 100));
      return ((Reply.Changes) reply).changes();
    }
  }
}
