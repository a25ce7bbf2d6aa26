package io.lockstep.store.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.local.LocalEngine;
import io.lockstep.store.typed.Failure.Cause;
import io.lockstep.store.typed.WriteResult.Conflict;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The typed store over the real state machine in this process. */
class StoreTest {
  private static final TableDef<String, Long> PORTS =
      TableDef.of("net.ports", Codec.utf8(), Codec.int64());

  /** The same table in the eyes of a program that writes anything. */
  private static final TableDef<String, Bytes> RAW =
      TableDef.of("net.ports", Codec.utf8(), Codec.bytes());

  private static final TableDef<Bytes, Bytes> RAWER =
      TableDef.of("net.ports", Codec.bytes(), Codec.bytes());
  private static final TableDef<String, Long> COUNTS =
      TableDef.of("net.counts", Codec.utf8(), Codec.int64());
  private static final RowTableDef<String> HOSTS = new RowTableDef<>("net.hosts", Codec.utf8());
  private static final Column<String> NAME = new Column<>("name", Codec.utf8());
  private static final Column<Long> SEEN = new Column<>("seen", Codec.int64());

  private final AtomicLong nonces = new AtomicLong(1);
  private final LocalEngine engine = LocalEngine.start(new StoreStateMachine(List.of()));
  private final BatchingStoreClient client =
      BatchingStoreClient.open(
          engine.connect(8),
          ClientOptions.of("test")
              .withTimeToLiveMillis(60_000)
              .withTables(Store.specs(PORTS, COUNTS, HOSTS, RAW)),
          System::nanoTime,
          nonces::getAndIncrement);
  private final Store store = Store.over(client, client.loop());
  private final TypedTable<String, Long> ports = store.table(PORTS);

  @AfterEach
  void stop() throws Exception {
    store.close();
    engine.close();
  }

  private static <T> T ended(CompletableFuture<T> future) {
    return future.orTimeout(60, TimeUnit.SECONDS).join();
  }

  private static <T> WriteResult<T> result(CompletableFuture<WriteOutcome<T>> write) {
    return ended(write).throwWhenUnknown();
  }

  private static <T> T done(CompletableFuture<WriteOutcome<T>> write) {
    return result(write).orThrow();
  }

  private Optional<Versioned<Long>> port(String key) {
    return ended(ports.get(key)).orThrow();
  }

  @Test
  void aTableReadsWhatItWrote() {
    assertThat(port("uplink")).isEmpty();
    long version = done(ports.put("uplink", 7L));
    assertThat(port("uplink")).contains(new Versioned<>(7L, version));
    assertThat(result(ports.putIfAbsent("uplink", 8L))).isInstanceOf(Conflict.class);
    assertThat(done(ports.remove("uplink"))).isTrue();
    assertThat(done(ports.remove("uplink"))).isFalse();
    assertThat(port("uplink")).isEmpty();
  }

  @Test
  void compareAndSetShowsWhatWasThereInstead() {
    long first = done(ports.put("uplink", 7L));
    long second = done(ports.replace("uplink", first, 8L));
    WriteResult<Long> late = result(ports.replace("uplink", first, 9L));
    Versioned<Long> present =
        late.<Versioned<Long>>fold(
            version -> new Versioned<>(0L, version),
            conflict -> ports.value(conflict.present().orElseThrow()).orThrow(),
            failure -> {
              throw failure.exception();
            });
    assertThat(present).isEqualTo(new Versioned<>(8L, second));
    assertThat(result(ports.replace("nowhere", 1, 9L)))
        .isEqualTo(new Conflict<>("net.ports", Bytes.utf8("nowhere"), Optional.empty()));
    assertThat(result(ports.remove("uplink", first))).isInstanceOf(Conflict.class);
    assertThat(done(ports.remove("uplink", second))).isGreaterThan(second);
  }

