package io.lockstep.deploy.ovs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.testbed.Await;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.TableSpec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Writes to the store, a few at a time, on and on, and keeps book of what was acknowledged: puts,
 * each under a key of its own, and increments of one counter. Thread-safe.
 */
final class SteadyWrites {
  private static final int AT_A_TIME = 4;
  private static final int PAUSE_MILLIS = 2;
  private static final int PAGE = 5_000;
  private static final Bytes COUNTER = Bytes.utf8("counter");

  private final StoreClient store;
  private final String table;
  private final String counterTable;
  private final AtomicBoolean stopping = new AtomicBoolean();
  private final List<CompletableFuture<Void>> chains = new ArrayList<>();
  private final Set<Long> putsAcknowledged = new HashSet<>();
  private final Set<Long> putsUnknown = new HashSet<>();
  private final List<Long> acknowledgedAtNanos = new ArrayList<>();
  private long incrementsAcknowledged;
  private long incrementsUnknown;
  private long next;
  private @Nullable Reply unexpected;

  private SteadyWrites(StoreClient store, String name) {
    this.store = store;
    this.table = "test." + name;
    this.counterTable = table + ".counter";
  }

  /** Begins; the tables carry the name. */
  static SteadyWrites start(StoreClient store, String name) {
    SteadyWrites writes = new SteadyWrites(store, name);
    for (String table : List.of(writes.table, writes.counterTable)) {
      Reply declared = await(store.submit(new Command.CreateTable(table, TableSpec.values())));
      assertThat(declared).isInstanceOf(Reply.Applied.class);
    }
    for (int i = 0; i < AT_A_TIME; i++) {
      CompletableFuture<Void> chain = new CompletableFuture<>();
      writes.chains.add(chain);
      writes.goOn(chain);
    }
    return writes;
  }

  private void goOn(CompletableFuture<Void> chain) {
    if (stopping.get()) {
      chain.complete(null);
      return;
    }
    long number = takeNumber();
    boolean put = number % 2 == 0;
    Command command =
        put
            ? new Command.Put(table, key(number), key(number))
            : new Command.Increment(counterTable, COUNTER, 1);
    Executor afterPause = CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    CompletableFuture<Void> unused =
        store
            .submit(command)
            .thenAccept(reply -> note(number, put, reply))
            .thenRunAsync(() -> goOn(chain), afterPause)
            .exceptionally(
                failure -> {
                  chain.completeExceptionally(failure);
                  return null;
                });
  }

  private synchronized long takeNumber() {
    return next++;
  }

  private synchronized void note(long number, boolean put, Reply reply) {
    if (reply instanceof Reply.Applied && put) {
      putsAcknowledged.add(number);
    } else if (reply instanceof Reply.Counter && !put) {
      incrementsAcknowledged++;
    } else if (reply instanceof Reply.Unknown) {
      if (put) {
        putsUnknown.add(number);
      } else {
        incrementsUnknown++;
      }
      return;
    } else if (reply instanceof Reply.Rejected rejected
        && rejected.reason() == Reply.Reason.NOT_SENT) {
      return;
    } else {
      unexpected = reply;
      return;
    }
    acknowledgedAtNanos.add(System.nanoTime());
  }

  /** How many were acknowledged so far. */
  synchronized int acknowledged() {
    return acknowledgedAtNanos.size();
  }

  /** Waits for so many further ones. */
  void awaitFurther(int count, Duration atMost) {
    int before = acknowledged();
    Await.until(
        count + " further writes are acknowledged",
        atMost,
        () -> acknowledged() >= before + count,
        this::toString);
  }

  /** Longest time without an acknowledgement since a moment, in milliseconds. */
  synchronized long longestPauseMillisSince(long nanos) {
    long longest = 0;
    long last = nanos;
    for (long at : acknowledgedAtNanos) {
      if (at - nanos > 0) {
        longest = Math.max(longest, at - last);
        last = at;
      }
    }
    return TimeUnit.NANOSECONDS.toMillis(longest);
  }

  /** Stops; every write then has its outcome. */
  void stop() {
    stopping.set(true);
    CompletableFuture.allOf(chains.toArray(CompletableFuture[]::new))
        .orTimeout(30, TimeUnit.SECONDS)
        .join();
  }

  /**
   * Every acknowledged write is in the store and took effect once; one of unknown outcome took
   * effect once or not at all; nothing else is there.
   */
  synchronized void assertKept() {
    assertThat(unexpected).as("a reply that is neither acknowledgement nor unknown").isNull();
    Set<Long> stored = storedNumbers();
    assertThat(stored).as("keys in the store").containsAll(putsAcknowledged);
    stored.removeAll(putsAcknowledged);
    assertThat(putsUnknown).as("writes of unknown outcome").containsAll(stored);
    Reply counter = await(store.submit(new Command.Get(counterTable, COUNTER)));
    long counted =
        counter instanceof Reply.Found found
            ? ByteBuffer.wrap(found.value().toArray()).getLong()
            : 0;
    assertThat(counted)
        .as("the counter, after %d acknowledged increments", incrementsAcknowledged)
        .isBetween(incrementsAcknowledged, incrementsAcknowledged + incrementsUnknown);
  }

  private Set<Long> storedNumbers() {
    Set<Long> stored = new HashSet<>();
    Bytes from = Bytes.empty();
    while (true) {
      Reply reply = await(store.submit(new Command.Scan(table, from, null, PAGE)));
      if (!(reply instanceof Reply.Entries page)) {
        throw new AssertionError("scanning " + table + ": " + reply);
      }
      for (Entry entry : page.entries()) {
        assertThat(entry.value()).as("the value of its key").isEqualTo(entry.key());
        stored.add(ByteBuffer.wrap(entry.key().toArray()).getLong());
      }
      if (!page.more()) {
        return stored;
      }
      Bytes last = page.entries().get(page.entries().size() - 1).key();
      from = Bytes.wrap(ByteBuffer.allocate(9).put(last.toArray()).array());
    }
  }

  private static Bytes key(long number) {
    return Bytes.wrap(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
  }

  /** Waits for a reply. */
  static Reply await(CompletableFuture<Reply> reply) {
    try {
      return reply.get(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError("the store client's future does not complete", e);
    }
  }

  @Override
  public synchronized String toString() {
    return acknowledgedAtNanos.size()
        + " acknowledged, "
        + (putsUnknown.size() + incrementsUnknown)
        + " of unknown outcome";
  }
}
