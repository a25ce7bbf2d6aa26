package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Release;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replicas as processes go on to the {@link NextRelease} one by one, and back, while a client
 * writes: nothing changes until the operator permits the version and all know it.
 */
@Timeout(300)
class UpgradeIT {
  private static final Bytes COUNTER = Bytes.utf8("counter");

  @TempDir private Path place;

  /** Writes one entry after the other until it is stopped. */
  private static final class Writer implements AutoCloseable {
    private final BatchingStoreClient client;
    private final AtomicBoolean stops = new AtomicBoolean();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Thread thread = new Thread(this::run, "writer");
    private final AtomicInteger written = new AtomicInteger();

    Writer(BatchingStoreClient client) {
      this.client = client;
      thread.start();
    }

    private void run() {
      try {
        while (!stops.get()) {
          Bytes key = Bytes.utf8("w" + written.get());
          Reply reply = ask(client, new Command.Put("t", key, key));
          if (!(reply instanceof Reply.Applied)) {
            throw new AssertionError(reply.toString());
          }
          written.incrementAndGet();
        }
      } catch (Exception | AssertionError e) {
        failure.set(e);
      }
    }

    int written() {
      return written.get();
    }

    void awaitMore() {
      int before = written.get();
      Await.until(
          Duration.ofSeconds(60),
          () -> "no write is answered: " + failure.get(),
          () -> written.get() > before + 1);
    }

    @Override
    public void close() throws InterruptedException {
      stops.set(true);
      thread.join();
      assertThat(failure.get()).isNull();
    }
  }

  private static BatchingStoreClient client(ReplicaCluster cluster, int id) {
    ClientConfig config =
        new ClientConfig(ReplicaCluster.NAME, cluster.members(), id, 16, 1 << 20, 500, 60_000);
    return BatchingStoreClient.open(
        BftSmartClient.connect(config),
        new ClientOptions(
            "upgrade",
            120_000,
            60_000,
            1024,
            Map.of("t", TableSpec.values(), Release.TABLE, TableSpec.values())),
        System::nanoTime,
        System::nanoTime);
  }

  private static Reply ask(BatchingStoreClient client, Command command) throws Exception {
    return client.submit(command).get(60, TimeUnit.SECONDS);
  }

  private static Reply call(BatchingStoreClient client, String component) throws Exception {
    return ask(client, new Command.Call(component, Bytes.utf8("called")));
  }

  private static Reply add(BatchingStoreClient client, int delta) throws Exception {
    return ask(client, new Command.Increment("t", COUNTER, delta));
  }

  private static void permit(BatchingStoreClient client, int version) throws Exception {
    Bytes number = Bytes.copyOf(ByteBuffer.allocate(Long.BYTES).putLong(version).array());
    assertThat(ask(client, new Command.Put(Release.TABLE, Release.PERMITTED, number)))
        .isInstanceOf(Reply.Applied.class);
  }

  /** Everything is as in the release before. */
  private static void isAtVersionTwo(BatchingStoreClient client) throws Exception {
    assertThat(call(client, UpgradedComponents.PART))
        .isEqualTo(
            new Reply.Rejected(
                Reply.Reason.UNKNOWN_COMPONENT, "no micro component is called test.part"));
    assertThat(call(client, UpgradedComponents.GREET)).isEqualTo(returned("hello"));
    assertThat(add(client, 2)).isInstanceOf(Reply.Counter.class);
    assertThat(add(client, -2)).isInstanceOf(Reply.Counter.class);
  }

  private static Reply returned(String text) {
    return new Reply.Returned(Bytes.utf8(text));
  }

  private static void exchange(ReplicaCluster cluster, int id, @Nullable Path release)
      throws Exception {
    cluster.kill(id);
    cluster.release(release).start(id);
    cluster.awaitAllOperational();
  }

  /** The format of the newest segment. */
  private static int format(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      Path newest =
          files
              .filter(file -> String.valueOf(file.getFileName()).matches("log-[0-9-]+"))
              .max(Path::compareTo)
              .orElseThrow();
      return ByteBuffer.wrap(Files.readAllBytes(newest)).getInt(Long.BYTES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, Bytes> contents(Path directory) throws IOException {
    Map<String, Bytes> all = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        all.put(String.valueOf(file.getFileName()), Bytes.copyOf(Files.readAllBytes(file)));
      }
    }
    return all;
  }

  @Test
  void nodesGoOnOneByOneAndBackUntilTheVersionIsActivated() throws Exception {
    Path next = NextRelease.compile(place);
    try (ReplicaCluster cluster = new ReplicaCluster(3, true).of(ReplicaMain.UPGRADED_STORE)) {
      cluster.startAll();
      cluster.awaitAllOperational();
      try (BatchingStoreClient client = client(cluster, 5);
          BatchingStoreClient writing = client(cluster, 6);
          Writer writer = new Writer(writing)) {
        isAtVersionTwo(client);
        exchange(cluster, 0, next);
        isAtVersionTwo(client);
        exchange(cluster, 0, null); // back
        exchange(cluster, 0, next);
        exchange(cluster, 1, next);
        permit(client, 3); // too early: replica 2 does not know it
        writer.awaitMore();
        isAtVersionTwo(client);
        // The permission is acknowledged by two replicas, and the third may be behind.
        Await.until(
            Duration.ofSeconds(60),
            () -> String.valueOf(cluster.ask(0, "versions")),
            () ->
                "ClusterVersions[active=2, permitted=3, newest=[3, 3, 2]]"
                    .equals(cluster.ask(0, "versions")));
        assertThat(format(cluster.directory(0))).isEqualTo(1);

        exchange(cluster, 2, next);
        Await.until(
            Duration.ofSeconds(60),
            cluster::describe,
            () ->
                Stream.of(0, 1, 2)
                    .allMatch(
                        id -> String.valueOf(cluster.ask(id, "versions")).contains("active=3")));
        assertThat(call(client, UpgradedComponents.PART)).isEqualTo(returned("bye"));
        assertThat(call(client, UpgradedComponents.GREET)).isEqualTo(returned("good day"));
        assertThat(add(client, -2))
            .isEqualTo(new Reply.Rejected(Reply.Reason.OUT_OF_BOUNDS, "counters only grow"));
        writer.awaitMore();
        for (int id = 0; id < 3; id++) {
          Path directory = cluster.directory(id);
          // The slowest begins its next segment when it has applied the step.
          Await.until(Duration.ofSeconds(60), cluster::describe, () -> format(directory) == 2);
        }

        isRefused(cluster, 1);
        cluster.release(next).start(1);
        cluster.awaitAllOperational();
        writer.awaitMore();
        writer.close();
        for (int i = 0; i < writer.written(); i++) {
          assertThat(ask(client, new Command.Get("t", Bytes.utf8("w" + i))))
              .isInstanceOf(Reply.Found.class);
        }
      }
    }
  }

  /** The release before names both versions and what to do, and changes nothing on disk. */
  private static void isRefused(ReplicaCluster cluster, int id) throws Exception {
    cluster.kill(id);
    Map<String, Bytes> before = contents(cluster.directory(id));
    cluster.release(null).start(id);
    assertThat(cluster.awaitEnd(id)).isNotZero();
    assertThat(
            cluster.logged(
                id,
                "is of version 3 of the cluster, this release of Lockstep knows versions up to 2: run"
                    + " the release that the other nodes run"))
        .isPositive();
    assertThat(contents(cluster.directory(id))).isEqualTo(before);
  }
}
