package io.lockstep.core.flow;

import static io.lockstep.core.state.Continuations.logFailure;

import io.lockstep.core.state.Alarm;
import io.lockstep.core.state.ReplyWords;
import io.lockstep.core.state.TableView;
import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Command;
import io.lockstep.store.Command.Guard;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.logging.BoundedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes intentions to the store, and writes each once. Where the store gave no answer, an
 * intention may have taken effect, and another node may have replaced it since. To write it again
 * would undo what that node did. So the writer looks into the history of the table first:
 *
 * <ul>
 *   <li>The intention is there: it took effect, whatever came behind it.
 *   <li>It is not there: it is written now, guarded by the version that the look ended with.
 *   <li>The history does not reach back so far: it is written only if the entry is as old as the
 *       intention's beginning, or absent. Else the other write stays, and the intention fails.
 * </ul>
 *
 * <p>Thread-safe; nothing waits for the store.
 */
final class IntentWriter {
  private static final BoundedLog log = BoundedLog.of(IntentWriter.class);
  private static final IntentTable INTENTS = new IntentTable();
  private static final int MAX_TRIES = 10;
  private static final long RETRY_MILLIS = 500;
  private static final int PAGE = 1_000;

  private final StoreClient store;
  private final TableView<IntentKey, Intent> known;
  private final Alarm alarm;

  /** The newest version that any write of this node got. */
  private final AtomicLong acknowledged = new AtomicLong();

  /** The newest write of each rule that has not ended yet. */
  private final Map<IntentKey, Write> underWay = new ConcurrentHashMap<>();

  /**
   * A writer.
   *
   * @param known the intentions as this node knows them
   * @param alarm on the control loop
   */
  IntentWriter(StoreClient store, TableView<IntentKey, Intent> known, Alarm alarm) {
    this.store = store;
    this.known = known;
    this.alarm = alarm;
  }

  /** One intention on its way. */
  private final class Write {
    private final IntentKey intent;
    private final Bytes key;
    private final Bytes value;
    private final CompletableFuture<Long> version = new CompletableFuture<>();

    /** All that is not newer was there before this write began. */
    private final long begin;

    /** What this node wrote of the same rule before, and has no answer for. */
    private final @Nullable Bytes earlierValue;

    /** What this node wrote of the same rule next. */
    private volatile @Nullable Write next;

    private int tries;

    Write(IntentKey intent, Bytes value) {
      this.intent = intent;
      this.key = intent.encode();
      this.value = value;
      TableView.Held<Intent> held = known.held(intent);
      begin = Math.max(acknowledged.get(), held == null ? 0 : held.version());
      Write earlier = underWay.put(intent, this);
      earlierValue = earlier == null ? null : earlier.value;
      if (earlier != null) {
        earlier.next = this;
      }
    }

    void submit() {
      Command put = new Command.Put(IntentTable.NAME, key, value);
      ask(
          put,
          reply -> {
            if (reply instanceof Reply.Applied applied) {
              written(applied.version());
            } else if (reply instanceof Reply.Unknown) {
              again(reply, this::look);
            } else {
              again(reply, this::submit);
            }
          });
    }

    /** Goes on, unless this node has written the rule anew: then that is what counts. */
    private void ask(Command command, Consumer<Reply> then) {
      Write newer = next;
      CompletableFuture<?> done =
          newer != null
              ? newer.version.thenAccept(this::end)
              : store.submit(command).thenAccept(then);
      logFailure("writing an intended rule", done);
    }

    private void again(Reply reply, Runnable step) {
      tries++;
      if (tries < MAX_TRIES) {
        alarm.after(RETRY_MILLIS, step);
      } else {
        failed(ReplyWords.of(reply));
      }
    }

    private void look() {
      look(begin);
    }

    /** Looks for the intention among the changes behind {@code after}. */
    private void look(long after) {
      ask(
          new Command.ReadChanges(List.of(IntentTable.NAME), after, PAGE),
          reply -> {
            if (reply instanceof Reply.Compacted) {
              read(false);
            } else if (!(reply instanceof Reply.Changes page)) {
              again(reply, this::look);
            } else if (page.changes().isEmpty()) {
              read(true);
            } else {
              long found = indexOf(page.changes());
              if (found > 0) {
                written(found);
              } else {
                look(page.upToIndex());
              }
            }
          });
    }

    /** The index of the intention; 0 where it is not among the changes. */
    private long indexOf(List<Change> changes) {
      for (Change change : changes) {
        if (change.key().equals(key) && Objects.equals(change.value(), value)) {
          return change.index();
        }
      }
      return 0;
    }

    /**
     * Reads what the intention is to replace.
     *
     * @param absent whether the intention surely did not take effect
     */
    private void read(boolean absent) {
      ask(
          new Command.Get(IntentTable.NAME, key),
          reply -> {
            if (reply instanceof Reply.Absent) {
              replace(0);
            } else if (!(reply instanceof Reply.Found found)) {
              again(reply, this::look);
            } else if (found.value().equals(value)) {
              written(found.version());
            } else if (absent || isOld(found)) {
              replace(found.version());
            } else {
              failed("another node wrote the rule meanwhile, and its write stays");
            }
          });
    }

    /** Whether no other node wrote the entry after this write began. */
    private boolean isOld(Reply.Found found) {
      return found.version() <= begin || Objects.equals(found.value(), earlierValue);
    }

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
      underWay.remove(intent, this);
      version.complete(result);
    }
  }

  /**
   * Writes intentions, in their order.
   *
   * @return the version of each written record; -1 if it was not stored, as far as is known
   * @throws IllegalArgumentException for a rule with parts that cannot be stored; then none is
   *     written
   */
  List<CompletableFuture<Long>> writeAll(List<Intent> intents) {
    List<Bytes> values = intents.stream().map(INTENTS::encodeValue).toList();
    List<CompletableFuture<Long>> versions = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      Write write = new Write(IntentKey.of(intents.get(i).rule()), values.get(i));
      versions.add(write.version);
      write.submit();
    }
    return versions;
  }
}
