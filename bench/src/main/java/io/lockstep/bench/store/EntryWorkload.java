package io.lockstep.bench.store;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A learning switch on plain entries: a put that associates the source with its port, a get that
 * reads the destination's, or the one after the other (ls-ucast init). Table, key and value make
 * the put about 113 bytes, the get about 36 and its reply about 77.
 */
final class EntryWorkload implements Workload {
  static final String TABLE = "bench.ls-ucast";
  private static final int HOSTS = 1024;
  private static final int VALUE_BYTES = 75;
  private static final CompletableFuture<Boolean> FAILED = CompletableFuture.completedFuture(false);

  private final boolean writes;
  private final boolean reads;
  private final List<Command> puts = new ArrayList<>();
  private final List<Command> gets = new ArrayList<>();

  EntryWorkload(boolean writes, boolean reads) {
    this.writes = writes;
    this.reads = reads;
    for (int host = 0; host < HOSTS; host++) {
      Bytes key = key(host);
      byte[] value = new byte[VALUE_BYTES];
      value[VALUE_BYTES - 1] = (byte) (1 + host % 4);
      puts.add(new Command.Put(TABLE, key, Bytes.wrap(value)));
      gets.add(new Command.Get(TABLE, key));
    }
  }

  /** Datapath id and MAC address, as the learning switch has them. */
  private static Bytes key(int host) {
    return Bytes.wrap(
        ByteBuffer.allocate(14)
            .putLong(1 + host % 16)
            .putShort((short) 0x0200)
            .putInt(host)
            .array());
  }

  @Override
  public List<Command> preparation() {
    return puts;
  }

  /** The reads of all hosts. */
  List<Command> reads() {
    return gets;
  }

  @Override
  public CompletableFuture<Boolean> flow(StoreClient client, long number) {
    if (!writes) {
      return read(client, number);
    }
    CompletableFuture<Reply> write = client.submit(puts.get((int) (number % HOSTS)));
    if (!reads) {
      return write.thenApply(reply -> reply instanceof Reply.Applied);
    }
    return write.thenCompose(
        reply -> reply instanceof Reply.Applied ? read(client, number + 1) : FAILED);
  }

  private CompletableFuture<Boolean> read(StoreClient client, long number) {
    return client
        .submit(gets.get((int) (number % HOSTS)))
        .thenApply(reply -> reply instanceof Reply.Found);
  }
}