  @Test
  void bytesThatNoCodecReadsAreAFailureOfThatEntryOnly() {
    done(ports.put("a", 1L));
    long version = done(store.table(RAW).put("b", Bytes.utf8("junk")));
    done(store.table(RAWER).put(Bytes.copyOf((byte) 0xff), Codec.int64().encode(3L)));
    assertThatThrownBy(() -> port("b"))
        .isInstanceOf(FailedException.class)
        .hasMessageContainingAll(
            "UNDECODABLE", "table \"net.ports\", key 0x62", "4 bytes", "Codec.bytes()");
    Page<String, Long> page = ended(ports.page(10)).orThrow();
    assertThat(page.readable()).containsOnlyKeys("a");
    assertThat(page.undecodable()).extracting(Failure::cause).containsOnly(Cause.UNDECODABLE);
    assertThat(page.undecodable()).hasSize(2);
    // A conflict with them is a conflict still.
    WriteResult<Long> conflict = result(ports.putIfAbsent("b", 5L));
    assertThat(conflict)
        .isInstanceOfSatisfying(
            Conflict.class, with -> assertThat(with.present().isEmpty()).isFalse());
    assertThat(done(ports.replace("b", version, 5L))).isGreaterThan(version);
    assertThat(port("b")).isPresent();
  }

  @Test
  void pagesFollowEachOther() {
    for (long i = 0; i < 5; i++) {
      done(ports.put("k" + i, i));
    }
    Page<String, Long> first = ended(ports.page(3)).orThrow();
    assertThat(first.readable()).containsOnlyKeys("k0", "k1", "k2");
    assertThat(first.more()).isTrue();
    Page<String, Long> second = ended(ports.pageBehind(first.last(), 3)).orThrow();
    assertThat(second.readable()).containsOnlyKeys("k3", "k4");
    assertThat(second.more()).isFalse();
  }

  @Test
  void oneColumnIsWrittenAndTheOthersStay() {
    RowTable<String> hosts = store.rows(HOSTS);
    assertThat(ended(hosts.get("h", NAME)).orThrow()).isEmpty();
    done(hosts.put("h", NAME, "printer"));
    assertThat(ended(hosts.get("h", SEEN)).orThrow()).isEmpty();
    long version = done(hosts.put("h", SEEN, 1L));
    assertThat(ended(hosts.get("h", NAME)).orThrow()).contains(new Versioned<>("printer", version));
    long next = done(hosts.replace("h", version, SEEN, 2L));
    assertThat(result(hosts.replace("h", version, SEEN, 3L))).isInstanceOf(Conflict.class);
    assertThat(ended(hosts.get("h", SEEN)).orThrow()).contains(new Versioned<>(2L, next));
    done(hosts.put("h", new Column<>("seen", Codec.utf8()), "never"));
    assertThatThrownBy(() -> ended(hosts.get("h", SEEN)).orThrow())
        .hasMessageContainingAll("UNDECODABLE", "net.hosts");
    assertThat(done(hosts.remove("h", SEEN))).isTrue();
    assertThat(done(hosts.remove("h", SEEN))).isFalse();
    assertThat(ended(hosts.within(Duration.ofMinutes(1)).get("h", NAME)).orThrow()).isPresent();
  }

  @Test
  void countersAdd() {
    CounterTable<String> counts = store.counters(COUNTS).within(Duration.ofMinutes(1));
    assertThat(done(counts.add("c", 5)).value()).isEqualTo(5);
    assertThat(done(counts.add("c", -7)).value()).isEqualTo(-2);
  }

