package io.lockstep.store.core;

import static io.lockstep.store.core.ColumnsTest.isRejected;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Command;
import io.lockstep.store.Command.Guard;
import io.lockstep.store.Reply;
import io.lockstep.store.Reply.Reason;
import io.lockstep.store.Row;
import io.lockstep.store.TableSpec;
import io.lockstep.store.engine.SnapshotBytes;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several commands as one operation: all or none. */
class BatchTest {
  private static final Bytes KEY = Bytes.utf8("k");
  private static final Bytes OTHER = Bytes.utf8("l");
  private static final Bytes ONE = Bytes.utf8("1");
  private static final Bytes TWO = Bytes.utf8("2");

  private final Replica replica = new Replica().declare("a", "b");
  private final long session = replica.open(600_000);

  @BeforeEach
  void declare() {
    replica.declare(session, "rows", TableSpec.columns());
  }

  @Test
  void eachCommandSeesThoseBeforeItUnderOneIndex() {
    Reply reply =
        batch(
            new Command.Put("a", KEY, ONE),
            new Command.Get("a", KEY),
            new Command.PutColumns("rows", KEY, Row.of(Map.of("x", ONE))),
            new Command.GetColumns("rows", KEY, List.of()),
            new Command.Increment("b", KEY, 2),
            new Command.Increment("b", KEY, 3),
            new Command.Remove("a", OTHER),
            new Command.Scan("b", Bytes.empty(), null, 1));
    long index = replica.machine.index();
    Reply.Batched batched = (Reply.Batched) reply;
    assertThat(batched.version()).isEqualTo(index);
    assertThat(batched.replies().subList(0, 7))
        .containsExactly(
            new Reply.Applied(index),
            new Reply.Found(ONE, index),
            new Reply.Applied(index),
            new Reply.Columns(Row.of(Map.of("x", ONE)), index),
            new Reply.Counter(2, index),
            new Reply.Counter(5, index),
            new Reply.Absent());
    assertThat(((Reply.Entries) batched.replies().get(7)).entries()).hasSize(1);
  }

  @Test
  void changesArriveTogetherAndOnceForEachKey() {
    long before = replica.machine.index();
    batch(
        new Command.Put("b", KEY, ONE),
        new Command.Put("b", KEY, TWO),
        new Command.Put("a", KEY, ONE),
        new Command.Put("a", OTHER, ONE),
        new Command.Remove("a", OTHER));
    assertThat(changes(before, 1))
        .containsExactly(
            new Change(before + 1, "a", KEY, ONE), new Change(before + 1, "b", KEY, TWO));
  }

  @Test
  void failedCommandUndoesAll() {
    replica.put(session, "a", "k", "1");
    long version = replica.machine.index();
    Command write = new Command.Put("b", KEY, ONE);
    assertRefused(1, new Reply.Conflict(ONE, version), write, putIfAbsent("a"));
    assertRefused(
        1, new Reply.Conflict(ONE, version), write, new Command.Replace("a", KEY, 1, TWO));
    assertRefused(
        1, new Reply.Conflict(ONE, version), write, new Command.RemoveVersion("a", KEY, 1));
    assertRefused(1, new Reply.Absent(), write, new Command.Replace("a", OTHER, 1, TWO));
    assertRefused(1, new Reply.Absent(), write, new Command.RemoveVersion("a", OTHER, 1));
    Row row = Row.of(Map.of("x", ONE));
    assertRefused(
        2,
        new Reply.Absent(),
        write,
        new Command.PutColumns("rows", OTHER, row),
        new Command.ReplaceColumns("rows", KEY, 1, row));
    assertRefused(1, null, write, new Command.Increment("a", KEY, 1));
    assertRefused(1, null, write, new Command.Put("none", KEY, ONE));
    assertRefused(1, null, new Command.Remove("a", KEY), new Command.Put("rows", KEY, ONE));
  }

