package io.lockstep.store.client.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Command.Get;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.Reply.Absent;
import io.lockstep.store.Reply.Applied;
import io.lockstep.store.Reply.Found;
import io.lockstep.store.Row;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The rules of section IV-E of the paper, and those that make them hold over a network. */
class CachingStoreTest extends CachingStoreFixture {

  @Test
  void ageCountsFromWhenTheRequestWasSent() {
    CompletableFuture<AnsweredQuery> read = store.read(get("a"), 100);
    pass(60);
    answer(0, found("x", 5));
    assertThat(of(read)).isEqualTo(found("x", 5));
    pass(39);
    assertThat(of(store.read(get("a"), 100))).isEqualTo(found("x", 5));
    pass(1);
    assertThat(store.read(get("a"), 100)).isNotCompleted();
    assertThat(of(store.read(get("a"), 101))).isEqualTo(found("x", 5));
    assertThat(client.commands()).hasSize(2);
    assertThat(store.statistics().hits()).isEqualTo(2);
    assertThat(store.statistics().misses()).isEqualTo(2);
  }

  @Test
  void zeroBypassesTheCache() {
    load("a", found("x", 5));
    assertThat(store.read(get("a"), 0)).isNotCompleted();
    assertThat(store.submit(get("a"))).isNotCompleted();
    assertThat(store.statistics().bypassed()).isEqualTo(3);
  }

  @Test
  void absenceIsKeptToo() {
    load("a", new Absent());
    assertThat(of(store.read(get("a"), 10))).isEqualTo(new Absent());
  }

  @Test
  void readsShareARequestThatIsFreshEnough() {
    CompletableFuture<AnsweredQuery> first = store.read(get("a"), 100);
    pass(50);
    CompletableFuture<AnsweredQuery> second = store.read(get("a"), 51);
    CompletableFuture<AnsweredQuery> third = store.read(get("a"), 50);
    assertThat(client.commands()).hasSize(2);
    answer(0, found("x", 5));
    assertThat(of(first)).isEqualTo(found("x", 5));
    assertThat(of(second)).isEqualTo(found("x", 5));
    assertThat(third).isNotCompleted();
    assertThat(store.statistics().shared()).isEqualTo(1);
  }

  @Test
  void sharedRequestWithoutAnAnswerIsUnknownToAll() {
    CompletableFuture<AnsweredQuery> first = store.read(get("a"), 100);
    CompletableFuture<AnsweredQuery> second = store.read(get("a"), 100);
    Reply unknown = new Reply.Unknown("lost");
    answer(0, unknown);
    assertThat(of(first)).isEqualTo(unknown);
    assertThat(of(second)).isEqualTo(unknown);
    assertThat(store.read(get("a"), 100)).isNotCompleted();
  }

  @Test
  void olderAnswerThatComesLateIsNotKept() {
    CompletableFuture<AnsweredQuery> read = store.read(get("a"), 100);
    sent(store.submit(put("a", "new")));
    answer(1, new Applied(7));
    answer(0, found("old", 5));
    assertThat(of(read)).isEqualTo(found("old", 5));
    assertThat(of(store.read(get("a"), 100))).isEqualTo(found("new", 7));
  }

  @Test
  void newerAnswerThatComesLateIsKept() {
    asked(store.read(get("a"), 100));
    sent(store.submit(put("a", "new")));
    answer(1, new Applied(7));
    answer(0, found("newer", 9));
    assertThat(of(store.read(get("a"), 100))).isEqualTo(found("newer", 9));
  }

  @Test
  void ownWriteThatIsAnsweredLateDoesNotHideANewerOne() {
    sent(store.submit(put("a", "mine")));
    load("a", found("theirs", 9));
    answer(0, new Applied(7));
    assertThat(of(store.read(get("a"), 100))).isEqualTo(found("theirs", 9));
  }

  @Test
  void absenceThatCannotBeComparedDropsTheEntry() {
    asked(store.read(get("a"), 100));
    sent(store.submit(put("a", "mine")));
    answer(1, new Applied(7));
    answer(0, new Absent());
    assertThat(store.read(get("a"), 100)).isNotCompleted();
  }

  @Test
  void ownWriteAfterAnAbsenceThatCameMeanwhileDropsTheEntry() {
    sent(store.submit(put("a", "mine")));
    load("a", new Absent());
    answer(0, new Applied(7));
    assertThat(store.read(get("a"), 100)).isNotCompleted();
  }

