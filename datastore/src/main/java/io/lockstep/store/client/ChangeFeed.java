package io.lockstep.store.client;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.core.Limits;
import io.lockstep.store.engine.ChangeHints;
import io.lockstep.store.logging.BoundedLog;
import io.lockstep.store.logging.FailureLog;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows some tables: delivers all their entries as of one index, and then every later change in
 * order, once, those of one operation together. If the replicas' history no longer reaches back to
 * the last delivered change, the feed delivers a new snapshot. Without a quorum the feed pauses.
 *
 * <p>A scan of several pages is not one atomic read. So the feed notes the index, scans, and notes
 * the index again. Then it applies the changes since the first index to the scanned entries, until
 * it is past the second. The result is exactly the content of the tables at that index.
 *
 * <p>Where replicas give hints, an idle feed asks when there is something to hear, and the poll is
 * only for hints that were lost.
 *
 * <p>Everything is delivered on the client's loop. {@link #poke} and {@link #close} can be called
 * from any thread.
 */
public final class ChangeFeed implements AutoCloseable {
  /** How often an idle feed asks by default, in milliseconds. */
  public static final long POLL_MILLIS = 50;

  private static final BoundedLog log = BoundedLog.of(ChangeFeed.class);
  private static final FailureLog failures = FailureLog.of(ChangeFeed.class);
  private static final int PAGE = 1_000;

  /** Between two attempts where the store does not answer, unless the poll comes first. */
  private static final long RETRY_MILLIS = 20;

  private final StoreClient client;
  private final ScheduledExecutorService loop;
  private final List<String> tables;
  private final long pollMillis;
  private final Listener listener;
  private final int page;
  private volatile boolean closed;
  private volatile long upToIndex = -1;

  /** The index of the newest hint since the last question; 0 where there was none. */
  private volatile long hintedIndex;

  private final AtomicBoolean hintWaits = new AtomicBoolean();

  /** Set before the start, as the two below. */
  private ChangeHints hints = ChangeHints.NONE;

  private ChangeHints.Following following = () -> {};

  /** How long to wait after an answer without changes while no hints are given. */
  private long unhintedMillis;

  // Owned by the loop.
  private boolean hasSnapshot;
  private boolean asking;
  private boolean poked;
  private boolean waiting;

  /** The next step, where it waits for its time. */
  private @Nullable ScheduledFuture<?> timer;

  /**
   * Creates a feed, which does nothing before {@link #start}.
   *
   * @param loop the loop of {@code client}
   * @param tables 1 to 64 tables
   * @param pollMillis how long to wait after an answer without changes
   */
  public ChangeFeed(
      StoreClient client,
      ScheduledExecutorService loop,
      List<String> tables,
      long pollMillis,
      Listener listener) {
    this(client, loop, tables, pollMillis, listener, PAGE);
  }

  /**
   * @param page entries or changes asked for at once
   */
  ChangeFeed(
      StoreClient client,
      ScheduledExecutorService loop,
      List<String> tables,
      long pollMillis,
      Listener listener,
      int page) {
    String violation = Limits.violation(new Command.ReadChanges(tables, 0, page));
    if (violation != null || pollMillis < 1) {
      throw new IllegalArgumentException(
          violation != null ? violation : "poll interval " + pollMillis + " ms");
    }
    this.client = client;
    this.loop = loop;
    this.tables = tables.stream().distinct().sorted().toList();
    this.pollMillis = pollMillis;
    this.unhintedMillis = pollMillis;
    this.listener = listener;
    this.page = page;
  }

  /** Receives snapshots and changes, on the client's loop. */
  public interface Listener {

    /**
     * All entries as of an index. Replaces everything delivered before.
     *
     * @param entries by table, in key order; every followed table is there
     * @param index every change up to it is in {@code entries}, none after it
     */
    void snapshot(Map<String, List<Entry>> entries, long index);

    /**
     * The next changes, not empty, in order.
     *
     * @param upToIndex every change up to it is delivered now
     */
    void changes(List<Change> changes, long upToIndex);

    /** The feed has delivered every change up to this index. */
    default void caughtUp(long upToIndex) {}
  }

  /** Begins to follow the tables; called once. Any thread. */
  public void start() {
    loop.execute(this::readAll);
  }

  /**
   * Takes hints; before {@link #start}.
   *
   * @param unhinted how long to wait, in milliseconds, after an answer without changes where no
   *     hints are given at present
   */
  public void follow(ChangeHints given, long unhinted) {
    hints = given;
    unhintedMillis = unhinted;
    following = given.follow(tables, this::hint);
  }

  /** Any thread. Many hints are one look, else a busy replica would fill the loop. */
  private void hint(long index) {
    hintedIndex = index;
    if (index > upToIndex && hintWaits.compareAndSet(false, true)) {
      onLoop(
          () -> {
            hintWaits.set(false);
            if (hasSnapshot && !asking && hintedIndex > upToIndex) {
              poll();
            }
          });
    }
  }

  /** Asks for changes now and not at the next poll. Any thread. */
  public void poke() {
    onLoop(
        () -> {
          poked = true;
          if (hasSnapshot && !asking) {
            poll();
          }
        });
  }

  private void onLoop(Runnable task) {
    if (closed) {
      return;
    }
    try {
      loop.execute(task);
    } catch (RejectedExecutionException loopClosed) {
      closed = true;
    }
  }

  /** Every change up to this index has been delivered; -1 before the first snapshot. Any thread. */
  public long upToIndex() {
    return upToIndex;
  }