  @Test
  void readsThatFindNothingAreNoFailure() {
    assertThat(
            batch(
                new Command.Get("a", KEY),
                new Command.Remove("a", KEY),
                new Command.GetColumns("rows", KEY, List.of()),
                new Command.RemoveColumns("rows", KEY, List.of("x"))))
        .isEqualTo(
            new Reply.Batched(Collections.nCopies(4, new Reply.Absent()), replica.machine.index()));
  }

  @Test
  void guardsHoldTheVersionsThatADecisionWasMadeOn() {
    replica.put(session, "a", "k", "1");
    long version = replica.machine.index();
    List<Command> write = List.of(new Command.Put("b", KEY, ONE));
    Guard present = new Guard("a", KEY, version);
    Guard absent = new Guard("a", OTHER, 0);
    assertThat(run(new Command.Batch(List.of(present, absent), write)))
        .isInstanceOf(Reply.Batched.class);
    assertThat(run(new Command.Batch(List.of(present, new Guard("a", OTHER, 5)), write)))
        .isEqualTo(new Reply.BatchRefused(1, new Reply.Absent()));
    assertThat(run(new Command.Batch(List.of(new Guard("a", KEY, 0)), write)))
        .isEqualTo(new Reply.BatchRefused(0, new Reply.Conflict(ONE, version)));
    assertThat(run(new Command.Batch(List.of(absent, new Guard("a", KEY, version - 1)), write)))
        .isEqualTo(new Reply.BatchRefused(1, new Reply.Conflict(ONE, version)));
    assertThat(run(new Command.Batch(List.of(present, new Guard("none", KEY, 0)), write)))
        .matches(
            reply ->
                reply instanceof Reply.BatchRefused refused
                    && refused.position() == 1
                    && isRejected(refused.reply(), Reason.UNKNOWN_TABLE, "\"none\""));
    // Positions go on from the guards to the commands.
    assertThat(run(new Command.Batch(List.of(present, absent), List.of(putIfAbsent("a")))))
        .isEqualTo(new Reply.BatchRefused(2, new Reply.Conflict(ONE, version)));
  }

  @Test
  void guardHoldsForASession() {
    Guard alive = new Guard("sys.sessions", Counters.bytesOf(session), session >> 16);
    List<Command> write = List.of(new Command.Put("b", KEY, ONE));
    assertThat(run(new Command.Batch(List.of(alive), write))).isInstanceOf(Reply.Batched.class);
    long other = replica.open(600_000);
    replica.run(other, new Command.CloseSession(session));
    assertThat(replica.run(other, new Command.Batch(List.of(alive), write)))
        .isEqualTo(new Reply.BatchRefused(0, new Reply.Absent()));
  }

  @Test
  void whatIsNoReadOrWriteOfEntriesCannotBePart() {
    for (Command part :
        List.of(
            new Command.Call("it", KEY),
            new Command.ReadChanges(List.of("a"), 0, 1),
            new Command.OpenSession(1, "o", 1_000),
            new Command.KeepAlive(),
            new Command.CloseSession(session),
            new Command.CreateTable("t", TableSpec.values()),
            new Command.Batch(List.of(), List.of(new Command.Get("a", KEY))))) {
      String name = part.getClass().getSimpleName();
      assertThat(batch(new Command.Put("a", KEY, ONE), part))
          .isEqualTo(
              new Reply.Rejected(
                  Reason.OUT_OF_BOUNDS,
                  "command 1 of a batch: " + name + " cannot be part of a batch"));
    }
    assertThat(replica.get(session, "a", "k")).isEqualTo(new Reply.Absent());
  }

