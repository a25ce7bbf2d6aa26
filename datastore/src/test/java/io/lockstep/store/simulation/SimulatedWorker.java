package io.lockstep.store.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Callbacks;
import io.lockstep.store.Change;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ChangeFeed;
import io.lockstep.store.client.ClientOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** One client that counts, each key once, and writes to a table that it also reads and watches. */
final class SimulatedWorker {
  static final String COUNTS = "counts";
  static final String SHARED = "shared";
  private static final Map<String, TableSpec> TABLES =
      Map.of(COUNTS, TableSpec.values(), SHARED, TableSpec.values());

  private static final long POLL_MILLIS = 150;

  private final String name;
  private final SimulatedCluster cluster;
  private final Random random;
  private final VotingConnection connection;
  private final BatchingStoreClient client;
  private final Map<String, Reply> counted = new HashMap<>();
  private final WatchRecorder watched = new WatchRecorder();
  private final ReadRecorder read = new ReadRecorder();
  private final AtomicLong highest;
  private final Callbacks callbacks = new Callbacks();
  private Bytes newest = Bytes.utf8("k0");
  private int submitted;
  private int answered;

  /**
   * @param highest the highest version that any client was told
   */
  SimulatedWorker(String name, SimulatedCluster cluster, Random random, AtomicLong highest) {
    this.name = name;
    this.cluster = cluster;
    this.random = random;
    this.highest = highest;
    this.connection = cluster.connect();
    ClientOptions options = ClientOptions.of(name).withTimeToLiveMillis(3_000).withTables(TABLES);
    client =
        BatchingStoreClient.open(connection, options, cluster.loop()::nowNanos, random::nextLong);
    new ChangeFeed(client, cluster.loop(), List.of(SHARED), POLL_MILLIS, watched).start();
  }

  VotingConnection connection() {
    return connection;
  }

  /** Whether it has all its answers. */
  boolean idle() {
    return answered == submitted;
  }

  /** Its feed has told all changes up to this index. */
  long watchedUpTo() {
    return watched.upToIndex();
  }

  void submit(int count) {
    for (int i = 0; i < count; i++) {
      if (random.nextInt(3) == 0) {
        // A little later, when the newest write may be decided and not yet durable.
        submitted++;
        cluster.after(random.nextInt(10), () -> read(newest));
        continue;
      }
      String key = name + "-" + submitted++;
      boolean counts = random.nextInt(3) > 0;
      Bytes shared = Bytes.utf8("k" + random.nextInt(5));
      Command command =
          counts
              ? new Command.Increment(COUNTS, Bytes.utf8(key), 1)
              : random.nextInt(3) == 0
                  ? new Command.Remove(SHARED, shared)
                  : new Command.Put(SHARED, shared, Bytes.utf8(key));
      newest = counts ? newest : shared;
      long before = highest.get();
      callbacks.add(
          client
              .submit(command)
              .thenAccept(
                  reply -> {
                    answered++;
                    told(reply, before);
                    if (counts) {
                      counted.put(key, reply);
                    }
                  }));
    }
  }

  private void read(Bytes key) {
    long before = highest.get();
    callbacks.add(
        client
            .submit(new Command.Get(SHARED, key))
            .thenAccept(
                reply -> {
                  answered++;
                  read.told(key, before, reply);
                  if (reply instanceof Reply.Found found) {
                    highest.set(Math.max(highest.get(), found.version()));
                  }
                }));
  }

  private void told(Reply reply, long before) {
    long version =
        reply instanceof Reply.Counter counter
            ? counter.version()
            : reply instanceof Reply.Applied applied ? applied.version() : Long.MAX_VALUE;
    assertThat(version).as("a version after %s was told", before).isGreaterThan(before);
    if (version != Long.MAX_VALUE) {
      highest.set(Math.max(highest.get(), version));
    }
  }

  /** Compares what it was told with what is. */
  void check(StoreReader reader, Map<String, Integer> kinds) {
    callbacks.check();
    assertThat(answered).as("answers to %s", name).isEqualTo(submitted);
    counted.forEach(
        (key, reply) -> {
          long count = reader.count(COUNTS, key);
          if (reply instanceof Reply.Counter counter) {
            assertThat(counter.value()).isEqualTo(1);
            assertThat(count).as("%s was acknowledged", key).isEqualTo(1);
          } else if (reply instanceof Reply.Unknown) {
            assertThat(count).as("%s is unknown", key).isBetween(0L, 1L);
          } else {
            assertThat(reply).isInstanceOf(Reply.Rejected.class);
            assertThat(count).as("%s was rejected", key).isZero();
          }
          kinds.merge(reply.getClass().getSimpleName(), 1, Integer::sum);
        });
    List<Change> whole = reader.changes(SHARED);
    watched.check(whole);
    read.check(whole);
    kinds.merge("read", read.count(), Integer::sum);
    kinds.merge("watched", watched.told(), Integer::sum);
  }
}
