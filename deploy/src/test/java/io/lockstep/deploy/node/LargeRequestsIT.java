package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.admin.NodeReport.ReplicaReport;
import io.lockstep.deploy.testbed.NodeProcess;
import io.lockstep.deploy.testbed.ThreeReplicas;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.core.Limits;
import io.lockstep.store.engine.bftsmart.BftSmartClient;
import io.lockstep.store.engine.bftsmart.ClientConfig;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that send the largest values as fast as they can, and some that never finish what they
 * begin to send: replicas with the default heap live on under the same leader, and serve others.
 */
@Tag("alone")
class LargeRequestsIT {
  private static final String TABLE = "test.large";
  private static final int CLIENTS = 4;
  private static final int IN_FLIGHT = 64;
  private static final int KEYS = 4;
  private static final long FLOOD_MILLIS = 6_000;
  private static final long LONGEST_FLOOD_MILLIS = 120_000;

  /** So many large writes make a flood: eight of each client. */
  private static final int FLOOD_WRITES = CLIENTS * 8;

  private static final int HALVES = 300;
  private static final long SMALL_DEADLINE_MILLIS = 5_000;

  @TempDir private Path directory;

  private final ExpectedWrites expected = new ExpectedWrites();
  private final AtomicInteger notApplied = new AtomicInteger();
  private final AtomicBoolean flooding = new AtomicBoolean(true);
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  /** What was acknowledged, by key and version. */
  private static final class ExpectedWrites {
    private final Map<Bytes, Map<Long, Long>> stamps = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();

    void acknowledged(Bytes key, long version, long stamp) {
      stamps.computeIfAbsent(key, any -> new ConcurrentHashMap<>()).put(version, stamp);
      count.incrementAndGet();
    }

    /** The newest one of each key is there, or a later one whose answer was lost. */
    void verify(BatchingStoreClient client) throws Exception {
      for (Map.Entry<Bytes, Map<Long, Long>> one : stamps.entrySet()) {
        // First, since the last writes can still be answered meanwhile.
        long newest = Collections.max(one.getValue().keySet());
        Reply reply = client.submit(new Command.Get(TABLE, one.getKey())).get(30, TimeUnit.SECONDS);
        assertThat(reply).isInstanceOf(Reply.Found.class);
        Reply.Found found = (Reply.Found) reply;
        assertThat(found.version()).isGreaterThanOrEqualTo(newest);
        if (found.version() == newest) {
          long stamp = ByteBuffer.wrap(found.value().toArray()).getLong();
          assertThat(stamp).isEqualTo(one.getValue().get(newest));
        }
      }
    }
  }

  /** Writes again as soon as the last write is answered. */
  private void writeOn(BatchingStoreClient client, Bytes key, long stamp) {
    if (!flooding.get()) {
      return;
    }
    byte[] value = new byte[Limits.VALUE_BYTES];
    ByteBuffer.wrap(value).putLong(stamp);
    CompletableFuture<Void> unused =
        client
            .submit(new Command.Put(TABLE, key, Bytes.wrap(value)))
            .thenAccept(
                reply -> {
                  if (reply instanceof Reply.Applied applied) {
                    expected.acknowledged(key, applied.version(), stamp);
                  } else {
                    notApplied.incrementAndGet();
                  }
                  writeOn(client, key, stamp + (1L << 32));
                })
            .exceptionally(
                cause -> {
                  failure.set(cause);
                  return null;
                });
  }

  private static ReplicaReport replica(NodeProcess process) throws IOException {
    return Objects.requireNonNull(process.report().replica());
  }

  private static List<Long> smallWrites(BatchingStoreClient client, long millis) throws Exception {
    return smallWrites(client, millis, () -> true);
  }