  @Test
  void sizesAreBounded() {
    Command get = new Command.Get("a", KEY);
    Guard guard = new Guard("a", KEY, 0);
    int most = Limits.BATCH_COMMANDS;
    List<Guard> guards = Collections.nCopies(most, guard);
    assertThat(run(new Command.Batch(guards, Collections.nCopies(most, get))))
        .isInstanceOf(Reply.Batched.class);
    assertOutOfBounds(
        new Command.Batch(List.of(), Collections.nCopies(most + 1, get)), "at most 1024 guards");
    assertOutOfBounds(
        new Command.Batch(Collections.nCopies(most + 1, guard), List.of()), "at most 1024 guards");
    assertOutOfBounds(new Command.Batch(List.of(), List.of()), "has a command or a guard");
    assertOutOfBounds(
        new Command.Batch(List.of(new Guard("a", KEY, -1)), List.of(get)),
        "guard 0: a version is 0 or more");
    Bytes half = Bytes.wrap(new byte[Limits.BATCH_BYTES / 2]);
    assertOutOfBounds(
        new Command.Batch(
            List.of(), List.of(new Command.Put("a", KEY, half), new Command.Put("b", KEY, half))),
        "a batch is at most 1048576 bytes, not 1048580");
    assertOutOfBounds(
        new Command.Batch(List.of(), List.of(get, new Command.Put("A", KEY, ONE))),
        "command 1 of a batch: not the name of a table");
  }

  @Test
  void repliesAreBoundedAndAllIsUndone() {
    replica.run(session, new Command.Put("a", KEY, Bytes.wrap(new byte[Limits.VALUE_BYTES])));
    Command get = new Command.Get("a", KEY);
    assertOutOfBounds(
        new Command.Batch(List.of(), List.of(new Command.Put("b", KEY, ONE), get, get)),
        "the replies to a batch are at most 2097152 bytes; those to its first 3 commands are more");
    assertThat(replica.get(session, "b", "k")).isEqualTo(new Reply.Absent());
    assertThat(batch(get)).isInstanceOf(Reply.Batched.class);
  }

  @Test
  void batchOfReadsLeavesNoRecordAndOneThatWritesDoes() {
    Command reads =
        new Command.Batch(
            List.of(new Guard("a", KEY, 0)),
            List.of(new Command.Get("a", KEY), new Command.Scan("a", KEY, null, 1)));
    replica.send(session, 0, 5, reads);
    long before = replica.machine.index();
    replica.send(session, 0, 5, reads);
    assertThat(replica.machine.index()).isEqualTo(before + 1);
    Command writes = new Command.Batch(List.of(), List.of(new Command.Increment("a", KEY, 1)));
    var first = replica.send(session, 0, 6, writes);
    assertThat(replica.send(session, 0, 6, writes)).isEqualTo(first);
    assertThat(replica.machine.index()).isEqualTo(before + 2);
    // The record survives in a snapshot.
    SnapshotBytes.restore(replica.machine, SnapshotBytes.of(replica.machine));
    assertThat(replica.send(session, 0, 6, writes)).isEqualTo(first);
  }

  private void assertRefused(int position, @Nullable Reply reply, Command... commands) {
    long before = replica.machine.index();
    Reply refused = batch(commands);
    assertThat(refused).isInstanceOf(Reply.BatchRefused.class);
    assertThat(((Reply.BatchRefused) refused).position()).isEqualTo(position);
    if (reply == null) {
      assertThat(((Reply.BatchRefused) refused).reply()).isInstanceOf(Reply.Rejected.class);
    } else {
      assertThat(((Reply.BatchRefused) refused).reply()).isEqualTo(reply);
    }
    assertThat(changes(before, 100)).isEmpty();
    assertThat(replica.get(session, "b", "k")).isEqualTo(new Reply.Absent());
    assertThat(replica.get(session, "a", "k")).isInstanceOf(Reply.Found.class);
    assertThat(replica.get(session, "rows", "l")).isEqualTo(new Reply.Absent());
  }

  private void assertOutOfBounds(Command.Batch batch, String text) {
    assertThat(run(batch)).matches(reply -> isRejected(reply, Reason.OUT_OF_BOUNDS, text), text);
  }

  private List<Change> changes(long after, int limit) {
    Reply reply = run(new Command.ReadChanges(List.of("a", "b", "rows"), after, limit));
    return ((Reply.Changes) reply).changes();
  }

  private static Command putIfAbsent(String table) {
    return new Command.PutIfAbsent(table, KEY, TWO);
  }

  private Reply batch(Command... commands) {
    return run(new Command.Batch(List.of(), List.of(commands)));
  }

  private Reply run(Command command) {
    return replica.run(session, command);
  }
}
