package io.lockstep.store.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Command;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The history: merged in order, never splitting an operation, bounded. */
class ReadChangesTest {
  private static final MicroComponent BOTH =
      StoreStateMachineTest.component(
          "both",
          (transaction, argument) -> {
            transaction.put("b", argument, argument);
            transaction.put("a", argument, argument);
            transaction.put("a", Bytes.utf8("more"), argument);
            return argument;
          });

  private final Replica replica =
      new Replica(new HistoryBounds(8, 4_000, 6_000), BOTH)
          .declare("a", "b", "other", "quiet", "busy");
  private final long session = replica.open(600_000);
  private final long start = replica.machine.index();

  @Test
  void tablesAreMergedInTheOrderOfTheIndex() {
    replica.put(session, "b", "1", "x");
    replica.put(session, "a", "2", "x");
    replica.put(session, "other", "3", "x");
    replica.put(session, "b", "4", "x");
    Reply.Changes changes = read(start, 10, "a", "b", "a", "quiet");
    assertThat(changes.changes())
        .extracting(change -> change.key().toUtf8())
        .containsExactly("1", "2", "4");
    assertThat(changes.upToIndex()).isEqualTo(replica.machine.index());
  }

  @Test
  void changesOfOneOperationAreNeverSplit() {
    replica.put(session, "a", "1", "x");
    replica.run(session, new Command.Call("both", Bytes.utf8("2")));
    replica.put(session, "b", "3", "x");
    Reply.Changes cut = read(start, 2, "a", "b");
    assertThat(cut.changes())
        .extracting(change -> change.table() + change.key().toUtf8())
        .containsExactly("a1", "a2", "amore", "b2");
    assertThat(cut.upToIndex()).isEqualTo(start + 2);
    Reply.Changes rest = read(cut.upToIndex(), 2, "a", "b");
    assertThat(rest.changes()).extracting(Change::index).containsExactly(start + 3);
    assertThat(rest.upToIndex()).isEqualTo(replica.machine.index());
  }

  @Test
  void futureIndexAsksOnlyForThePresentOne() {
    replica.put(session, "a", "1", "x");
    assertThat(read(Long.MAX_VALUE, 1, "a"))
        .isEqualTo(new Reply.Changes(List.of(), replica.machine.index()));
  }

  @Test
  void removeIsAChangeWithoutValue() {
    replica.put(session, "a", "1", "x");
    replica.run(session, new Command.Remove("a", Bytes.utf8("1")));
    assertThat(read(start + 1, 10, "a").changes())
        .containsExactly(new Change(start + 2, "a", Bytes.utf8("1"), null));
  }

  @Test
  void tableKeepsItsNewestChanges() {
    for (int i = 0; i < 20; i++) {
      replica.put(session, "a", "k", "v" + i);
    }
    assertThat(answer(start + 11, 100, "a"))
        .isEqualTo(new Reply.Compacted(replica.machine.index()));
    assertThat(read(start + 12, 100, "a").changes()).hasSize(8);
  }

  @Test
  void quietTableKeepsItsHistoryBesideABusyOne() {
    replica.put(session, "quiet", "k", "v");
    for (int i = 0; i < 20; i++) {
      replica.put(session, "busy", "k", "v" + i);
    }
    assertThat(read(start, 100, "quiet").changes()).hasSize(1);
    assertThat(answer(start, 100, "quiet", "busy")).isInstanceOf(Reply.Compacted.class);
  }

  @Test
  void bytesOfOneTableAndOfAllAreBounded() {
    String large = "x".repeat(1_000);
    for (int i = 0; i < 4; i++) {
      replica.put(session, "a", "k", large);
    }
    assertThat(answer(start, 100, "a")).isInstanceOf(Reply.Compacted.class);
    assertThat(read(start + 1, 100, "a").changes()).hasSize(3);
    replica.put(session, "b", "k", large);
    replica.put(session, "b", "k", large);
    // 5 x 1065 bytes and about 600 of the store's own tables were within 6000; now a sixth made the
    // oldest go, down to 5250.
    replica.put(session, "b", "k", large);
    assertThat(answer(start + 2, 100, "a")).isInstanceOf(Reply.Compacted.class);
    assertThat(read(start + 4, 100, "b").changes()).hasSize(3);
  }

  @Test
  void answerOfManyBytesEndsEarly() {
    Replica roomy = new Replica().declare("a");
    long writer = roomy.open(600_000);
    String large = "x".repeat(400_000);
    for (int i = 0; i < 8; i++) {
      roomy.put(writer, "a", "k", large);
    }
    List<Long> indexes = new ArrayList<>();
    long end = roomy.machine.index();
    long after = 0;
    int answers = 0;
    while (after < end) {
      Reply reply = roomy.run(writer, new Command.ReadChanges(List.of("a"), after, 100));
      Reply.Changes changes = (Reply.Changes) reply;
      changes.changes().forEach(change -> indexes.add(change.index()));
      after = changes.upToIndex();
      answers++;
    }
    assertThat(indexes)
        .containsExactlyElementsOf(LongStream.rangeClosed(end - 7, end).boxed().toList());
    assertThat(answers).isEqualTo(3);
  }

  private Reply answer(long after, int limit, String... tables) {
    return replica.run(session, new Command.ReadChanges(List.of(tables), after, limit));
  }

  private Reply.Changes read(long after, int limit, String... tables) {
    Reply reply = answer(after, limit, tables);
    assertThat(reply).isInstanceOf(Reply.Changes.class);
    return (Reply.Changes) reply;
  }
}
