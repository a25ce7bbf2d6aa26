package io.lockstep.store.client.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Command.Get;
import io.lockstep.store.Command.Put;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.Reply.Absent;
import io.lockstep.store.Reply.Applied;
import io.lockstep.store.Reply.Found;
import io.lockstep.store.Row;
import io.lockstep.store.TableSpec;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The rules of section IV-E of the paper, and those that make them hold over a network. */
class CachingStoreTest {
  private static final Map<String, TableSpec> TABLES =
      Map.of("t", TableSpec.values(), "r", TableSpec.reference("t"), "c", TableSpec.columns());

  private final ScriptedClient client = new ScriptedClient();
  private long nowNanos = 1_000_000_000;
  private long term;
  private final CachingStore store = store(100, 1 << 20);

  private CachingStore store(int entries, long bytes) {
    return CachingStore.over(client, () -> nowNanos, new CacheOptions(entries, bytes, TABLES));
  }

  private static Bytes k(String text) {
    return Bytes.utf8(text);
  }

  private static Get get(String key) {
    return new Get("t", k(key));
  }

  private static Put put(String key, String value) {
    return new Put("t", k(key), k(value));
  }

  private static Found found(String value, long version) {
    return new Found(k(value), version);
  }

  private void pass(long millis) {
    nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** A read that must be answered by now. */
  private static Reply of(CompletableFuture<Seen> read) {
    assertThat(read).isCompleted();
    return read.join().reply();
  }

  private void load(String key, Reply reply) {
    CompletableFuture<Seen> read = store.read(get(key), 0);
    client.answer(client.commands().size() - 1, reply);
    assertThat(of(read)).isEqualTo(reply);
  }

  @Test
  void ageCountsFromWhenTheRequestWasSent() {
    CompletableFuture<Seen> read = store.read(get("a"), 100);
    pass(60);
    client.answer(0, found("x", 5));
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
    CompletableFuture<Seen> first = store.read(get("a"), 100);
    pass(50);
    CompletableFuture<Seen> second = store.read(get("a"), 51);
    CompletableFuture<Seen> third = store.read(get("a"), 50);
    assertThat(client.commands()).hasSize(2);
    client.answer(0, found("x", 5));
    assertThat(of(first)).isEqualTo(found("x", 5));
    assertThat(of(second)).isEqualTo(found("x", 5));
    assertThat(third).isNotCompleted();
    assertThat(store.statistics().shared()).isEqualTo(1);
  }

  @Test
  void sharedRequestWithoutAnAnswerIsUnknownToAll() {
    CompletableFuture<Seen> first = store.read(get("a"), 100);
    CompletableFuture<Seen> second = store.read(get("a"), 100);
    Reply unknown = new Reply.Unknown("lost");
    client.answer(0, unknown);
    assertThat(of(first)).isEqualTo(unknown);
    assertThat(of(second)).isEqualTo(unknown);
    assertThat(store.read(get("a"), 100)).isNotCompleted();
  }

  @Test
  void olderAnswerThatComesLateIsNotKept() {
    CompletableFuture<Seen> read = store.read(get("a"), 100);
    store.submit(put("a", "new"));
    client.answer(1, new Applied(7));
    client.answer(0, found("old", 5));
    assertThat(of(read)).isEqualTo(found("old", 5));
    assertThat(of(store.read(get("a"), 100))).isEqualTo(found("new", 7));
  }

  @Test
  void newerAnswerThatComesLateIsKept() {
    store.read(get("a"), 100);
    store.submit(put("a", "new"));
    client.answer(1, new Applied(7));
    client.answer(0, found("newer", 9));
    assertThat(of(store.read(get("a"), 100))).isEqualTo(found("newer", 9));
  }

  @Test
  void ownWriteThatIsAnsweredLateDoesNotHideANewerOne() {
    store.submit(put("a", "mine"));
    load("a", found("theirs", 9));
    client.answer(0, new Applied(7));
    assertThat(of(store.read(get("a"), 100))).isEqualTo(found("theirs", 9));
  }

  @Test
  void absenceThatCannotBeComparedDropsTheEntry() {
    store.read(get("a"), 100);
    store.submit(put("a", "mine"));
    client.answer(1, new Applied(7));
    client.answer(0, new Absent());
    assertThat(store.read(get("a"), 100)).isNotCompleted();
  }

  @Test
  void ownWriteAfterAnAbsenceThatCameMeanwhileDropsTheEntry() {
    store.submit(put("a", "mine"));
    load("a", new Absent());
    client.answer(0, new Applied(7));
    assertThat(store.read(get("a"), 100)).isNotCompleted();
  }

  @Test
  void writesAnsweredInTheWrongOrder() {
    store.submit(put("a", "first"));
    store.submit(put("a", "second"));
    client.answer(1, new Applied(8));
    client.answer(0, new Applied(7));
    assertThat(of(store.read(get("a"), 100))).isEqualTo(found("second", 8));
  }

  @Test
  void evictedWriteIsNotReplacedByAnOlderOne() {
    CachingStore small = store(1, 1 << 20);
    small.submit(put("a", "first"));
    small.submit(put("a", "second"));
    client.answer(1, new Applied(8));
    small.submit(put("b", "x"));
    client.answer(2, new Applied(9));
    client.answer(0, new Applied(7));
    assertThat(small.read(get("a"), 100)).isNotCompleted();
  }

  @Test
  void readAfterAWriteDoesNotShareARequestFromBefore() {
    store.read(get("a"), 100);
    store.submit(new Command.PutColumns("t", k("a"), Row.of(Map.of())));
    client.answer(1, new Applied(7));
    CompletableFuture<Seen> after = store.read(get("a"), 100);
    client.answer(0, found("old", 5));
    assertThat(after).isNotCompleted();
    assertThat(client.commands()).hasSize(3);
  }

  @Test
  void unknownOutcomeDropsTheEntry() {
    load("a", found("x", 5));
    store.read(get("b"), 0);
    store.submit(put("a", "y"));
    store.submit(put("b", "y"));
    client.answer(2, new Reply.Unknown("lost"));
    client.answer(3, new Reply.Unknown("lost"));
    client.answer(1, found("x", 5));
    assertThat(store.read(get("a"), 100)).isNotCompleted();
    assertThat(store.read(get("b"), 100)).isNotCompleted();
  }

  @Test
  void refusedWriteLeavesTheEntryAndConflictBringsIt() {
    load("a", found("x", 5));
    store.submit(put("a", "y"));
    client.answer(1, new Reply.Rejected(Reply.Reason.NOT_SENT, "full"));
    assertThat(of(store.read(get("a"), 100))).isEqualTo(found("x", 5));
    store.submit(new Command.Replace("t", k("a"), 5, k("z")));
    client.answer(2, new Reply.Conflict(k("w"), 8));
    assertThat(of(store.read(get("a"), 100))).isEqualTo(found("w", 8));
  }

  @Test
  void everyWriteShowsInTheCache() {
    store.submit(new Command.Increment("t", k("n"), 3));
    client.answer(0, new Reply.Counter(258, 4));
    assertThat(of(store.read(get("n"), 100)))
        .isEqualTo(new Found(Bytes.copyOf(new byte[] {0, 0, 0, 0, 0, 0, 1, 2}), 4));
    store.submit(new Command.Remove("t", k("n")));
    client.answer(1, new Applied(5));
    assertThat(of(store.read(get("n"), 100))).isEqualTo(new Absent());
    store.submit(new Command.PutIfAbsent("t", k("n"), k("v")));
    client.answer(2, new Applied(6));
    assertThat(of(store.read(get("n"), 100))).isEqualTo(found("v", 6));
    store.submit(new Command.RemoveVersion("t", k("n"), 6));
    client.answer(3, new Absent());
    assertThat(of(store.read(get("n"), 100))).isEqualTo(new Absent());
  }

  @Test
  void wholeRowsAreKeptAndColumnWritesDropThem() {
    Command whole = new Command.GetColumns("c", k("a"), List.of());
    Reply row = new Reply.Columns(Row.of(Map.of("x", k("1"))), 5);
    store.read(whole, 100);
    client.answer(0, row);
    assertThat(of(store.read(whole, 100))).isEqualTo(row);
    store.read(new Command.GetColumns("c", k("a"), List.of("x")), 100);
    store.read(new Get("c", k("a")), 100);
    assertThat(client.commands()).hasSize(3);
    store.submit(new Command.PutColumns("c", k("a"), Row.of(Map.of("y", k("2")))));
    client.answer(3, new Applied(8));
    assertThat(store.read(whole, 100)).isNotCompleted();
  }

  @Test
  void readThroughReferencesIsKeptUntilATableOnTheWayIsWritten() {
    Command through = new Command.GetThrough("r", k("a"), List.of());
    Reply resolved = new Reply.Resolved(List.of(new Entry(k("b"), k("x"), 3)));
    store.read(through, 100);
    client.answer(0, resolved);
    assertThat(of(store.read(through, 100))).isEqualTo(resolved);
    store.submit(put("elsewhere", "y"));
    assertThat(of(store.read(through, 100))).isEqualTo(resolved);
    client.answer(1, new Applied(8));
    assertThat(store.read(through, 100)).isNotCompleted();
    store.submit(put("again", "y"));
    client.answer(3, new Applied(9));
    client.answer(2, resolved);
    assertThat(store.read(through, 100)).isNotCompleted();
    Command unknownTables = new Command.GetThrough("elsewhere", k("a"), List.of());
    store.read(unknownTables, 100);
    client.answer(5, resolved);
    assertThat(store.read(unknownTables, 100)).isNotCompleted();
  }

  @Test
  void callEmptiesWhatItMayHaveWritten() {
    load("a", found("x", 5));
    Command.Call call = new Command.Call("component", Bytes.empty());
    store.call(call, List.of("u"));
    client.answer(1, new Reply.Returned(Bytes.empty()));
    assertThat(of(store.read(get("a"), 100))).isEqualTo(found("x", 5));
    store.call(call, List.of("t"));
    client.answer(2, new Reply.Rejected(Reply.Reason.COMPONENT_REFUSED, "no"));
    assertThat(of(store.read(get("a"), 100))).isEqualTo(found("x", 5));
    store.call(call, List.of("t"));
    client.answer(3, new Reply.Returned(Bytes.empty()));
    assertThat(store.read(get("a"), 100)).isNotCompleted();
    client.answer(4, found("x", 5));
    store.submit(call);
    CompletableFuture<Seen> meanwhile = store.read(get("b"), 100);
    client.answer(5, new Reply.Unknown("lost"));
    client.answer(6, found("y", 5));
    assertThat(meanwhile).isCompleted();
    assertThat(store.read(get("a"), 100)).isNotCompleted();
    assertThat(store.read(get("b"), 100)).isNotCompleted();
  }

  @Test
  void writeCarriesWhatItWasDecidedOn() {
    load("a", found("x", 5));
    load("b", new Absent());
    Seen a = store.read(get("a"), 100).join();
    Seen b = store.read(get("b"), 100).join();
    CompletableFuture<Reply> refused = store.write(List.of(put("c", "z")), List.of(a, b));
    assertThat(client.commands().get(2))
        .isEqualTo(
            new Command.Batch(
                List.of(new Command.Guard("t", k("a"), 5), new Command.Guard("t", k("b"), 0)),
                List.of(put("c", "z"))));
    Reply why = new Reply.BatchRefused(0, new Reply.Conflict(k("y"), 6));
    client.answer(2, why);
    assertThat(refused).isCompletedWithValue(why);
    assertThat(store.statistics().refusedWrites()).isEqualTo(1);
    assertThat(store.read(get("a"), 100)).isNotCompleted();
    assertThat(store.read(get("b"), 100)).isNotCompleted();
  }

  @Test
  void batchThatTookEffectShowsInTheCache() {
    Command increment = new Command.Increment("t", k("n"), 1);
    store.write(List.of(put("a", "x"), put("a", "y"), get("b"), increment), List.of());
    client.answer(
        0,
        new Reply.Batched(
            List.of(new Applied(9), new Applied(9), new Absent(), new Reply.Counter(1, 9)), 9));
    assertThat(of(store.read(get("a"), 100))).isEqualTo(found("y", 9));
    assertThat(of(store.read(get("b"), 100))).isEqualTo(new Absent());
    assertThat(of(store.read(get("n"), 100))).isInstanceOf(Found.class);
  }

  @Test
  void nothingIsDecidedOnAReplyThatShowsNoEntry() {
    Seen unknown = new Seen(get("a"), new Reply.Unknown("lost"));
    Command through = new Command.GetThrough("r", k("a"), List.of());
    Seen resolved = new Seen(through, new Reply.Resolved(List.of()));
    assertThatThrownBy(unknown::guard).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(resolved::guard).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store.read(put("a", "x"), 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> store.read(get("a"), -1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void leastRecentlyUsedGoesFirst() {
    CachingStore small = store(2, 1 << 20);
    for (String key : List.of("a", "b")) {
      small.submit(put(key, "x"));
      client.answer(client.commands().size() - 1, new Applied(5));
    }
    assertThat(of(small.read(get("a"), 100))).isEqualTo(found("x", 5));
    small.submit(put("c", "x"));
    client.answer(2, new Applied(6));
    assertThat(of(small.read(get("a"), 100))).isEqualTo(found("x", 5));
    assertThat(small.read(get("b"), 100)).isNotCompleted();
    assertThat(small.statistics().evictions()).isEqualTo(1);
    assertThat(small.statistics().entries()).isEqualTo(2);
  }

  @Test
  void bytesAreBounded() {
    CachingStore small = store(1_000, 10_000);
    for (int i = 0; i < 50; i++) {
      small.submit(new Put("t", k("k" + i), Bytes.wrap(new byte[1_000])));
      client.answer(i, new Applied(i + 1));
      assertThat(small.statistics().bytes()).isBetween(1L, 10_000L);
    }
    assertThat(small.statistics().entries()).isEqualTo(8);
    small.submit(new Put("t", k("large"), Bytes.wrap(new byte[20_000])));
    client.answer(50, new Applied(51));
    assertThat(small.read(get("large"), 100)).isNotCompleted();
    small.submit(new Command.Call("any", Bytes.empty()));
    client.answer(52, new Reply.Returned(Bytes.empty()));
    assertThat(small.statistics().bytes()).isZero();
  }

  @Test
  void ownedTableIsExactWhileItIsOwned() {
    store.own("t", () -> term);
    load("a", found("before", 5));
    term = 1;
    CompletableFuture<Seen> first = store.read(get("a"), 100);
    assertThat(first).as("what was read before the term does not count").isNotCompleted();
    client.answer(1, found("x", 5));
    pass(100_000);
    assertThat(of(store.read(get("a"), 0))).isEqualTo(found("x", 5));
    store.submit(put("a", "y"));
    assertThat(store.read(get("a"), 1_000_000))
        .as("while a write is under way only the store knows")
        .isNotCompleted();
    client.answer(2, new Applied(9));
    assertThat(of(store.read(get("a"), 0))).isEqualTo(found("y", 9));
    term = 2;
    assertThat(store.read(get("a"), 1_000)).as("another term").isNotCompleted();
  }

  @Test
  void ownedTableIsForgottenWhenTheLeaseLapsesOrTheSessionChanges() {
    store.own("t", () -> 1);
    load("a", found("x", 5));
    client.setValidUntilNanos(nowNanos + 1_000);
    assertThat(of(store.read(get("a"), 0))).isEqualTo(found("x", 5));
    nowNanos += 1_000;
    assertThat(store.read(get("a"), 100)).isNotCompleted();
    client.setValidUntilNanos(Long.MAX_VALUE / 2);
    load("a", found("x", 5));
    assertThat(of(store.read(get("a"), 0))).isEqualTo(found("x", 5));
    client.nextSession();
    assertThat(store.statistics().entries()).isZero();
    assertThat(store.read(get("a"), 100)).isNotCompleted();
  }

  @Test
  void keyWithALostWriteIsNotExactUntilTheNextSession() {
    store.submit(put("a", "lost"));
    client.answer(0, new Reply.Unknown("lost"));
    store.own("t", () -> 1);
    load("a", found("x", 5));
    assertThat(store.read(get("a"), 0)).isNotCompleted();
    load("b", found("x", 5));
    assertThat(of(store.read(get("b"), 0))).isEqualTo(found("x", 5));
    client.nextSession();
    load("a", found("x", 5));
    assertThat(of(store.read(get("a"), 0))).isEqualTo(found("x", 5));
  }
}
