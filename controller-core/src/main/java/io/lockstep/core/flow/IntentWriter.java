package io.lockstep.core.flow;

import static io.lockstep.core.state.Continuations.logFailure;

import io.lockstep.core.state.Alarm;
import io.lockstep.core.state.ReplyWords;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Command.Guard;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.logging.BoundedLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes intentions to the store, and writes each once. Where the store gave no answer, an
 * intention may have taken effect, and another node may have replaced it since. To write it again
 * would undo what that node did. So the writer first finds out:
 *
 * <ul>
 *   <li>The entry is as old as what this node had seen before: the intention did not take effect.
 *       It is written now, under the version of that entry.
 *   <li>The entry is newer and has this value: the intention took effect.
 *   <li>The entry is another one, or gone: the history of the table tells ({@link IntentHistory}).
 *       An intention that it has took effect, whatever was written later. Any other is written now,
 *       under the version of the entry.
 *   <li>The history does not reach back so far: the intention fails, and the entry stays.
 * </ul>
 *
 * <p>The writes of one rule go one after the other. Thread-safe; nothing waits for the store.
 */
final class IntentWriter {
  private static final BoundedLog log = BoundedLog.of(IntentWriter.class);
  private static final IntentTable INTENTS = new IntentTable();
  private static final int MAX_TRIES = 10;
  private static final long RETRY_MILLIS = 500;
  private static final Reply NO_HISTORY = new Reply.Unknown("the history of rules was not read");

  private final StoreClient store;
  private final IntentHistory history;
  private final LongSupplier seen;
  private final Alarm alarm;

  /** The newest version that any write of this node got. */
  private final AtomicLong acknowledged = new AtomicLong();

  /** The newest write of each rule that has not ended yet. Guarded by itself. */
  private final Map<Bytes, Write> newest = new HashMap<>();

  /**
   * A writer.
   *
   * @param seen the index up to which this node has seen every change
   * @param alarm on the control loop
   */
  IntentWriter(StoreClient store, LongSupplier seen, Alarm alarm) {
    this.store = store;
    this.history = new IntentHistory(store);
    this.seen = seen;
    this.alarm = alarm;
  }

  /** One intention on its way. */
  private final class Write {
    private final Bytes key;
    private final Bytes value;
    private final CompletableFuture<Long> version = new CompletableFuture<>();

    /**
     * The next write of the same rule, which begins when this one has ended. Guarded by the map.
     */
    private @Nullable Write next;

    /** What is not newer was there before this write began. */
    private long begin;

    private int tries;

    Write(Bytes key, Bytes value) {
      this.key = key;
      this.value = value;
    }

    void start() {
      begin = Math.max(acknowledged.get(), seen.getAsLong());
      put();
    }

    private void put() {
      ask(
          new Command.Put(IntentTable.NAME, key, value),
          reply -> {
            if (reply instanceof Reply.Applied applied) {
              written(applied.version());
            } else if (reply instanceof Reply.Unknown) {
              again(reply, this::look);
            } else {
              again(reply, this::put);
            }
          });
    }

    private void ask(Command command, Consumer<Reply> then) {
      logFailure("writing an intended rule", store.submit(command).thenAccept(then));
    }

    private void again(Reply reply, Runnable step) {
      tries++;
      if (tries < MAX_TRIES) {
        alarm.after(RETRY_MILLIS, step);
      } else {
        failed(ReplyWords.of(reply));
      }
    }

    /** Looks at the entry, and into the history where that alone does not tell. */
    private void look() {
      ask(
          new Command.Get(IntentTable.NAME, key),
          reply -> {
            if (reply instanceof Reply.Found found && found.version() <= begin) {
              replace(found.version());
            } else if (reply instanceof Reply.Found found && found.value().equals(value)) {
              written(found.version());
            } else if (reply instanceof Reply.Found || reply instanceof Reply.Absent) {
              search();
            } else {
              again(reply, this::look);
            }
          });
    }

    private void search() {
      IntentHistory.Search search = new IntentHistory.Search(key, value, begin);
      logFailure(
          "looking for an intended rule",
          history
              .find(search)
              .thenAccept(
                  found -> {
                    switch (found.outcome()) {
                      case FOUND -> written(found.index());
                      case ABSENT -> replace(found.index());
                      case FORGOTTEN ->
                          failed("whether it was stored before another node wrote it is not known");
                      case NO_ANSWER -> again(NO_HISTORY, this::look);
                    }
                  }));
    }

    /**
     * Writes the intention, which surely did not take effect.
     *
     * @param expected the version of the entry, 0 where there is none
     */
    private void replace(long expected) {
      ask(
          new Command.Batch(
              List.of(new Guard(IntentTable.NAME, key, expected)),
              List.of(new Command.Put(IntentTable.NAME, key, value))),
          reply -> {
            if (reply instanceof Reply.Batched batched) {
              written(batched.version());
            } else {
              again(reply, this::look);
            }
          });
    }

    private void written(long at) {
      acknowledged.accumulateAndGet(at, Math::max);
      end(at);
    }

    private void failed(String why) {
      log.error("store", "an intended rule was not stored: {}", why);
      end(-1);
    }

    private void end(long result) {
      Write following;
      synchronized (newest) {
        newest.remove(key, this);
        following = next;
      }
      if (following != null) {
        following.start();
      }
      version.complete(result);
    }
  }

  /**
   * Writes intentions. Those of one rule are written in their order.
   *
   * @return the version of each written record; -1 if it was not stored, as far as is known
   * @throws IllegalArgumentException for a rule with parts that cannot be stored; then none is
   *     written
   */
  List<CompletableFuture<Long>> writeAll(List<Intent> intents) {
    List<Bytes> values = intents.stream().map(INTENTS::encodeValue).toList();
    List<CompletableFuture<Long>> versions = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      Write write = new Write(IntentKey.of(intents.get(i).rule()).encode(), values.get(i));
      versions.add(write.version);
      if (isFirst(write)) {
        write.start();
      }
    }
    return versions;
  }

  /** Whether no write of the same rule is on its way; else this one begins behind it. */
  private boolean isFirst(Write write) {
    synchronized (newest) {
      Write before = newest.put(write.key, write);
      if (before != null) {
        before.next = write;
      }
      return before == null;
    }
  }
}