  @Test
  void aBatchTakesEffectAsAWholeUnderItsGuards() {
    long version = done(ports.put("a", 1L));
    long batch =
        done(
            store
                .batch()
                .ifVersion(PORTS, "a", version)
                .ifAbsent(PORTS, "b")
                .put(PORTS, "a", 2L)
                .put(PORTS, "b", 3L)
                .put(HOSTS, "h", NAME, "printer")
                .add(COUNTS, "c", 4)
                .remove(PORTS, "nothing there")
                .commit());
    assertThat(port("a")).contains(new Versioned<>(2L, batch));
    assertThat(port("b")).contains(new Versioned<>(3L, batch));
    WriteResult<Long> late =
        result(
            store
                .batch(Duration.ofMinutes(1))
                .ifVersion(HOSTS, "h", batch)
                .ifVersion(PORTS, "a", version)
                .put(PORTS, "b", 9L)
                .commit());
    assertThat(late)
        .isInstanceOfSatisfying(
            Conflict.class, conflict -> assertThat(conflict.key()).isEqualTo(Bytes.utf8("a")));
    assertThat(port("b")).contains(new Versioned<>(3L, batch));
    done(store.table(RAW).put("junk", Bytes.utf8("x")));
    assertThatThrownBy(() -> done(store.batch().put(PORTS, "b", 9L).add(PORTS, "junk", 1).commit()))
        .isInstanceOf(FailedException.class)
        .hasMessageContaining("table \"net.ports\", key 0x6a756e6b");
    assertThat(port("b")).contains(new Versioned<>(3L, batch));
  }

  @Test
  void aStaleReadSaysSoAndNeverMissesAnOwnWrite() {
    StaleReads<String, Long> stale = ports.staleByAtMost(Duration.ofMinutes(30));
    done(ports.put("a", 1L));
    assertThat(ended(stale.get("a")).orThrow().orElseThrow().value()).isEqualTo(1);
    // Another's write, which the cache does not see.
    Store other = Store.over(client, client.loop());
    done(other.table(PORTS).put("a", 2L));
    assertThat(ended(stale.get("a")).orThrow().orElseThrow().value()).isEqualTo(1);
    assertThat(port("a").orElseThrow().value()).isEqualTo(2);
    done(ports.put("a", 3L));
    assertThat(ended(stale.get("a")).orThrow().orElseThrow().value()).isEqualTo(3);
  }

  @Test
  void aWatchShowsTheTableThenEachChangeAndWhatItCannotRead() throws Exception {
    LinkedBlockingQueue<Object> heard = new LinkedBlockingQueue<>();
    long version = done(ports.put("a", 1L));
    done(store.table(RAW).put("bad", Bytes.utf8("x")));
    WatchListener<String, Long> listener =
        new WatchListener<>() {
          @Override
          public void snapshot(Map<String, Versioned<Long>> entries, long index) {
            heard.add(Map.copyOf(entries));
          }

          @Override
          public void changed(List<TypedChange<String, Long>> changes, long upToIndex) {
            heard.addAll(changes);
          }

          @Override
          public void undecodable(Failure failure) {
            heard.add(failure.cause());
          }
        };
    try (Watch watch = ports.watch(Duration.ofMillis(5), listener)) {
      assertThat(next(heard)).isEqualTo(Cause.UNDECODABLE);
      assertThat(next(heard)).isEqualTo(Map.of("a", new Versioned<>(1L, version)));
      long second = done(ports.put("a", 2L));
      watch.poke();
      assertThat(next(heard)).isEqualTo(new TypedChange<>("a", Optional.of(2L), second));
      done(store.table(RAW).put("a", Bytes.utf8("x")));
      assertThat(next(heard)).isEqualTo(Cause.UNDECODABLE);
      done(ports.remove("a"));
      assertThat(next(heard))
          .isInstanceOfSatisfying(
              TypedChange.class, gone -> assertThat(gone.now().isEmpty()).isTrue());
      assertThat(watch.upToIndex()).isGreaterThan(second);
    }
    assertThatThrownBy(() -> ports.watch(Duration.ZERO, listener)).hasMessageContaining("1 ms");
  }

  private static Object next(LinkedBlockingQueue<Object> heard) throws InterruptedException {
    Object next = heard.poll(60, TimeUnit.SECONDS);
    if (next == null) {
      throw new AssertionError("nothing more was heard");
    }
    return next;
  }

  @Test
  void aTableThatWasNotDeclaredNamesTheRemedy() {
    TableDef<String, Long> elsewhere = TableDef.of("net.none", Codec.utf8(), Codec.int64());
    assertThatThrownBy(() -> ended(store.table(elsewhere).get("k")).orThrow())
        .hasMessageContainingAll("REFUSED", "net.none", "where the store is opened");
  }
}
