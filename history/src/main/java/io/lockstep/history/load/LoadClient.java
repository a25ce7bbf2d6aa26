package io.lockstep.history.load;

import io.lockstep.history.check.Operation;
import io.lockstep.history.check.Operation.Result;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.client.BatchingStoreClient;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A client of the load on single keys. Owned by the loop of its store client. */
public final class LoadClient extends SequentialClient {
  private static final int LEDGER_PERCENT = 4;

  private final KeyRing keys;
  private final Pace pace;
  private final Recorder recorder;
  private final Random random;
  private long writes;

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
    super(name, client);
    this.keys = keys;
    this.pace = pace;
    this.recorder = recorder;
    this.random = random;
  }

  @Override
  protected boolean spent() {
    return pace.spent();
  }

  @Override
  protected void proceed() {
    if (!pace.take()) {
      later(1 + random.nextInt(WAIT_MILLIS));
      return;
    }
    KeyRing.@Nullable Slot slot = random.nextInt(100) < LEDGER_PERCENT ? null : keys.take(random);
    // Without a key left, too: the ledger's are not read at the end one by one.
    Command command = slot == null ? ledgerWrite() : command(slot);
    long startNanos = recorder.now();
    submit(command, reply -> ended(command, slot, startNanos, reply));
  }

  private void ended(Command command, KeyRing.@Nullable Slot slot, long startNanos, Reply reply) {
    Operation operation = recorder.record(name(), command, startNanos, reply);
    Result result = operation.result();
    if (result != null) {
      answered(operation.endNanos());
      if (slot != null) {
        slot.saw(result.version());
      }
    }
    if (slot != null && operation.outcome() == Operation.Outcome.UNKNOWN) {
      keys.unanswered(slot);
    }
    goOn(operation.outcome());
  }

  private Bytes freshValue() {
    return Bytes.utf8("v" + name() + "." + writes++);
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