  @Test
  void writesAnsweredInTheWrongOrder() {
    sent(store.submit(put("a", "first")));
    sent(store.submit(put("a", "second")));
    answer(1, new Applied(8));
    answer(0, new Applied(7));
    assertThat(of(store.read(get("a"), 100))).isEqualTo(found("second", 8));
  }

  @Test
  void evictedWriteIsNotReplacedByAnOlderOne() {
    CachingStore small = store(1, 1 << 20);
    sent(small.submit(put("a", "first")));
    sent(small.submit(put("a", "second")));
    answer(1, new Applied(8));
    sent(small.submit(put("b", "x")));
    answer(2, new Applied(9));
    answer(0, new Applied(7));
    assertThat(small.read(get("a"), 100)).isNotCompleted();
  }

  @Test
  void readAfterAWriteDoesNotShareARequestFromBefore() {
    asked(store.read(get("a"), 100));
    sent(store.submit(new Command.PutColumns("t", k("a"), Row.of(Map.of()))));
    answer(1, new Applied(7));
    CompletableFuture<AnsweredQuery> after = store.read(get("a"), 100);
    answer(0, found("old", 5));
    assertThat(after).isNotCompleted();
    assertThat(client.commands()).hasSize(3);
  }

  @Test
  void unknownOutcomeDropsTheEntry() {
    load("a", found("x", 5));
    asked(store.read(get("b"), 0));
    sent(store.submit(put("a", "y")));
    sent(store.submit(put("b", "y")));
    answer(2, new Reply.Unknown("lost"));
    answer(3, new Reply.Unknown("lost"));
    answer(1, found("x", 5));
    assertThat(store.read(get("a"), 100)).isNotCompleted();
    assertThat(store.read(get("b"), 100)).isNotCompleted();
  }

  @Test
  void refusedWriteLeavesTheEntryAndConflictBringsIt() {
    load("a", found("x", 5));
    sent(store.submit(put("a", "y")));
    answer(1, new Reply.Rejected(Reply.Reason.NOT_SENT, "full"));
    assertThat(of(store.read(get("a"), 100))).isEqualTo(found("x", 5));
    sent(store.submit(new Command.Replace("t", k("a"), 5, k("z"))));
    answer(2, new Reply.Conflict(k("w"), 8));
    assertThat(of(store.read(get("a"), 100))).isEqualTo(found("w", 8));
  }

  @Test
  void everyWriteShowsInTheCache() {
    sent(store.submit(new Command.Increment("t", k("n"), 3)));
    answer(0, new Reply.Counter(258, 4));
    assertThat(of(store.read(get("n"), 100)))
        .isEqualTo(new Found(Bytes.copyOf(new byte[] {0, 0, 0, 0, 0, 0, 1, 2}), 4));
    sent(store.submit(new Command.Remove("t", k("n"))));
    answer(1, new Applied(5));
    assertThat(of(store.read(get("n"), 100))).isEqualTo(new Absent());
    sent(store.submit(new Command.PutIfAbsent("t", k("n"), k("v"))));
    answer(2, new Applied(6));
    assertThat(of(store.read(get("n"), 100))).isEqualTo(found("v", 6));
    sent(store.submit(new Command.RemoveVersion("t", k("n"), 6)));
    answer(3, new Absent());
    assertThat(of(store.read(get("n"), 100))).isEqualTo(new Absent());
  }

  @Test
  void wholeRowsAreKeptAndColumnWritesDropThem() {
    Command whole = new Command.GetColumns("c", k("a"), List.of());
    Reply row = new Reply.Columns(Row.of(Map.of("x", k("1"))), 5);
    asked(store.read(whole, 100));
    answer(0, row);
    assertThat(of(store.read(whole, 100))).isEqualTo(row);
    assertThat(store.read(new Command.GetColumns("c", k("a"), List.of("x")), 100)).isNotCompleted();
    assertThat(store.read(new Get("c", k("a")), 100)).isNotCompleted();
    assertThat(client.commands()).hasSize(3);
    sent(store.submit(new Command.PutColumns("c", k("a"), Row.of(Map.of("y", k("2"))))));
    answer(3, new Applied(8));
    assertThat(store.read(whole, 100)).isNotCompleted();
  }

