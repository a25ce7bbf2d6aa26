package io.lockstep.bench.failover;

import io.lockstep.bench.BenchException;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/** Fills a table and looks whether all of it is there. Used by one thread. */
final class Filling {
  private static final int OUTSTANDING = 2048;
  private static final int PROBES = 1000;
  private static final long PATIENCE_SECONDS = 30;
  private static final byte FILLING_MARK = 1;

  private final StoreClient client;
  private final String table;
  private final byte[] filling;

  Filling(StoreClient client, String table, int entryBytes) {
    this.client = client;
    this.table = table;
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
    AtomicReference<Reply> failed = new AtomicReference<>();
    for (int i = 0; i < entries; i++) {
      if (!free.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new BenchException("filling hangs at entry " + i);
      }
      client
          .submit(new Command.Put(table, key(i), Bytes.wrap(filling)))
          .thenAccept(
              reply -> {
                if (!(reply instanceof Reply.Applied)) {
                  failed.set(reply);
                }
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

  /** Tries to write until it works. */
  void awaitWrite(long deadlineMillis) throws BenchException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(deadlineMillis);
    Reply reply = null;
    while (System.nanoTime() - deadline < 0) {
      reply = ask(new Command.Put(table, key(-1), Bytes.empty()));
      if (reply instanceof Reply.Applied) {
        return;
      }
    }
    throw new BenchException("no write within " + deadlineMillis + " ms: " + reply);
  }

  /** Reads entries here and there. */
  void check(int entries) throws BenchException, InterruptedException {
    Random random = new Random(3);
    for (int i = 0; i < PROBES; i++) {
      int number = i == 0 ? entries - 1 : random.nextInt(entries);
      Reply reply = ask(new Command.Get(table, key(number)));
      if (!(reply instanceof Reply.Found found) || !found.value().equals(Bytes.wrap(filling))) {
        throw new BenchException("acknowledged entry " + number + " is lost: " + reply);
      }
    }
  }

  private Reply ask(Command command) throws BenchException, InterruptedException {
    try {
      return client.submit(command).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new BenchException("no answer to " + command.getClass().getSimpleName(), e);
    }
  }
}
