package io.lockstep.bench.failover;

import io.lockstep.bench.runs.BenchException;
import io.lockstep.bench.runs.Callbacks;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.FailedException;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.TableDef;
import io.lockstep.store.typed.TypedTable;
import io.lockstep.store.typed.Versioned;
import io.lockstep.store.typed.WriteOutcome;
import io.lockstep.store.typed.WriteResult;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Fills a table and checks whether all of it is there. Used by one thread. To fill means to write
 * millions of entries, so that goes to the client itself; all else goes to the typed table.
 */
final class FilledTable {
  private static final int OUTSTANDING = 2048;
  private static final int PROBES = 1000;
  private static final long PATIENCE_SECONDS = 30;
  private static final byte FILLING_MARK = 1;

  private final StoreClient client;
  private final String table;
  private final TypedTable<Bytes, Bytes> entries;
  private final byte[] filling;

  FilledTable(BatchingStoreClient client, String table, int entryBytes) {
    this.client = client;
    this.table = table;
    this.entries =
        Store.over(client, client.loop())
            .table(TableDef.of(table, Codec.bytes(), Codec.bytes()))
            .within(Duration.ofSeconds(PATIENCE_SECONDS));
    this.filling = new byte[entryBytes];
    new Random(2).nextBytes(filling);
  }

  /** Other keys than those of {@link SteadyLoad}, which are 8 bytes long. */
  private static Bytes key(long number) {
    return Bytes.wrap(ByteBuffer.allocate(9).put(FILLING_MARK).putLong(number).array());
  }

  /** Writes the entries 0 to {@code entries} - 1; returns when all are acknowledged. */
  void fill(int entries) throws BenchException, InterruptedException {
    Semaphore free = new Semaphore(OUTSTANDING);
    AtomicReference<Object> failed = new AtomicReference<>();
    for (int i = 0; i < entries; i++) {
      if (!free.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new BenchException("filling hangs at entry " + i);
      }
      Callbacks.when(
          client.submit(new Command.Put(table, key(i), Bytes.wrap(filling))),
          reply -> {
            if (!(reply instanceof Reply.Applied)) {
              failed.set(reply);
            }
            free.release();
          },
          failure -> {
            failed.set(failure);
            free.release();
          });
    }
    if (!free.tryAcquire(OUTSTANDING, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new BenchException("filling hangs at its end");
    }
    if (failed.get() != null) {
      throw new BenchException("an entry could not be written: " + failed.get());
    }
  }

  /** Tries to write until it works; an unknown outcome counts as none. */
  void awaitWrite(long deadlineMillis) throws BenchException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(deadlineMillis);
    WriteOutcome<Long> outcome;
    do {
      outcome = entries.put(key(-1), Bytes.empty()).join();
      if (outcome.fold(WriteResult::isDone, unknown -> false)) {
        return;
      }
    } while (System.nanoTime() - deadline < 0);
    throw new BenchException("no write within " + deadlineMillis + " ms: " + outcome);
  }

  /** Reads entries here and there. */
  void check(int count) throws BenchException {
    Random random = new Random(3);
    for (int i = 0; i < PROBES; i++) {
      int number = i == 0 ? count - 1 : random.nextInt(count);
      Optional<Bytes> value = read(number).map(Versioned::value);
      if (!value.equals(Optional.of(Bytes.wrap(filling)))) {
        throw new BenchException("acknowledged entry " + number + " is lost");
      }
    }
  }

  private Optional<Versioned<Bytes>> read(int number) throws BenchException {
    try {
      return entries.get(key(number)).join().orThrow();
    } catch (FailedException e) {
      throw new BenchException("entry " + number + " could not be read", e);
    }
  }
}