  @Test
  void readThroughReferencesIsKeptUntilATableOnTheWayIsWritten() {
    Command through = new Command.GetThrough("r", k("a"), List.of());
    Reply resolved = new Reply.Resolved(List.of(new Entry(k("b"), k("x"), 3)));
    asked(store.read(through, 100));
    answer(0, resolved);
    assertThat(of(store.read(through, 100))).isEqualTo(resolved);
    sent(store.submit(put("elsewhere", "y")));
    assertThat(of(store.read(through, 100))).isEqualTo(resolved);
    answer(1, new Applied(8));
    assertThat(store.read(through, 100)).isNotCompleted();
    sent(store.submit(put("again", "y")));
    answer(3, new Applied(9));
    answer(2, resolved);
    assertThat(store.read(through, 100)).isNotCompleted();
    Command unknownTables = new Command.GetThrough("elsewhere", k("a"), List.of());
    asked(store.read(unknownTables, 100));
    answer(5, resolved);
    assertThat(store.read(unknownTables, 100)).isNotCompleted();
  }

  @Test
  void callEmptiesWhatItMayHaveWritten() {
    load("a", found("x", 5));
    Command.Call call = new Command.Call("component", Bytes.empty());
    sent(store.call(call, List.of("u")));
    answer(1, new Reply.Returned(Bytes.empty()));
    assertThat(of(store.read(get("a"), 100))).isEqualTo(found("x", 5));
    sent(store.call(call, List.of("t")));
    answer(2, new Reply.Rejected(Reply.Reason.COMPONENT_REFUSED, "no"));
    assertThat(of(store.read(get("a"), 100))).isEqualTo(found("x", 5));
    sent(store.call(call, List.of("t")));
    answer(3, new Reply.Returned(Bytes.empty()));
    assertThat(store.read(get("a"), 100)).isNotCompleted();
    answer(4, found("x", 5));
    sent(store.submit(call));
    CompletableFuture<AnsweredQuery> meanwhile = store.read(get("b"), 100);
    answer(5, new Reply.Unknown("lost"));
    answer(6, found("y", 5));
    assertThat(meanwhile).isCompleted();
    assertThat(store.read(get("a"), 100)).isNotCompleted();
    assertThat(store.read(get("b"), 100)).isNotCompleted();
  }

  @Test
  void writeCarriesWhatItWasDecidedOn() {
    load("a", found("x", 5));
    load("b", new Absent());
    AnsweredQuery a = store.read(get("a"), 100).join();
    AnsweredQuery b = store.read(get("b"), 100).join();
    CompletableFuture<Reply> refused = store.write(List.of(put("c", "z")), List.of(a, b));
    assertThat(client.commands().get(2))
        .isEqualTo(
            new Command.Batch(
                List.of(new Command.Guard("t", k("a"), 5), new Command.Guard("t", k("b"), 0)),
                List.of(put("c", "z"))));
    Reply why = new Reply.BatchRefused(0, new Reply.Conflict(k("y"), 6));
    answer(2, why);
    assertThat(refused).isCompletedWithValue(why);
    assertThat(store.statistics().refusedWrites()).isEqualTo(1);
    assertThat(store.read(get("a"), 100)).isNotCompleted();
    assertThat(store.read(get("b"), 100)).isNotCompleted();
  }

  @Test
  void batchThatTookEffectShowsInTheCache() {
    Command increment = new Command.Increment("t", k("n"), 1);
    sent(store.write(List.of(put("a", "x"), put("a", "y"), get("b"), increment), List.of()));
    answer(
        0,
        new Reply.Batched(
            List.of(new Applied(9), new Applied(9), new Absent(), new Reply.Counter(1, 9)), 9));
    assertThat(of(store.read(get("a"), 100))).isEqualTo(found("y", 9));
    assertThat(of(store.read(get("b"), 100))).isEqualTo(new Absent());
    assertThat(of(store.read(get("n"), 100))).isInstanceOf(Found.class);
  }

  @Test
  void nothingIsDecidedOnAReplyThatShowsNoEntry() {
    AnsweredQuery unknown = new AnsweredQuery(get("a"), new Reply.Unknown("lost"));
    Command through = new Command.GetThrough("r", k("a"), List.of());
    AnsweredQuery resolved = new AnsweredQuery(through, new Reply.Resolved(List.of()));
    assertThatThrownBy(unknown::guard).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(resolved::guard).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store.read(put("a", "x"), 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> store.read(get("a"), -1)).isInstanceOf(IllegalArgumentException.class);
  }
}
