package io.lockstep.store.client.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command.Get;
import io.lockstep.store.Command.Put;
import io.lockstep.store.Reply;
import io.lockstep.store.Reply.Found;
import io.lockstep.store.TableSpec;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A cache over a client that answers when the test says so. */
class CachingStoreFixture {
  static final Map<String, TableSpec> TABLES =
      Map.of("t", TableSpec.values(), "r", TableSpec.reference("t"), "c", TableSpec.columns());

  final ScriptedClient client = new ScriptedClient();
  long nowNanos = 1_000_000_000;
  long term;

  /** The futures of requests that the test answers, by their position at the client. */
  private final Map<Integer, CompletableFuture<Reply>> expected = new HashMap<>();

  final CachingStore store = store(100, 1 << 20);

  CachingStore store(int entries, long bytes) {
    return CachingStore.over(client, () -> nowNanos, new CacheOptions(entries, bytes, TABLES));
  }

  static Bytes k(String text) {
    return Bytes.utf8(text);
  }

  static Get get(String key) {
    return new Get("t", k(key));
  }

  static Put put(String key, String value) {
    return new Put("t", k(key), k(value));
  }

  static Found found(String value, long version) {
    return new Found(k(value), version);
  }

  void pass(long millis) {
    nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** A read that must be answered by now. */
  static Reply of(CompletableFuture<AnsweredQuery> read) {
    assertThat(read).isCompleted();
    return read.join().reply();
  }

  /** Takes the future of the request that was just sent; {@link #answer} completes it. */
  void sent(CompletableFuture<Reply> future) {
    assertThat(future).isNotCompleted();
    expected.put(client.commands().size() - 1, future);
  }

  /** The same of a read. */
  void asked(CompletableFuture<AnsweredQuery> future) {
    sent(future.thenApply(AnsweredQuery::reply));
  }

  /** Answers a request, and expects that its caller gets this reply. */
  void answer(int position, Reply reply) {
    client.answer(position, reply);
    CompletableFuture<Reply> future = expected.remove(position);
    if (future != null) {
      assertThat(future).isCompletedWithValue(reply);
    }
  }

  void load(String key, Reply reply) {
    CompletableFuture<AnsweredQuery> read = store.read(get(key), 0);
    client.answer(client.commands().size() - 1, reply);
    assertThat(of(read)).isEqualTo(reply);
  }
}
