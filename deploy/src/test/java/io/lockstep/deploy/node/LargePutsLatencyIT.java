package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.admin.NodeReport.ReplicaReport;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.NodeProcess;
import io.lockstep.deploy.testbed.ThreeReplicas;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.core.Limits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Others are served while one client has 64 puts of the largest value under way without pause. How
 * long they wait, beside how long they wait without it in the same run, is printed; wanted on a
 * machine of its own is a p99 of at most three times the usual one, or 50 ms. What is asserted
 * tells service from its absence: ten times, or 3 s, behind which a stopped replica would be
 * suspected.
 */
@Tag("alone")
class LargePutsLatencyIT {
  private static final String TABLE = "test.large";
  private static final String SMALL = "test.small";
  private static final int IN_FLIGHT = 64;
  private static final int OTHERS = 3;
  private static final long WARMUP_MILLIS = 2_000;
  private static final long MEASURED_MILLIS = 5_000;
  private static final long DEADLINE_MILLIS = 60_000;
  private static final long USUAL_TIMES = 10;
  private static final long MOST_MICROS = 3_000_000;

  @TempDir private Path directory;

  private final AtomicInteger acknowledged = new AtomicInteger();
  private final AtomicBoolean attacking = new AtomicBoolean(true);
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  /** Writes again as soon as the last write is answered. */
  private void putOn(BatchingStoreClient client, Bytes key, Bytes value) {
    if (attacking.get()) {
      CompletableFuture<Void> unused =
          client
              .submit(new Command.Put(TABLE, key, value))
              .thenAccept(
                  reply -> {
                    acknowledged.addAndGet(reply instanceof Reply.Applied ? 1 : 0);
                    putOn(client, key, value);
                  })
              .exceptionally(
                  cause -> {
                    failure.set(cause);
                    return null;
                  });
    }
  }

  /** Small writes of one client, one after the other; gives their times. */
  private static List<Long> writes(BatchingStoreClient client, String key, long millis) {
    List<Long> micros = new ArrayList<>();
    Command put = new Command.Put(SMALL, Bytes.utf8(key), Bytes.wrap(new byte[100]));
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (System.nanoTime() - end < 0) {
      long from = System.nanoTime();
      assertThat(client.submit(put).orTimeout(DEADLINE_MILLIS, TimeUnit.MILLISECONDS).join())
          .isInstanceOf(Reply.Applied.class);
      micros.add(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - from));
    }
    return micros;
  }

  private static List<Long> measured(List<BatchingStoreClient> others, long millis) {
    ExecutorService threads = Executors.newFixedThreadPool(others.size());
    try {
      List<CompletableFuture<List<Long>>> running = new ArrayList<>();
      for (BatchingStoreClient client : others) {
        String key = "k" + running.size();
        running.add(CompletableFuture.supplyAsync(() -> writes(client, key, millis), threads));
      }
      List<Long> all = new ArrayList<>();
      running.forEach(one -> all.addAll(one.join()));
      Collections.sort(all);
      return all;
    } finally {
      threads.shutdownNow();
    }
  }

  private static long p99(String when, List<Long> micros) {
    long p99 = micros.get(micros.size() * 99 / 100);
    System.out.printf(
        "%s: %d small writes, p50 %.1f ms, p99 %.1f ms, longest %.1f ms%n",
        when,
        micros.size(),
        micros.get(micros.size() / 2) / 1000.0,
        p99 / 1000.0,
        micros.get(micros.size() - 1) / 1000.0);
    return p99;
  }

  private static List<Long> regencies(ThreeReplicas replicas) throws Exception {
    List<Long> regencies = new ArrayList<>();
    for (NodeProcess process : replicas.all()) {
      assertThat(process.running()).as(process.lastLines()).isTrue();
      ReplicaReport replica = Objects.requireNonNull(process.report().replica());
      regencies.add(replica.regency());
    }
    return regencies;
  }

  @Test
  @Timeout(180)
  void othersWaitNotMuchLongerWhileOneClientPutsTheLargestValues() throws Exception {
    List<BatchingStoreClient> others = new ArrayList<>();
    try (ThreeReplicas replicas = ThreeReplicas.start(directory);
        BatchingStoreClient attacker = replicas.client(60, TABLE)) {
      for (int i = 0; i < OTHERS; i++) {
        others.add(replicas.client(50 + i, SMALL));
      }
      measured(others, WARMUP_MILLIS);
      long usual = p99("usual", measured(others, MEASURED_MILLIS));
      List<Long> before = regencies(replicas);
      Bytes value = Bytes.wrap(new byte[Limits.VALUE_BYTES]);
      for (int slot = 0; slot < IN_FLIGHT; slot++) {
        putOn(attacker, Bytes.utf8("k" + slot % 8), value);
      }
      long attacked = p99("attacked", measured(others, MEASURED_MILLIS));
      Await.until(
          "the one client is served as well",
          Duration.ofSeconds(60),
          () -> acknowledged.get() > IN_FLIGHT / 4 || failure.get() != null,
          () -> acknowledged.get() + " puts of 1 MiB acknowledged");
      attacking.set(false);
      System.out.printf(
          "attacked p99 is %.1f times the usual one; %d puts of 1 MiB acknowledged meanwhile%n",
          (double) attacked / usual, acknowledged.get());
      assertThat(failure).as("why a slot ceased to put").hasNullValue();
      assertThat(attacked)
          .as("p99 of others in microseconds, usual is " + usual)
          .isLessThanOrEqualTo(Math.max(USUAL_TIMES * usual, MOST_MICROS));
      assertThat(regencies(replicas)).as("no leader change").isEqualTo(before);
    } finally {
      others.forEach(BatchingStoreClient::close);
    }
  }
}
