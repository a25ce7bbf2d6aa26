package io.lockstep.history.load;

import io.lockstep.history.check.Operation;
import io.lockstep.history.check.Operation.Result;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.client.BatchingStoreClient;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One client: an operation at a time, each begun when the one before it has its answer or was given
 * up. Owned by the loop of its store client.
 */
public final class LoadClient implements Progress {
  private static final int LEDGER_PERCENT = 4;
  private static final int WAIT_MILLIS = 5;

  private final String name;
  private final BatchingStoreClient client;
  private final KeyRing keys;
  private final Pace pace;
  private final Recorder recorder;
  private final Random random;
  private final CompletableFuture<Void> over = new CompletableFuture<>();
  private long writes;
  private volatile boolean stopping;
  private volatile long answeredNanos = -1;

  /**
   * A client that does nothing until {@link #start}.
   *
   * @param name of the client in the history
   */
  public LoadClient(
      String name,
      BatchingStoreClient client,
      KeyRing keys,
      Pace pace,
      Recorder recorder,
      Random random) {
    this.name = name;
    this.client = client;
    this.keys = keys;
    this.pace = pace;
    this.recorder = recorder;
    this.random = random;
  }

  /** Begins. Any thread; once. */
  public void start() {
    client.loop().execute(this::next);
  }

  /** Ends after the operation at hand. Any thread. */
  public void stop() {
    stopping = true;
  }

  @Override
  public CompletableFuture<Void> ended() {
    return over;
  }

  @Override
  public long answeredNanos() {
    return answeredNanos;
  }

  @Override
  public String name() {
    return name;
  }

  private void next() {
    if (stopping || pace.spent()) {
      over.complete(null);
      return;
    }
    if (!pace.take()) {
      later(1 + random.nextInt(WAIT_MILLIS));
      return;
    }
    KeyRing.@Nullable Slot slot = random.nextInt(100) < LEDGER_PERCENT ? null : keys.take(random);
    // Without a key left, too: the ledger's are not read at the end one by one.
    Command command = slot == null ? ledgerWrite() : command(slot);
    long startNanos = recorder.now();
    client
        .submit(command)
        .whenComplete((reply, failure) -> ended(command, slot, startNanos, reply));
  }

  private void ended(
      Command command, KeyRing.@Nullable Slot slot, long startNanos, @Nullable Reply reply) {
    if (reply == null) {
      throw new IllegalStateException("a reply is always a value");
    }
    Operation operation = recorder.record(name, command, startNanos, reply);
    Result result = operation.result();
    if (result != null) {
      answeredNanos = operation.endNanos();
      if (slot != null) {
        slot.saw(result.version());
      }
    }
    if (slot != null && operation.outcome() == Operation.Outcome.UNKNOWN) {
      keys.unanswered(slot);
    }
    // Not at once: a client that refuses without delay must not make the stack grow.
    later(operation.outcome() == Operation.Outcome.ERROR ? WAIT_MILLIS : 0);
  }

  private void later(int millis) {
    try {
      if (millis == 0) {
        client.loop().execute(this::next);
      } else {
        client.loop().schedule(this::next, millis, TimeUnit.MILLISECONDS);
      }
    } catch (RejectedExecutionException closed) {
      over.complete(null);
    }
  }

  private Bytes freshValue() {
    return Bytes.utf8("v" + name + "." + writes++);
  }

  private Command ledgerWrite() {
    Bytes value = freshValue();
    return new Command.Put(Tables.LEDGER, value, value);
  }

  private Command command(KeyRing.Slot slot) {
    String table = slot.table();
    Bytes key = Bytes.utf8(slot.key());
    int draw = random.nextInt(100);
    if (draw < 30) {
      return new Command.Get(table, key);
    }
    if (slot.counter()) {
      return draw < 92
          ? new Command.Increment(table, key, 1 + random.nextInt(1_000))
          : remove(slot, key, draw < 96);
    }
    if (draw < 55) {
      return new Command.Put(table, key, freshValue());
    } else if (draw < 67) {
      return new Command.PutIfAbsent(table, key, freshValue());
    } else if (draw < 87) {
      return new Command.Replace(table, key, expected(slot), freshValue());
    }
    return remove(slot, key, draw < 94);
  }

  private Command remove(KeyRing.Slot slot, Bytes key, boolean conditional) {
    return conditional
        ? new Command.RemoveVersion(slot.table(), key, expected(slot))
        : new Command.Remove(slot.table(), key);
  }

  /** The newest version anybody saw; now and then one that cannot be right any more. */
  private long expected(KeyRing.Slot slot) {
    long newest = slot.newest();
    return Math.max(1, random.nextInt(20) == 0 ? newest - 1 : newest);
  }
}