  /**
   * Small writes one after the other, each within its deadline; gives their times.
   *
   * @param millis how long at least
   * @param enough ends them, and must become true before the longest time of a flood is over
   */
  private static List<Long> smallWrites(
      BatchingStoreClient client, long millis, BooleanSupplier enough) throws Exception {
    List<Long> tookMicros = new ArrayList<>();
    long begun = System.nanoTime();
    long end = begun + TimeUnit.MILLISECONDS.toNanos(millis);
    long last = begun + TimeUnit.MILLISECONDS.toNanos(LONGEST_FLOOD_MILLIS);
    while (System.nanoTime() - end < 0
        || (!enough.getAsBoolean() && System.nanoTime() - last < 0)) {
      long from = System.nanoTime();
      Command put = new Command.Put("test.small", Bytes.utf8("k"), Bytes.wrap(new byte[100]));
      assertThat(client.submit(put).get(SMALL_DEADLINE_MILLIS, TimeUnit.MILLISECONDS))
          .isInstanceOf(Reply.Applied.class);
      tookMicros.add(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - from));
    }
    return tookMicros;
  }

  private static String summary(String when, List<Long> micros) {
    Collections.sort(micros);
    return "%s: %d small writes, p50 %.1f ms, p99 %.1f ms, longest %.1f ms"
        .formatted(
            when,
            micros.size(),
            micros.get(micros.size() / 2) / 1000.0,
            micros.get(micros.size() * 99 / 100) / 1000.0,
            micros.get(micros.size() - 1) / 1000.0);
  }

  private static void sameLeaderAsBefore(ThreeReplicas replicas, long regency) throws Exception {
    for (NodeProcess process : replicas.all()) {
      assertThat(process.running()).as(process.id() + " runs").isTrue();
      assertThat(replica(process).regency()).as("regency of " + process.id()).isEqualTo(regency);
      assertThat(process.logLines()).noneMatch(line -> line.contains("OutOfMemoryError"));
    }
  }

  @Test
  @Timeout(300)
  void floodOfTheLargestWritesHarmsNoReplicaAndHoldsUpNobody() throws Exception {
    List<BatchingStoreClient> large = new ArrayList<>();
    try (ThreeReplicas replicas = ThreeReplicas.start(directory);
        BatchingStoreClient small = replicas.client(50, "test.small")) {
      System.out.println(summary("before", smallWrites(small, 1_000)));
      long regency = replica(replicas.all().get(0)).regency();
      for (int i = 0; i < CLIENTS; i++) {
        BatchingStoreClient client = replicas.client(60 + i, TABLE);
        large.add(client);
        for (int slot = 0; slot < IN_FLIGHT; slot++) {
          writeOn(client, Bytes.utf8("c" + i + "-" + slot % KEYS), slot);
        }
      }
      System.out.println(
          summary(
              "flooded",
              smallWrites(small, FLOOD_MILLIS, () -> expected.count.get() > FLOOD_WRITES)));
      flooding.set(false);
      System.out.println(
          expected.count.get() + " large writes acknowledged, " + notApplied.get() + " not");
      assertThat(failure).as("why a slot ceased to write").hasNullValue();
      assertThat(expected.count.get()).isGreaterThan(FLOOD_WRITES);
      sameLeaderAsBefore(replicas, regency);
      expected.verify(small);
    } finally {
      large.forEach(BatchingStoreClient::close);
    }
  }

  // ---------------------------------------------------------------- half a frame

  /** What a client says first to each replica, as bytes. */
  private static List<byte[]> greetings(String cluster) throws IOException {
    List<ServerSocket> listening = new ArrayList<>();
    List<byte[]> greetings = new ArrayList<>();
    try {
      List<Member> members = new ArrayList<>();
      for (int id = 0; id < 3; id++) {
        ServerSocket one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        listening.add(one);
        members.add(new Member(id, "127.0.0.1", one.getLocalPort()));
      }
      try (BftSmartClient client = BftSmartClient.connect(ClientConfig.of(cluster, members, 1))) {
        assertThat(client.window()).isPositive();
        for (ServerSocket one : listening) {
          try (Socket dialled = one.accept()) {
            DataInputStream in = new DataInputStream(dialled.getInputStream());
            int length = in.readInt();
            greetings.add(
                ByteBuffer.allocate(4 + length).putInt(length).put(in.readNBytes(length)).array());
          }
        }
      }
    } finally {
      for (ServerSocket one : listening) {
        one.close();
      }
    }
    return greetings;
  }

  /**
   * A client that sends half of the largest request; a replica need not read it.
   *
   * @param sender where it is sent from
   */
  private static Socket half(int port, byte[] greeting, int client, Executor sender)
      throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    out.write(greeting);
    DataInputStream in = new DataInputStream(socket.getInputStream());
    assertThat(in.readNBytes(in.readInt())).as("the replica's greeting").isNotEmpty();
    ByteBuffer begun = ByteBuffer.allocate(16 + Limits.VALUE_BYTES / 2);
    begun.putInt(12 + Limits.VALUE_BYTES).putInt(client).putInt(1).putInt(10);
    sender.execute(
        () -> {
          try {
            out.write(begun.array());
          } catch (IOException closed) {
            // The replica has given it up, or the test is over.
            assertThat(closed).isInstanceOf(SocketException.class);
          }
        });
    return socket;
  }

  @Test
  @Timeout(180)
  void clientsThatNeverFinishARequestHarmNoReplicaAndHoldUpNobody() throws Exception {
    List<Socket> halves = new ArrayList<>();
    ExecutorService senders = Executors.newCachedThreadPool();
    try (ThreeReplicas replicas = ThreeReplicas.start(directory);
        BatchingStoreClient small = replicas.client(50, "test.small");
        BatchingStoreClient large = replicas.client(60, TABLE)) {
      System.out.println(summary("before", smallWrites(small, 500)));
      long regency = replica(replicas.all().get(0)).regency();
      List<byte[]> greetings = greetings(replicas.cluster());
      for (int i = 0; i < HALVES; i++) {
        for (int id = 0; id < 3; id++) {
          halves.add(half(replicas.storePort(id), greetings.get(id), 100 + i, senders));
        }
      }
      System.out.println(summary("with half requests", smallWrites(small, 2_000)));
      Command put =
          new Command.Put(TABLE, Bytes.utf8("k"), Bytes.wrap(new byte[Limits.VALUE_BYTES]));
      assertThat(large.submit(put).get(60, TimeUnit.SECONDS))
          .as("a whole large request finds room")
          .isInstanceOf(Reply.Applied.class);
      sameLeaderAsBefore(replicas, regency);
    } finally {
      for (Socket half : halves) {
        half.close();
      }
      senders.shutdownNow();
    }
  }
}
