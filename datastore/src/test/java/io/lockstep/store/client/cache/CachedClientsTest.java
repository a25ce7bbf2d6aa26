package io.lockstep.store.client.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.local.LocalEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Caches over real clients, used by several threads. */
@Timeout(120)
class CachedClientsTest {
  private static final Map<String, TableSpec> TABLES = Map.of("t", TableSpec.values());
  private static final Command.Get COUNT = new Command.Get("t", Bytes.utf8("count"));
  private static final int EACH = 300;

  private final AtomicLong nonces = new AtomicLong(1);

  @Test
  void whatIsDecidedOnStaleReadsIsNeverLost() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (LocalEngine engine = LocalEngine.start(new StoreStateMachine(List.of()));
        CachingStore first = connect(engine);
        CachingStore second = connect(engine)) {
      // Both believe that there is nothing; whoever writes second is refused at first.
      first.read(COUNT, 0).get(40, TimeUnit.SECONDS);
      second.read(COUNT, 0).get(40, TimeUnit.SECONDS);
      List<CompletableFuture<Void>> counting = new ArrayList<>();
      for (CachingStore store : List.of(first, first, second, second)) {
        counting.add(CompletableFuture.runAsync(() -> countUp(store), threads));
      }
      for (CompletableFuture<Void> done : counting) {
        done.get(100, TimeUnit.SECONDS);
      }
      assertThat(valueOf(first.read(COUNT, 0).get(40, TimeUnit.SECONDS))).isEqualTo(4 * EACH);
      CacheStatistics statistics = first.statistics();
      assertThat(statistics.hits()).isPositive();
      assertThat(statistics.refusedWrites() + second.statistics().refusedWrites()).isPositive();
    } finally {
      threads.shutdownNow();
    }
  }

  /** Each step is decided on a read that may be a minute old. */
  private static void countUp(CachingStore store) {
    for (int i = 0; i < EACH; i++) {
      Reply reply;
      do {
        AnsweredQuery seen = store.read(COUNT, 60_000).join();
        Bytes next = Bytes.utf8(String.valueOf(valueOf(seen) + 1));
        Command put = new Command.Put(COUNT.table(), COUNT.key(), next);
        reply = store.write(List.of(put), List.of(seen)).join();
      } while (reply instanceof Reply.BatchRefused);
      assertThat(reply).isInstanceOf(Reply.Batched.class);
    }
  }

  private static int valueOf(AnsweredQuery seen) {
    return seen.reply() instanceof Reply.Found found ? Integer.parseInt(found.value().toUtf8()) : 0;
  }

  @Test
  void ownedTableIsReadAtNoCost() throws Exception {
    try (LocalEngine engine = LocalEngine.start(new StoreStateMachine(List.of()));
        CachingStore store = connect(engine)) {
      store.own("t", () -> 1);
      Command put = new Command.Put(COUNT.table(), COUNT.key(), Bytes.utf8("7"));
      assertThat(store.submit(put).get(40, TimeUnit.SECONDS)).isInstanceOf(Reply.Applied.class);
      // The first write may have been submitted before there was a session.
      assertThat(store.submit(put).get(40, TimeUnit.SECONDS)).isInstanceOf(Reply.Applied.class);
      CompletableFuture<AnsweredQuery> read = store.read(COUNT, 0);
      assertThat(read).isCompleted();
      assertThat(valueOf(read.join())).isEqualTo(7);
    }
  }

  private CachingStore connect(LocalEngine engine) {
    BatchingStoreClient client =
        BatchingStoreClient.open(
            engine.connect(8),
            new ClientOptions("test", 60_000, 60_000, 1 << 16, TABLES),
            System::nanoTime,
            nonces::getAndIncrement);
    return CachingStore.over(client, System::nanoTime, new CacheOptions(100, 1 << 20, TABLES));
  }
}
