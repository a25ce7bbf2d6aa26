package io.lockstep.store.client.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Command.Put;
import io.lockstep.store.Reply;
import io.lockstep.store.Reply.Applied;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the cache keeps, and for how long it is exact. */
class CachingStoreBoundsTest extends CachingStoreFixture {

  @Test
  void leastRecentlyUsedGoesFirst() {
    CachingStore small = store(2, 1 << 20);
    for (String key : List.of("a", "b")) {
      sent(small.submit(put(key, "x")));
      answer(client.commands().size() - 1, new Applied(5));
    }
    assertThat(of(small.read(get("a"), 100))).isEqualTo(found("x", 5));
    sent(small.submit(put("c", "x")));
    answer(2, new Applied(6));
    assertThat(of(small.read(get("a"), 100))).isEqualTo(found("x", 5));
    assertThat(small.read(get("b"), 100)).isNotCompleted();
    assertThat(small.statistics().evictions()).isEqualTo(1);
    assertThat(small.statistics().entries()).isEqualTo(2);
  }

  @Test
  void bytesAreBounded() {
    CachingStore small = store(1_000, 10_000);
    for (int i = 0; i < 50; i++) {
      sent(small.submit(new Put("t", k("k" + i), Bytes.wrap(new byte[1_000]))));
      answer(i, new Applied(i + 1));
      assertThat(small.statistics().bytes()).isBetween(1L, 10_000L);
    }
    assertThat(small.statistics().entries()).isEqualTo(8);
    sent(small.submit(new Put("t", k("large"), Bytes.wrap(new byte[20_000]))));
    answer(50, new Applied(51));
    assertThat(small.read(get("large"), 100)).isNotCompleted();
    sent(small.submit(new Command.Call("any", Bytes.empty())));
    answer(52, new Reply.Returned(Bytes.empty()));
    assertThat(small.statistics().bytes()).isZero();
  }

  @Test
  void ownedTableIsExactWhileItIsOwned() {
    store.own("t", () -> term);
    load("a", found("before", 5));
    term = 1;
    CompletableFuture<AnsweredQuery> first = store.read(get("a"), 100);
    assertThat(first).as("what was read before the term does not count").isNotCompleted();
    answer(1, found("x", 5));
    pass(100_000);
    assertThat(of(store.read(get("a"), 0))).isEqualTo(found("x", 5));
    sent(store.submit(put("a", "y")));
    assertThat(store.read(get("a"), 1_000_000))
        .as("while a write is under way only the store knows")
        .isNotCompleted();
    answer(2, new Applied(9));
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
    sent(store.submit(put("a", "lost")));
    answer(0, new Reply.Unknown("lost"));
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
