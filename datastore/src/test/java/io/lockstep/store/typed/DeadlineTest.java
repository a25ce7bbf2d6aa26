package io.lockstep.store.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import io.lockstep.store.Reply;
import io.lockstep.store.core.Limits;
import io.lockstep.store.typed.Failure.Cause;
import io.lockstep.store.typed.WriteOutcome.Unknown;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Operations that get no answer, and operations that are never sent. */
class DeadlineTest {
  private static final TableDef<String, Bytes> DEF =
      TableDef.of("net.x", Codec.utf8(), Codec.bytes());
  private static final Duration SHORT = Duration.ofMillis(20);

  private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor();
  private final ScriptedStoreClient client = new ScriptedStoreClient();
  private final Store store = Store.over(client, loop);
  private final TypedTable<String, Bytes> table = store.table(DEF);

  @AfterEach
  void stop() {
    loop.shutdownNow();
  }

  private static <T> T ended(CompletableFuture<T> future) {
    return future.orTimeout(60, TimeUnit.SECONDS).join();
  }

  @Test
  void aWriteWithoutAnswerIsUnknownAtItsDeadline() {
    WriteOutcome<Long> outcome = ended(table.within(SHORT).put("k", Bytes.utf8("v")));
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Unknown.class,
            unknown ->
                assertThat(unknown.message())
                    .contains("table \"net.x\", key 0x6b", "20 ms", "may still take effect"));
    assertThat(ended(store.batch(SHORT).remove(DEF, "k").commit())).isInstanceOf(Unknown.class);
    assertThat(client.sent).hasSize(2);
  }

  @Test
  void aReadWithoutAnswerFails() {
    ended(table.within(SHORT).get("k"))
        .ifRead(
            value -> {
              throw new AssertionError(value);
            },
            failure -> assertThat(failure.cause()).isEqualTo(Cause.NO_ANSWER));
    assertThatThrownBy(
            () ->
                ended(table.within(SHORT).staleByAtMost(Duration.ofSeconds(1)).get("k")).orThrow())
        .isInstanceOf(FailedException.class)
        .hasMessageContaining("NO_ANSWER");
  }

  @Test
  void anAnswerBeforeTheDeadlineCounts() {
    CompletableFuture<WriteOutcome<Long>> put =
        table.within(Duration.ofMinutes(30)).put("k", Bytes.utf8("v"));
    assertThat(put).isNotDone();
    client.reply.complete(new Reply.Applied(7));
    assertThat(ended(put).throwWhenUnknown().orThrow()).isEqualTo(7);
  }

  @Test
  void theClientsUnknownIsUnknown() {
    client.reply.complete(new Reply.Unknown("no quorum"));
    assertThat(ended(table.put("k", Bytes.empty()))).isInstanceOf(Unknown.class);
    assertThat(ended(table.remove("k"))).isInstanceOf(Unknown.class);
    assertThat(ended(store.counters(TableDef.of("c", Codec.utf8(), Codec.int64())).add("k", 1)))
        .isInstanceOf(Unknown.class);
    assertThat(ended(store.batch().remove(DEF, "k").commit())).isInstanceOf(Unknown.class);
  }

  @Test
  void deadlinesAndStalenessHaveBounds() {
    assertThatThrownBy(() -> table.within(Duration.ZERO)).hasMessageContaining("1 ms to 1 h");
    assertThatThrownBy(() -> table.within(Duration.ofHours(2))).hasMessageContaining("PT2H");
    assertThatThrownBy(() -> table.staleByAtMost(Duration.ZERO))
        .hasMessageContaining("read with get");
  }

  @Test
  void whatIsTooLargeIsNeverSentAndNamesPlaceAndRemedy() {
    Bytes large = Bytes.wrap(new byte[Limits.VALUE_BYTES + 1]);
    assertThatThrownBy(() -> ended(table.put("k", large)).throwWhenUnknown().orThrow())
        .isInstanceOf(FailedException.class)
        .hasMessageContainingAll(
            "OUT_OF_BOUNDS", "table \"net.x\", key 0x6b", "1048576", "1048577", "split it");
    String longKey = "k".repeat(Limits.KEY_BYTES + 1);
    assertThatThrownBy(() -> ended(table.get(longKey)).orThrow())
        .hasMessageContainingAll("OUT_OF_BOUNDS", "6b6b...", "not 1025", "write it shorter");
    assertThatThrownBy(
            () -> ended(table.staleByAtMost(Duration.ofSeconds(1)).get(longKey)).orThrow())
        .hasMessageContaining("not 1025");
    assertThatThrownBy(() -> ended(table.page(0)).orThrow()).hasMessageContaining("1 to 10000");
    BatchBuilder batch = store.batch().ifVersion(DEF, "k", 1).put(DEF, "k", large);
    assertThatThrownBy(() -> ended(batch.commit()).throwWhenUnknown().orThrow())
        .hasMessageContainingAll("write 0 of a batch, table \"net.x\", key 0x6b", "1048577");
    BatchBuilder whole = store.batch();
    Bytes half = Bytes.wrap(new byte[Limits.VALUE_BYTES / 2]);
    whole.put(DEF, "a", half).put(DEF, "b", half);
    assertThatThrownBy(() -> ended(whole.commit()).throwWhenUnknown().orThrow())
        .hasMessageContainingAll("0 guards and 2 writes", "a batch is at most 1048576 bytes");
    assertThat(client.sent).isEmpty();
  }

  @Test
  void aBatchIsCommittedOnce() {
    BatchBuilder batch = store.batch().remove(DEF, "k");
    CompletableFuture<WriteOutcome<Long>> first = batch.commit();
    assertThat(first).isNotDone();
    assertThatThrownBy(batch::commit).hasMessageContaining("begin another");
    assertThatThrownBy(() -> batch.remove(DEF, "l")).isInstanceOf(IllegalStateException.class);
    assertThat(client.sent).hasSize(1);
  }
}
