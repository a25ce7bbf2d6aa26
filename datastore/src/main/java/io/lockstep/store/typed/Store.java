package io.lockstep.store.typed;

import io.lockstep.keys.LinkKeys;
import io.lockstep.store.Command;
import io.lockstep.store.StoreClient;
import io.lockstep.store.TableSpec;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.client.cache.CacheOptions;
import io.lockstep.store.client.cache.CachingStore;
import io.lockstep.store.engine.bftsmart.BftSmartClient;
import io.lockstep.store.engine.bftsmart.ClientConfig;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * The store, in the caller's own types. Thread-safe. The package says how fresh reads are.
 *
 * <pre>{@code
 * TableDef<String, Long> ports = TableDef.of("net.ports", Codec.utf8(), Codec.int64());
 * try (Store store = Store.open("lab@10.0.0.1:7001,10.0.0.2:7001,10.0.0.3:7001", 42, ports)) {
 *   store.table(ports).put("uplink", 7L).join().throwWhenUnknown().orThrow();
 * }
 * }</pre>
 */
public final class Store implements AutoCloseable {
  private static final int CACHED_ENTRIES = 10_000;
  private static final long CACHED_BYTES = 8L << 20;

  private final Submitter submitter;
  private final boolean ownsClient;

  private Store(Submitter submitter, boolean ownsClient) {
    this.submitter = submitter;
    this.ownsClient = ownsClient;
  }

  /**
   * Opens a store; returns at once and connects in the background.
   *
   * @param address {@link StoreAddress}
   * @param clientNumber 0 or more, the same each time the program starts, and different from those
   *     of all other clients; nodes use those from 0 on, replicas those from 1 048 576 on
   * @param tables what the program uses
   * @throws IllegalArgumentException where one of them is out of its bounds
   */
  public static Store open(String address, int clientNumber, Declared... tables) {
    return open(StoreAddress.parse(address), clientNumber, tables);
  }

  /** The same with an address that was read, such as {@link StoreAddress#ofFile}. */
  public static Store open(StoreAddress address, int clientNumber, Declared... tables) {
    return open(
        address,
        clientNumber,
        ClientOptions.of("client " + clientNumber).withTables(specs(tables)));
  }

  /** The same with all options of the session. */
  public static Store open(StoreAddress address, int clientNumber, ClientOptions options) {
    return open(address, clientNumber, options, null);
  }

  /**
   * The same of a cluster with keys.
   *
   * @param keys those of a node, or of a person with the role admin; null where the cluster has
   *     none
   */
  public static Store open(
      StoreAddress address, int clientNumber, ClientOptions options, @Nullable LinkKeys keys) {
    ClientConfig config =
        ClientConfig.of(address.cluster(), address.members(), clientNumber).withKeys(keys);
    BatchingStoreClient client =
        BatchingStoreClient.open(
            BftSmartClient.connect(config),
            options,
            System::nanoTime,
            new SecureRandom()::nextLong);
    return over(client, client.loop());
  }

  /**
   * Over a client that is open, and that declares the tables. Closing either closes both. What is
   * written through the client itself shows in stale reads only after their bound.
   *
   * @param loop that of {@code client}
   */
  public static Store over(StoreClient client, ScheduledExecutorService loop) {
    return new Store(new Submitter(cache(client), loop, 0), true);
  }

  /**
   * The same over a client that others use, too: closing the store leaves it open. Futures complete
   * on the client's loop, as the client's own do. Opened once for each client.
   *
   * @param client a {@link CachingStore} is used as it is, with what it holds; over any other
   *     client, what others write through it shows in stale reads only after their bound
   * @param loop that of {@code client}
   */
  public static Store sharing(StoreClient client, ScheduledExecutorService loop) {
    CachingStore cache = client instanceof CachingStore caching ? caching : cache(client);
    return new Store(new Submitter(cache, loop, 0), false);
  }

  private static CachingStore cache(StoreClient client) {
    CacheOptions options = new CacheOptions(CACHED_ENTRIES, CACHED_BYTES, Map.of());
    return CachingStore.over(client, System::nanoTime, options);
  }

  /** What the options of a session have to say of these tables. */
  public static Map<String, TableSpec> specs(Declared... tables) {
    Map<String, TableSpec> specs = new LinkedHashMap<>();
    for (Declared table : List.of(tables)) {
      TableSpec earlier = specs.put(table.name(), table.spec());
      if (earlier != null && !earlier.equals(table.spec())) {
        throw new IllegalArgumentException(
            "table \"" + table.name() + "\" is declared in two ways; give one another name");
      }
    }
    return specs;
  }

  /** A table of values. */
  public <K, V> TypedTable<K, V> table(TableDef<K, V> def) {
    return new TypedTable<>(submitter, def);
  }

  /** A table of rows. */
  public <K> RowTable<K> rows(RowTableDef<K> def) {
    return new RowTable<>(submitter, def);
  }

  /** A table of counters, whose values are written by {@link Codec#int64}. */
  public <K> CounterTable<K> counters(TableDef<K, Long> def) {
    return new CounterTable<>(submitter, def);
  }

  /**
   * The same store whose calls, queries and batches wait no longer than this; as {@link
   * TypedTable#within}. Closing either closes both.
   *
   * @param deadline 1 ms to 1 h
   */
  public Store within(Duration deadline) {
    return new Store(submitter.within(deadline), ownsClient);
  }

  /**
   * Calls a micro component; gives what it returned. What it refuses is {@link
   * Failure.Cause#COMPONENT_REFUSED}, and there is no conflict. Where its result cannot be read, it
   * took effect, and the outcome is {@link WriteOutcome.Unknown}.
   */
  public <A, R> CompletableFuture<WriteOutcome<R>> call(Component<A, R> component, A argument) {
    return submitter
        .submit(component.command(argument))
        .thenApply(reply -> Replies.called(component, reply));
  }

  /** Asks a micro component that only reads; linearizable. One that writes is refused. */
  public <A, R> CompletableFuture<ReadResult<R>> query(Component<A, R> component, A argument) {
    return submitter
        .submit(new Command.Query(component.name(), component.argument().encode(argument)))
        .thenApply(reply -> Replies.queried(component, reply));
  }

  /** A batch that waits for as long as the client does. */
  public BatchBuilder batch() {
    return new BatchBuilder(submitter);
  }

  /**
   * A batch whose commit waits no longer than this; as {@link TypedTable#within}.
   *
   * @param deadline 1 ms to 1 h
   */
  public BatchBuilder batch(Duration deadline) {
    return new BatchBuilder(submitter.within(deadline));
  }

  /**
   * Ends the session if a quorum can be reached within a second, then closes all connections. Of a
   * store that shares its client it does nothing.
   */
  @Override
  public void close() {
    if (ownsClient) {
      submitter.cache().close();
    }
  }
}
