package io.lockstep.store.client.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.Reply.Applied;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Entries that only this client writes, and answers to queries. */
class OwnedEntriesTest extends CachingStoreFixture {

  private void written(String key, String value, long term, long version) {
    CompletableFuture<Reply> write = store.putOwned(put(key, value), term);
    assertThat(write).isNotCompleted();
    client.answer(client.commands().size() - 1, new Applied(version));
    assertThat(write).isCompletedWithValue(new Applied(version));
  }

  @Test
  void anEqualWriteOfAnExactEntryIsLeftOut() {
    written("a", "x", 1, 5);
    pass(100_000);
    assertThat(store.putOwned(put("a", "x"), 1)).isCompletedWithValue(new Applied(5));
    assertThat(of(store.readOwned(get("a"), 1))).isEqualTo(found("x", 5));
    assertThat(client.commands()).hasSize(1);
    written("a", "y", 1, 6);
    written("a", "x", 1, 7);
    assertThat(store.putOwned(put("a", "x"), 1)).isCompletedWithValue(new Applied(7));
  }

  @Test
  void anAbsenceIsExactAndIsNoEqualWrite() {
    CompletableFuture<AnsweredQuery> read = store.readOwned(get("a"), 1);
    client.answer(0, new Reply.Absent());
    assertThat(of(read)).isEqualTo(new Reply.Absent());
    assertThat(of(store.readOwned(get("a"), 1))).isEqualTo(new Reply.Absent());
    written("a", "x", 1, 5);
  }

  @Test
  void anotherTermKnowsNothingAndNeitherDoesAClientThatOwnsNothing() {
    written("a", "x", 1, 5);
    assertThat(store.readOwned(get("a"), 2)).isNotCompleted();
    written("b", "x", 1, 6);
    assertThat(store.putOwned(put("b", "x"), 2)).isNotCompleted();
    written("c", "x", 0, 7);
    assertThat(store.putOwned(put("c", "x"), 0)).as("no term").isNotCompleted();
    written("d", "x", 1, 8);
    assertThat(store.read(get("d"), 1_000_000)).as("no owner").isNotCompleted();
  }

  @Test
  void termsOfOtherEntriesGoOn() {
    written("a", "x", 1, 5);
    written("b", "x", 2, 6);
    assertThat(of(store.readOwned(get("a"), 1))).isEqualTo(found("x", 5));
    assertThat(of(store.readOwned(get("b"), 2))).isEqualTo(found("x", 6));
  }

  @Test
  void theEndOfTheSessionAndADoubtfulLeaseEndIt() {
    written("a", "x", 1, 5);
    client.setValidUntilNanos(nowNanos);
    assertThat(store.putOwned(put("a", "x"), 1)).as("maybe not alive").isNotCompleted();
    client.setValidUntilNanos(Long.MAX_VALUE / 2);
    written("b", "x", 1, 6);
    client.nextSession();
    assertThat(store.statistics().entries()).isZero();
    assertThat(store.putOwned(put("b", "x"), 1)).isNotCompleted();
  }

  @Test
  void whileAWriteIsUnderWayOnlyTheStoreKnows() {
    written("a", "x", 1, 5);
    CompletableFuture<Reply> write = store.putOwned(put("a", "y"), 1);
    assertThat(store.putOwned(put("a", "x"), 1)).as("the other may come first").isNotCompleted();
    assertThat(store.readOwned(get("a"), 1)).isNotCompleted();
    assertThat(write).isNotCompleted();
  }

  @Test
  void aWriteOfAnEarlierTermThatIsAnsweredLateIsNotExactInTheNext() {
    CompletableFuture<Reply> late = store.putOwned(put("a", "old"), 1);
    CompletableFuture<AnsweredQuery> read = store.readOwned(get("a"), 2);
    client.answer(1, found("new", 9));
    assertThat(of(read)).isEqualTo(found("new", 9));
    client.answer(0, new Applied(5));
    assertThat(late).isCompleted();
    assertThat(of(store.readOwned(get("a"), 2))).isEqualTo(found("new", 9));
    assertThat(store.putOwned(put("a", "old"), 2)).as("only the store knows").isNotCompleted();
  }

  @Test
  void aLostWriteIsDoubtfulUntilTheNextSession() {
    CompletableFuture<Reply> lost = store.putOwned(put("a", "x"), 1);
    client.answer(0, new Reply.Unknown("lost"));
    assertThat(lost).isCompleted();
    CompletableFuture<AnsweredQuery> read = store.readOwned(get("a"), 1);
    client.answer(1, found("x", 5));
    assertThat(of(read)).isEqualTo(found("x", 5));
    assertThat(store.putOwned(put("a", "x"), 1)).isNotCompleted();
  }

  private static Command.Query query(String argument) {
    return new Command.Query("both", k(argument));
  }

  @Test
  void anAnswerToAQueryIsKeptUntilItIsTooOldOrAWriteEnds() {
    Reply answer = new Reply.Returned(k("answer"));
    CompletableFuture<AnsweredQuery> read = store.read(query("a"), 100);
    client.answer(0, answer);
    assertThat(of(read)).isEqualTo(answer);
    assertThat(of(store.read(query("a"), 100))).isEqualTo(answer);
    assertThat(store.read(query("b"), 100)).as("another argument").isNotCompleted();
    pass(100);
    read = store.read(query("a"), 100);
    assertThat(read).as("too old").isNotCompleted();
    client.answer(2, answer);
    assertThat(of(store.read(query("a"), 100))).isEqualTo(answer);
    sent(store.submit(put("x", "y")));
    answer(3, new Applied(5));
    assertThat(store.read(query("a"), 100)).as("it may rest on what was written").isNotCompleted();
  }

  @Test
  void aQueryThatDoesNotSayHowOldItMayBeGoesPastTheCache() {
    sent(store.submit(query("a")));
    answer(0, new Reply.Returned(Bytes.empty()));
    assertThat(store.statistics().entries()).isZero();
  }
}