  /**
   * Ends the delivery. Called on the loop, nothing is delivered after it; called by another thread,
   * one more delivery may follow.
   */
  @Override
  public void close() {
    closed = true;
    following.end();
  }

  private void readAll() {
    hasSnapshot = false;
    ScannedTables image = new ScannedTables(tables);
    noteIndex(from -> scan(image, 0, Bytes.empty(), from));
  }

  /** No change is above the greatest index, so the answer holds only the present index. */
  private void noteIndex(Consumer<Long> next) {
    ask(
        new Command.ReadChanges(tables, Long.MAX_VALUE, 1),
        reply -> {
          if (reply instanceof Reply.Changes none) {
            next.accept(none.upToIndex());
            return true;
          }
          return false;
        });
  }

  private void scan(ScannedTables image, int table, Bytes from, long notedIndex) {
    if (table == tables.size()) {
      noteIndex(scannedUpTo -> catchUp(image, notedIndex, scannedUpTo));
      return;
    }
    String name = tables.get(table);
    ask(
        new Command.Scan(name, from, null, page),
        reply -> {
          if (!(reply instanceof Reply.Entries found)) {
            return false;
          }
          Bytes last = from;
          for (Entry entry : found.entries()) {
            image.add(name, entry);
            last = entry.key();
          }
          if (found.more()) {
            scan(image, table, ScannedTables.successor(last), notedIndex);
          } else {
            scan(image, table + 1, Bytes.empty(), notedIndex);
          }
          return true;
        });
  }

  private void catchUp(ScannedTables image, long after, long target) {
    ask(
        new Command.ReadChanges(tables, after, page),
        reply -> {
          if (reply instanceof Reply.Compacted) {
            later(this::readAll, retryMillis());
            return true;
          }
          if (!(reply instanceof Reply.Changes next)) {
            return false;
          }
          next.changes().forEach(image::apply);
          if (next.upToIndex() < target) {
            catchUp(image, next.upToIndex(), target);
          } else {
            deliverSnapshot(image, next.upToIndex());
          }
          return true;
        });
  }

  private void deliverSnapshot(ScannedTables image, long index) {
    hasSnapshot = true;
    upToIndex = index;
    listener.snapshot(image.entries(), index);
    poll();
  }

  private void poll() {
    ScheduledFuture<?> waitingStep = timer;
    if (waitingStep != null) {
      waitingStep.cancel(false);
      timer = null;
    }
    poked = false;
    // What was hinted until now is answered by the question that follows.
    hintedIndex = 0;
    ask(
        new Command.ReadChanges(tables, upToIndex, page),
        reply -> {
          if (reply instanceof Reply.Compacted) {
            readAll();
            return true;
          }
          if (!(reply instanceof Reply.Changes next)) {
            return false;
          }
          if (next.upToIndex() < upToIndex) {
            log.warn(
                tables, "the store began anew at index {}, below {}", next.upToIndex(), upToIndex);
            readAll();
            return true;
          }
          upToIndex = next.upToIndex();
          if (next.changes().isEmpty()) {
            listener.caughtUp(upToIndex);
          } else {
            listener.changes(next.changes(), upToIndex);
          }
          if (poked || hintedIndex > upToIndex || mayBeMore(next.changes().size())) {
            poll();
          } else {
            later(this::poll, hints.given() ? pollMillis : unhintedMillis);
          }
          return true;
        });
  }

  /** Without hints a change is a sign of more to come. */
  private boolean mayBeMore(int changes) {
    return hints.given() ? changes >= page : changes > 0;
  }

  /** Submits the command again and again, until {@code handler} accepts the reply. */
  private void ask(Command command, ReplyHandler handler) {
    if (closed) {
      return;
    }
    asking = true;
    failures.watch(
        tables,
        "the feed",
        client.submit(command).thenAccept(reply -> answered(command, handler, reply)));
  }

  private void answered(Command command, ReplyHandler handler, Reply reply) {
    asking = false;
    if (closed) {
      return;
    }
    try {
      if (handler.accepts(reply)) {
        waiting = false;
      } else {
        notAnswered(command, handler, reply);
      }
    } catch (RuntimeException e) {
      // The listener would miss this delivery.
      closed = true;
      log.error(tables, "the feed of {} stops: its listener failed", tables, e);
    }
  }

  private void notAnswered(Command command, ReplyHandler handler, Reply reply) {
    if (reply instanceof Reply.Rejected rejected) {
      switch (rejected.reason()) {
        case NOT_SENT, SESSION_ENDED, NO_ROOM, REPLIES_TOO_LONG -> {}
        // If the store began anew, the next session declares its tables again.
        case UNKNOWN_TABLE -> logWaiting(rejected.message());
        default ->
            throw new IllegalStateException(
                "the store refused to be followed: " + rejected.message());
      }
    }
    asking = true;
    later(() -> ask(command, handler), retryMillis());
  }

  /** Logs once that the feed waits, until it goes on. */
  private void logWaiting(String reason) {
    if (!waiting) {
      waiting = true;
      log.warn(tables, "the feed of {} waits: {}", tables, reason);
    }
  }

  private long retryMillis() {
    return Math.min(pollMillis, RETRY_MILLIS);
  }

  private void later(Runnable step, long millis) {
    try {
      Runnable logged = failures.logging(tables, "the feed", step);
      timer = loop.schedule(logged, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException loopClosed) {
      closed = true;
    }
  }

  /** Accepts a reply, or returns false if the feed must ask again. */
  private interface ReplyHandler {
    boolean accepts(Reply reply);
  }
}
